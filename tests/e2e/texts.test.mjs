// Lessons and questions as pages to be read without a script.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { parse } from "parse5";
import { SITE, journey, overhang, ready, stage } from "./help.mjs";

stage();

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** All elements of a page. */
function* elements(node) {
  if (node.tagName) yield node;
  for (const child of node.childNodes ?? []) yield* elements(child);
}

const attribute = (element, name) => element.attrs.find((one) => one.name === name)?.value;
const text = (node) => (node.value ?? "") + (node.childNodes ?? []).map(text).join("");

/** A page, read by the rules of HTML, which it must keep. */
async function read(path) {
  const response = await fetch(SITE + path);
  assert.equal(response.status, 200, path);
  const mistakes = [];
  const page = parse(await response.text(), {
    onParseError: (mistake) => mistakes.push(`${path}:${mistake.startLine}: ${mistake.code}`),
    sourceCodeLocationInfo: true,
  });
  assert.deepEqual(mistakes, []);
  return [...elements(page)];
}

/** The folder of each page: what the list of them leads to, and the list itself. */
async function folders() {
  const found = new Set(["learn/", "learn/questions/"]);
  for (const element of await read("learn/")) {
    const address = element.tagName === "a" ? new URL(attribute(element, "href"), `${SITE}learn/`) : undefined;
    if (address?.hash === "" && address.href.startsWith(`${SITE}learn/`)) found.add(address.href.slice(SITE.length));
  }
  return [...found];
}

test("each page is sound HTML with a title, a description and a picture; its links lead somewhere", async () => {
  const all = await folders();
  assert.ok(all.length >= 2 + 7 + 19, `${all.length} pages`);
  const titles = new Set();
  const known = new Map();
  for (const folder of all) {
    const page = await read(folder);
    const one = (name, where = () => true) => {
      const found = page.filter((element) => element.tagName === name && where(element));
      assert.equal(found.length, 1, `${folder}: ${name}`);
      return found[0];
    };
    const meta = (name) => attribute(one("meta", (element) => [attribute(element, "name"), attribute(element, "property")].includes(name)), "content");
    assert.equal(attribute(one("html"), "lang"), "en");
    const title = text(one("title"));
    assert.ok(title.length > 15 && !titles.has(title), `${folder}: ${title}`);
    titles.add(title);
    assert.ok(title.startsWith(text(one("h1"))), folder);
    assert.ok(meta("description").length >= 25, `${folder}: ${meta("description")}`);
    assert.equal(meta("og:description"), meta("description"));
    assert.equal(meta("twitter:card"), "summary_large_image");
    assert.equal(page.filter((element) => element.tagName === "script").length, 0, `${folder} needs no script`);
    const canonical = attribute(one("link", (element) => attribute(element, "rel") === "canonical"), "href");
    assert.ok(new URL(canonical, SITE + folder).pathname.endsWith(folder), `${folder}: ${canonical}`);
    const picture = new URL(meta("og:image"), SITE + folder).pathname;
    const levels = page.filter((element) => /^h[1-6]$/.test(element.tagName)).map((element) => Number(element.tagName[1]));
    levels.forEach((level, i) => assert.ok(level <= (levels[i - 1] ?? 0) + 1, `${folder}: a heading skips a level`));
    const ids = page.map((element) => attribute(element, "id")).filter(Boolean);
    assert.equal(new Set(ids).size, ids.length, `${folder}: an id stands twice`);

    const files = page.flatMap((element) => [attribute(element, "src"), element.tagName === "link" && attribute(element, "rel") !== "canonical" && attribute(element, "href")]);
    for (const file of [...files, picture].filter(Boolean)) {
      const address = new URL(file, SITE + folder);
      assert.equal(address.origin, new URL(SITE).origin, `${folder}: ${file} is fetched from elsewhere`);
      if (!known.has(address.href)) known.set(address.href, (await fetch(address)).status);
      assert.equal(known.get(address.href), 200, `${folder}: ${file}`);
    }
    for (const link of page.filter((element) => element.tagName === "a")) {
      const address = new URL(attribute(link, "href"), SITE + folder);
      if (address.origin !== new URL(SITE).origin) continue;
      if (address.hash && !address.hash.startsWith("#/")) {
        assert.ok(ids.includes(decodeURIComponent(address.hash.slice(1))), `${folder}: ${address.hash}`);
        continue;
      }
      const path = address.href.replace(/#.*/, "");
      if (!known.has(path)) known.set(path, (await fetch(path)).status);
      assert.equal(known.get(path), 200, `${folder}: ${attribute(link, "href")}`);
    }
  }
});

journey("without a script they are read, and what they ask is answered", { javaScriptEnabled: false, viewport: { width: 320, height: 640 } }, async ({ context }) => {
  const page = await context.newPage();
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  for (const folder of ["learn/order/", "learn/myths/"]) {
    await page.goto(SITE + folder);
    assert.ok(await page.getByRole("heading", { level: 1 }).isVisible());
    const answer = page.locator("details").first();
    await answer.locator("summary").click();
    assert.ok((await answer.innerText()).length > (await answer.locator("summary").innerText()).length, folder);
  }
  for (const url of asked) assert.ok(url.startsWith(SITE), url);
});

journey("they open live, have no violations and fit a narrow screen", { viewport: { width: 320, height: 640 }, timeout: 120_000 }, async ({ context }) => {
  const page = await context.newPage();
  const failures = [];
  for (const folder of await folders()) {
    await page.goto(SITE + folder);
    await page.evaluate(AXE);
    const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
    for (const { id, help, nodes } of found.violations) failures.push(`${folder}: ${id}, ${help}: ${nodes[0].target} ${nodes[0].html.slice(0, 200)}`);
    if ((await overhang(page)) > 0) failures.push(`${folder} can be scrolled sideways`);
  }
  assert.deepEqual(failures, []);
  await page.goto(`${SITE}learn/questions/03-why-10000/`);
  await page.getByRole("link", { name: "Open this page live" }).click();
  await ready(page);
  assert.match(page.url(), /\/#\/learn\/questions\/03$/);
  assert.ok(await page.locator("[data-figure=offset]").isVisible());
});
