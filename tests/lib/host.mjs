// Another page with figures in it, on a server that has the site too: as `http://127.0.0.1:…/` it is of the same origin
// as the site, and a test can look into the frames; as `http://localhost:…/` it is of another one, as hosts are.

import { createServer, request } from "node:http";
import { after, before } from "node:test";
import { SITE } from "../e2e/help.mjs";

/** Ten figures, as an article may have them: of the first module and of the whole app. */
export const TEN = [
  "#/explore?figures=offset&schemes=rope",
  "#/explore?figures=heatmap",
  "#/embed?figures=rotation&schemes=rope(head_dim=16)&controls=position,rope_theta",
  "#/embed?figures=bias&schemes=alibi&controls=head",
  "#/embed?figures=offset&schemes=sinusoidal,rope&length=512",
  "#/embed?figures=heatmap&schemes=rope(head_dim=32)&length=100",
  "#/embed?figures=similarity",
  "#/embed?figures=spectrum&schemes=rope",
  "#/embed?figures=offset&schemes=alibi,t5",
  "#/embed?figures=shift&controls=none",
];

/** Runs in the page: hears everything that is said to it, and what goes wrong. */
function listen() {
  const trouble = (globalThis.placewiseTrouble = []);
  for (const kind of ["error", "warn", "assert"]) {
    const say = console[kind];
    console[kind] = (...told) => {
      if (kind !== "assert" || !told[0]) trouble.push(`console ${kind}: ${told.join(" ")}`);
      say.apply(console, told);
    };
  }
  addEventListener("error", ({ message, target }) => trouble.push(`uncaught: ${message ?? target.src}`), true);
  addEventListener("unhandledrejection", ({ reason }) => trouble.push(`unhandled: ${reason}`));
  globalThis.frames10 = () => [...document.querySelectorAll("placewise-figure")].map((figure) => figure.shadowRoot?.querySelector("iframe"));
  globalThis.heard = [];
  addEventListener("message", ({ source, data }) => {
    const place = frames10().findIndex((frame) => frame?.contentWindow === source);
    heard.push({ place, at: performance.now(), data });
  });
  globalThis.changes = [];
  addEventListener("placewise-change", ({ target, detail }) => changes.push([target.id, detail.link]));
  document.documentElement.dataset.ready = 1;
}

const LOOK = `
  body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; font: 18px/1.6 serif; background: #fdfaf3; color: #333; }
  .dark body { background: #22272e; color: #c9d1d9; }
  iframe { min-height: 900px; border: 9px solid red; }`;

