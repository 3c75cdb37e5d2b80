// The site as files: what it may do, and that it works anywhere.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { SITE, address, control, figure, journey, ready, stage, summary } from "./help.mjs";

stage();

const CSP =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; style-src-attr 'unsafe-inline'; frame-src 'self'; connect-src 'self'; img-src 'self' data: blob:; worker-src 'self' blob:; base-uri 'none'; form-action 'none'";

test("the page allows its own files and nothing else", async () => {
  const page = await (await fetch(SITE)).text();
  assert.equal(/http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)[1], CSP);
  assert.doesNotMatch(page, /<script(?![^>]*\bsrc=)/, "no script in the page itself");
  assert.doesNotMatch(page, /<style|\sstyle=|\son\w+=/);
  assert.doesNotMatch(page, /(?:href|src)="(?:https?:)?\/\//, "nothing from elsewhere");
  assert.doesNotMatch(page, /(?:href|src)="\//, "no address from the root: it works under any path");
  assert.match(page, /<title>[^<]{10,}<\/title>/);
  assert.match(page, /<meta name="description" content="[^"]{50,}"/);
});

test("what is not there is not found", async () => {
  assert.equal((await fetch(`${SITE}nothing`)).status, 404);
  assert.ok((await fetch(`${SITE}..%2f..%2fCargo.toml`)).status >= 400);
});

journey("the policy holds: what it forbids is refused", { trouble: true }, async ({ open }) => {
  const page = await open();
  const refused = await page.evaluate(async () => {
    const violations = [];
    document.addEventListener("securitypolicyviolation", (event) => violations.push(event.effectiveDirective));
    const script = document.createElement("script");
    script.textContent = "globalThis.ran = true";
    document.body.append(script);
    const style = document.createElement("style");
    style.textContent = "body { color: red }";
    document.head.append(style);
    await fetch("https://elsewhere.invalid/").catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { violations, ran: globalThis.ran };
  });
  assert.equal(refused.ran, undefined);
  for (const directive of ["script-src-elem", "style-src-elem", "connect-src"]) {
    assert.ok(refused.violations.includes(directive), `${directive}: ${refused.violations}`);
  }
});

// The site under a path, from a server that knows no more than to hand out files.
let server;
let deep;

before(async () => {
  const path = "/some/path/";
  server = createServer(async (request, response) => {
    if (request.url === "/host.html") {
      response.writeHead(200, { "Content-Type": "text/html" });
      return response.end(`<link rel="icon" href="data:,"><iframe width="800" height="900" src="${SITE}#/embed?figures=heatmap"></iframe>`);
    }
    const own = request.url.startsWith(path);
    const answer = own ? await fetch(SITE + request.url.slice(path.length)).catch(() => null) : null;
    if (!answer?.ok) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": answer.headers.get("content-type") });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  deep = `http://127.0.0.1:${server.address().port}${path}`;
});
after(() => server.close());

journey("under a path of any depth, from any static host", { origins: () => [deep] }, async ({ context }) => {
  const elsewhere = [];
  context.on("request", (request) => !request.url().startsWith(deep) && elsewhere.push(request.url()));
  const page = await context.newPage();
  await page.goto(`${deep}#/explore?figures=offset&schemes=rope(head_dim=64)&length=1000000&offset.vectors=independent&offset.draws=64`);
  await ready(page, { timeout: 100_000 });
  assert.match(await summary(page, "offset"), /mean of 64 draws/, "the worker's files are found");
  await control(page, "length").focus();
  await page.keyboard.press("Home");
  await ready(page);
  await page.waitForTimeout(700);
  assert.ok(page.url().startsWith(`${deep}#/explore`));
  assert.match(await address(page), /length=1/);
  await page.goto(`${deep}index.html#/embed`);
  await ready(page);
  assert.equal(await figure(page, "heatmap").count(), 1);
  assert.deepEqual(elsewhere.filter((url) => !url.startsWith("data:") && !url.startsWith("blob:")), []);
});

journey("an embed in the frame of a page of another origin", { origins: () => [deep] }, async ({ context }) => {
  const page = await context.newPage();
  await page.goto(new URL("/host.html", deep).href);
  const frame = page.frameLocator("iframe");
  await frame.locator(".reading").first().waitFor();
  assert.ok((await frame.locator(".figure__summary").innerText()).length > 20);
  await frame.locator("canvas").press("ArrowDown");
  await frame.getByText(/at position 13/).first().waitFor();
});
