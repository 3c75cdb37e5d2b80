// The site without a network, from the second visit on; and a new version of it, which is offered and not forced.

import css from "./offline.css";

const WORDS = { come: "{{page.offline.new}}", take: "{{page.offline.take}}", later: "{{page.offline.later}}" };

/** Begins to keep the site, where the browser can and the reader has bytes to spare. */
export async function begin() {
  const { serviceWorker, connection } = navigator;
  // A development build is looked at while it changes; the edition of one file has no server.
  if (DEV || !import.meta.url.startsWith("http") || !serviceWorker || connection?.saveData) return;
  const registration = await serviceWorker.register(new URL("./sw.js", import.meta.url)).catch(() => null);
  if (!registration) return;
  const offered = () => registration.waiting && serviceWorker.controller && offer(registration.waiting);
  offered();
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", offered);
  });
}

/** Says that there is a new version. Everything that is set is in the link: nothing is lost when it is taken. */
function offer(worker) {
  if (document.querySelector(".offline")) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
  const notice = Object.assign(document.createElement("div"), { className: "offline", role: "status" });
  const button = (word, act) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: word, onclick: act });
    notice.append(button);
  };
  document.getElementById("main").append(notice);
  notice.append(Object.assign(document.createElement("p"), { textContent: WORDS.come }));
  button(WORDS.take, () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    worker.postMessage("now");
  });
  button(WORDS.later, () => notice.remove());
}
