// Keeps the site for when there is no network. The build puts VERSION and FILES before this: a number that changes with
// any file, and the files by their names; where there are none, as in a development build, it takes itself away.

const NAME = `placewise ${VERSION}`;
const home = new URL("./", location);

async function install() {
  const cache = await caches.open(NAME);
  const page = await fetch(home, { cache: "no-cache" });
  const text = await page.clone().text();
  // A page of another version, from a host that is just being written to, would ask for files that are not here.
  if (!page.ok || page.redirected || !FIRST.every((file) => text.includes(file))) throw new Error("the page is of another version");
  // Names carry their content: what the browser has already is what is meant.
  await Promise.all([cache.put(home, page), cache.addAll(FILES)]);
}

async function tidy() {
  for (const name of await caches.keys()) if (name.startsWith("placewise ") && name !== NAME) await caches.delete(name);
}

async function leave() {
  for (const name of await caches.keys()) if (name.startsWith("placewise ")) await caches.delete(name);
  await registration.unregister();
}

addEventListener("install", (event) => {
  if (FILES.length) event.waitUntil(install());
  else skipWaiting();
});
addEventListener("activate", (event) => event.waitUntil(FILES.length ? tidy() : leave()));
// A new version waits until the reader asks for it.
addEventListener("message", ({ data }) => data === "now" && skipWaiting());

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (!FILES.length || request.method !== "GET" || url.origin !== location.origin) return;
  // A frame of another page is that page's matter, and comes from the network.
  if (request.mode === "navigate" && request.destination !== "document") return;
  const path = url.href.slice(home.href.length).replace(/[?#].*/, "");
  const wanted = path === "" || path === "index.html" ? home : FILES.includes(`./${path}`) ? url : null;
  if (!wanted || !url.href.startsWith(home.href)) return;
  event.respondWith(
    caches.open(NAME).then(async (cache) => (await cache.match(wanted, { ignoreSearch: true, ignoreVary: true })) ?? fetch(request)),
  );
});
