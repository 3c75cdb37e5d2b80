// The site once more, for a browser whose driver tells nothing of a page's trouble: pages begin with a script that listens.

import { createServer, request } from "node:http";
import { SITE } from "../../e2e/help.mjs";

const LISTENER = "/trouble.js";

/** Runs in the page before everything else. */
function listen() {
  const trouble = (globalThis.placewiseTrouble = []);
  for (const kind of ["error", "warn", "assert"]) {
    const say = console[kind];
    console[kind] = (...told) => {
      if (kind !== "assert" || !told[0]) trouble.push(`console ${kind}: ${told.join(" ")}`);
      say.apply(console, told);
    };
  }
  // Captured: a file that cannot be loaded is told to its element only.
  addEventListener("error", ({ message, target }) => trouble.push(`uncaught: ${message ?? target.src ?? target.href}`), true);
  addEventListener("unhandledrejection", ({ reason }) => trouble.push(`unhandled: ${reason}`));
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => trouble.push(`forbidden by ${violatedDirective}: ${blockedURI}`));
}

/** Starts it: `address` in place of the site's, and `frame(link, size)`, a page with a frame of that size and the link in it. */
export async function relay() {
  const server = createServer((asked, answer) => {
    const { pathname, searchParams } = new URL(asked.url, SITE);
    const write = (type, body) => answer.writeHead(200, { "Content-Type": `${type}; charset=utf-8` }).end(body);
    if (pathname === LISTENER) return write("text/javascript", `(${listen})();`);
    if (pathname === "/frame.html") {
      const [width, height, link] = ["width", "height", "link"].map((name) => searchParams.get(name));
      return write("text/html", `<!doctype html><iframe style="border: 0; width: ${width}px; height: ${height}px" src="./${link.replaceAll('"', "&quot;")}"></iframe>`);
    }
    return pass(asked, answer);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${server.address().port}/`;
  return {
    address,
    frame: (link, { width, height }) => `${address}frame.html?${new URLSearchParams({ width, height, link })}`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

/** Passes a request on to the site. The answer comes unpacked, so that a page's text can be added to. */
function pass(asked, answer) {
  const { "accept-encoding": _, ...headers } = asked.headers;
  const target = new URL(asked.url.slice(1), SITE);
  const onward = request(target, { method: asked.method, headers: { ...headers, host: target.host } }, (given) => {
    if (!given.headers["content-type"]?.startsWith("text/html")) {
      answer.writeHead(given.statusCode, given.headers);
      given.pipe(answer);
      return;
    }
    let page = "";
    given.setEncoding("utf8").on("data", (text) => (page += text));
    given.on("end", () => {
      const { "content-length": _, ...rest } = given.headers;
      answer.writeHead(given.statusCode, rest);
      answer.end(page.replace("<head>", `<head><script src="${LISTENER}"></script>`));
    });
  });
  onward.on("error", (error) => answer.headersSent || answer.writeHead(502).end(String(error)));
  // A browser that ended in the middle of a file would leave the rest waiting, and this program with it.
  answer.on("close", () => onward.destroy());
  asked.pipe(onward);
}