/** A page with these figures, an article's text between them. */
const article = (site, links) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>An article</title>
<link rel="icon" href="data:,"><style>${LOOK}</style><script>(${listen})();</script><script async src="${site}embed.js"></script></head>
<body><main><h1>An article</h1><a id="before" href="#before">before</a>
${links.map((link, i) => `<p>A paragraph, and then figure ${i + 1}.</p><placewise-figure id="figure-${i}" link="${link.replaceAll("&", "&amp;")}"><a href="${site}${link.replaceAll("&", "&amp;")}">figure ${i + 1} in Placewise</a></placewise-figure>`).join("\n")}
<p><a id="after" href="#after">after</a></p></main></body></html>`;

/**
 * Starts it: `alter` holds, by the site's paths, what is done to the text of a file, and `asked` what was asked for;
 * `own(links)` and `other(links)` are addresses of a page of the site's origin and of another's; `serve(html)` gives
 * the address of any page, of another origin.
 */
export async function host() {
  const pages = new Map();
  const alter = new Map();
  const wishes = [];
  const server = createServer((asked, answer) => {
    const { pathname, searchParams, origin } = new URL(asked.url, `http://${asked.headers.host}`);
    const html = (text) => answer.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" }).end(text);
    if (pathname === "/article") return html(article(`${origin.replace("localhost", "127.0.0.1")}/site/`, searchParams.getAll("link")));
    if (pages.has(pathname)) return html(pages.get(pathname));
    if (!pathname.startsWith("/site/")) return answer.writeHead(404).end();
    wishes.push(pathname);
    return pass(asked, answer, alter.get(pathname.slice("/site/".length)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  const at = (name) => `http://${name}:${port}/`;
  const query = (links) => new URLSearchParams(links.map((link) => ["link", link]));
  return {
    alter,
    asked: wishes,
    site: `${at("127.0.0.1")}site/`,
    origins: [at("127.0.0.1"), at("localhost")],
    own: (links = TEN) => `${at("127.0.0.1")}article?${query(links)}`,
    other: (links = TEN) => `${at("localhost")}article?${query(links)}`,
    serve(html) {
      const path = `/page-${pages.size}`;
      pages.set(path, html);
      return at("localhost") + path.slice(1);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

/** The same for all tests of a file, from before the first until after the last: what is returned is filled then. */
export function hosted() {
  const pages = {};
  before(async () => Object.assign(pages, await host()));
  after(() => pages.close());
  return pages;
}

/** Passes a request on to the site, as it is, or with what is done to its text. */
function pass(asked, answer, change) {
  const target = new URL(asked.url.slice("/site/".length), SITE);
  const headers = { ...asked.headers, host: target.host, ...(change && { "accept-encoding": "identity" }) };
  const onward = request(target, { method: asked.method, headers }, (given) => {
    if (!change) {
      answer.writeHead(given.statusCode, given.headers);
      given.pipe(answer);
      return;
    }
    let text = "";
    given.setEncoding("utf8").on("data", (more) => (text += more));
    given.on("end", () => {
      const { "content-length": _, ...rest } = given.headers;
      answer.writeHead(given.statusCode, rest).end(change(text));
    });
  });
  onward.on("error", (error) => answer.headersSent || answer.writeHead(502).end(String(error)));
  answer.on("close", () => onward.destroy());
  asked.pipe(onward);
}

/**
 * Runs in the page: goes to each figure as a reader does, waits until it is drawn, and comes back with what is known of
 * them. The contents' height is known where the page is of the site's origin.
 */
export async function read() {
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const found = [];
  for (const [i, figure] of [...document.querySelectorAll("placewise-figure")].entries()) {
    figure.scrollIntoView({ block: "start", behavior: "instant" });
    const mine = (type) => heard.filter(({ place, data }) => place === i && data?.placewise === 1 && data.type === type);
    const begin = performance.now();
    while (!(mine("height").length && mine("ready").length)) {
      if (performance.now() - begin > 40_000) throw new Error(`figure ${i} says nothing`);
      await sleep(20);
    }
    await sleep(500);
    const frame = figure.shadowRoot.querySelector("iframe");
    const heights = mine("height");
    found.push({
      link: figure.link,
      title: frame.title,
      heights: heights.map(({ data }) => data.height),
      // From the first height that was told to the last.
      settled: heights.at(-1).at - heights[0].at,
      height: frame.getBoundingClientRect().height,
      inside: frame.contentDocument?.getElementById("main").getBoundingClientRect().height ?? null,
      scheme: getComputedStyle(frame).colorScheme,
      seen: getComputedStyle(frame).opacity,
      border: getComputedStyle(frame).borderTopWidth,
    });
  }
  return found;
}

/** A page that says, to figures and to the page around it, what these say to each other alone, and tells what it hears. */
export const STRANGER = `<!doctype html><title>bad</title><link rel="icon" href="data:,"><script>
  const figures = [parent[0]];
  // A frame of the page's origin reaches the element's own, too.
  try { figures.push(parent.frames10()[0].contentWindow); } catch {}
  for (const figure of figures) for (const type of ["hello", "set", "theme"]) figure.postMessage({ placewise: 1, type, link: "#/embed?figures=heatmap", theme: "dark" }, "*");
  for (const type of ["height", "ready", "change"]) parent.postMessage({ placewise: 1, type, height: 77, title: "Mine", link: "#/embed?figures=heatmap" }, "*");
  addEventListener("message", ({ data }) => data?.placewise && parent.postMessage({ stolen: data }, "*"));
  parent.postMessage("done", "*");
</script>`;

/**
 * Runs in the page: says nonsense to its first figure and to itself, puts a frame of the site beside it, which is in the
 * page's own tree so that anybody can speak to it, and strangers, and comes back with what became of the figure.
 */
export async function attack({ plain, strangers }) {
  const junk = [
    null,
    7,
    "{",
    "[object Object]",
    {},
    [],
    { placewise: 1 },
    { placewise: 1, type: "set" },
    { placewise: 1, type: "set", link: 7 },
    { placewise: 1, type: "set", link: { toString: 1 } },
    { placewise: 1, type: "theme", theme: "<img>" },
    { placewise: 1, type: "height", height: "<img>" },
    { placewise: 1, type: "height", height: -4 },
    { placewise: 1, type: "height", height: Number.POSITIVE_INFINITY },
    { placewise: 1, type: "height", height: Number.NaN },
    { placewise: 1, type: "change", link: "javascript:alert(1)" },
    { placewise: 1, type: "change", link: ["#/embed"] },
    { placewise: 2, type: "set", link: "#/embed?figures=heatmap" },
    { placewise: 1, type: "__proto__", link: "#/embed" },
    JSON.stringify({ placewise: 1, type: "set", link: "#/embed?figures=heatmap" }),
  ];
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const frame = frames10()[0];
  for (const data of junk) frame.contentWindow.postMessage(data, "*");
  frame.contentWindow.postMessage({ placewise: 1, type: "set", link: `#/embed?figures=heatmap&text=${"a".repeat(1e6)}` }, "*");
  const beside = async (src, title, done) => {
    const frame = Object.assign(document.createElement("iframe"), { src, title });
    const told = new Promise((resolve) => {
      addEventListener("message", ({ source, data }) => source === frame.contentWindow && done(data) && resolve());
    });
    document.body.append(frame);
    await told;
  };
  // It tells its height once it is drawn, whoever listens.
  await beside(plain, "plain", (data) => data?.sentinel === "amp" && data.type === "embed-size");
  for (const address of strangers) await beside(address, "bad", (data) => data === "done");
  for (const data of junk) postMessage(data, "*");
  await sleep(1000);
  const { title } = frame;
  const { height } = frame.getBoundingClientRect();
  return { height, title, link: document.querySelector("placewise-figure").link, changes, stolen: heard.filter(({ data }) => data?.stolen).map(({ data }) => JSON.stringify(data)) };
}
