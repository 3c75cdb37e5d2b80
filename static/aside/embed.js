// Inside another page's frame: looks as if it were part of that page, tells it its height and its link, and does what
// that page asks. What asks is `static/embed/element.js`, or whoever speaks as it does; every message is an object with
// `placewise: 1` and a `type`:
//
//   from this page  {type: "here"}                  it listens
//   to this page    {type: "hello"}                 from then on this page tells its link, to that origin
//                   {type: "set", link}             shows another link
//                   {type: "theme", theme}          "light" or "dark": what the page around is
//   from this page  {type: "ready", title, link}    the first figure is drawn
//                   {type: "height", height}        in CSS pixels
//                   {type: "change", link}          the reader changed something
//
// A page can hear the height in two more forms, which hosts of embeds have listened for since long before.

import css from "./embed.css";

const VERSION = 1;
/** What is lower than what was told by less than this is not told: a line of text that comes and goes. */
const SLACK = 80;
/** A host that has not made room by then does not listen: what does not fit is scrolled to. */
const PATIENCE = 1000;
/** What is drawn comes in a few steps, line by line; their end is told, once nothing has changed for so long. */
const REST = 100;
/** Longer links are none of ours, in characters. */
const LONGEST = 65_536;
/** Whether a link names controls. */
const CONTROLS = /[?&]controls=(?!none(?:&|$))[^&]/;

const root = document.documentElement;
const host = parent === window ? null : parent;

/** Whether this page is shown as a figure alone. */
export const embedded = () => location.hash.startsWith("#/embed");

/** The link of a figure alone, whatever page a link is of. */
const alone = (link) => link.replace(/^[^?]*/, "#/embed");

/** Everything that only such a page does. */
export function begin() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  if (host) root.classList.add("framed");
  document.adoptedStyleSheets.push(sheet);
  if (host) {
    const away = watchSight();
    const speak = converse(away);
    tellHeight(speak);
  }
}

/** Whether nobody can see the frame, and who waits until somebody can. */
function watchSight() {
  const away = { now: false, waiting: null };
  new IntersectionObserver((entries) => {
    away.now = !entries.at(-1).isIntersecting;
    if (!away.now) away.waiting?.(), (away.waiting = null);
  }).observe(document.body);
  return away;
}

/** The colours of the page around, where the link does not choose. The app removes the theme when its link has none. */
function follow() {
  let theme;
  const apply = () => theme && !root.dataset.theme && (root.dataset.theme = theme);
  new MutationObserver(apply).observe(root, { attributeFilter: ["data-theme"] });
  return (wanted) => {
    if (wanted !== "light" && wanted !== "dark") return;
    // What the link chose stands.
    if (root.dataset.theme && root.dataset.theme !== theme) return;
    theme = wanted;
    root.dataset.theme = theme;
  };
}

/** Hears the host and answers it. Comes back with what speaks to it. */
function converse(away) {
  const wear = follow();
  // The element names the frame after its theme, so that the first drawing has it.
  wear(/^placewise:(\w+)$/.exec(window.name)?.[1]);
  // Where the browser says who is around, nobody else is heard; elsewhere it is who spoke first.
  let origin = location.ancestorOrigins?.[0];
  let greeted = false;
  let ready = false;
  let quiet = true;
  let told = location.hash;
  const speak = (message, to = "*") => host.postMessage(message, to);
  // What a reader set is told to whom it concerns. A host without an origin has no address.
  const tell = (type, more) => greeted && speak({ placewise: VERSION, type, ...more }, origin === "null" ? "*" : origin);
  const greet = () => {
    const titles = [...document.querySelectorAll(".figure__title")].map((title) => title.textContent);
    tell("ready", { title: [...titles, "Placewise"].join(" · "), link: told });
  };

  const show = (link) => {
    const wanted = alone(link);
    if (wanted === location.hash) return;
    quiet = true;
    told = wanted;
    const more = CONTROLS.test(wanted) && !CONTROLS.test(location.hash);
    location.replace(wanted);
    // The module of the first screens has no such controls, and the page begins with the one that has.
    if (more) location.reload();
  };

  addEventListener("message", (event) => {
    const { source, data } = event;
    if (source !== host || data?.placewise !== VERSION) return;
    if ((origin ??= event.origin) !== event.origin) return;
    if (data.type === "hello") {
      greeted = true;
      if (ready) greet();
    } else if (data.type === "theme") {
      wear(data.theme);
    } else if (data.type === "set" && typeof data.link === "string" && data.link.length < LONGEST) {
      // What nobody sees is not drawn.
      if (away.now) away.waiting = () => show(data.link);
      else show(data.link);
    }
  });

  // Only what a reader does is news to the host: an echo of what it set would set it back while it goes on.
  for (const kind of ["pointerdown", "keydown", "input", "wheel"]) addEventListener(kind, () => (quiet = false), { capture: true, passive: true });
  // The app replaces the address when what was set has rested: no other event tells of it.
  const { replaceState } = history;
  history.replaceState = (...given) => {
    replaceState.apply(history, given);
    if (location.hash === told || quiet) return;
    told = location.hash;
    tell("change", { link: told });
  };
  new MutationObserver((_, seen) => {
    if (root.dataset.ready === undefined) return;
    seen.disconnect();
    ready = true;
    greet();
  }).observe(root, { attributeFilter: ["data-ready"] });
  speak({ placewise: VERSION, type: "here" });
  return speak;
}

/** Tells the height in all forms, and scrolls inside only where the host makes no room. */
function tellHeight(speak) {
  const main = document.getElementById("main");
  let height = 0;
  let width = 0;
  let timer;
  // Without bars the width, and with it the height, does not depend on the room that there is.
  root.style.overflow = "hidden";
  const settle = () => {
    clearTimeout(timer);
    timer = setTimeout(() => (root.style.overflow = innerHeight + 1 < height ? "auto" : "hidden"), PATIENCE);
  };
  let resting;
  const soon = () => {
    clearTimeout(resting);
    resting = setTimeout(measure, REST);
  };
  const measure = () => {
    // Before all is drawn for the first time there is no height worth telling: it is asked again when it is.
    if (!height && root.dataset.ready === undefined && root.dataset.failed === undefined && document.getElementById("unsupported").hidden) return;
    const now = Math.ceil(main.getBoundingClientRect().height);
    const turned = width !== innerWidth;
    width = innerWidth;
    if (now === height || (!turned && now < height && now > height - SLACK)) return;
    height = now;
    speak({ placewise: VERSION, type: "height", height });
    speak(JSON.stringify({ src: location.href, context: "iframe.resize", height }));
    speak({ sentinel: "amp", type: "embed-size", height });
    settle();
  };
  new ResizeObserver(soon).observe(main);
  new MutationObserver(soon).observe(root, { attributeFilter: ["data-ready", "data-failed"] });
  addEventListener("resize", settle);
}
