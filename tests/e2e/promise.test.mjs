// No tracking: every page and every figure asks for the site's own files, and nothing stays behind but what is said to.

import assert from "node:assert/strict";
import { SITE, journey, ready, stage, visit } from "./help.mjs";

stage();

journey("whoever walks through every page is followed by nobody", { timeout: 300_000 }, async ({ open, context }) => {
  const asked = new Set();
  const sent = [];
  context.on("request", (request) => {
    asked.add(request.url());
    if (request.method() !== "GET" || request.postData()) sent.push(`${request.method()} ${request.url()}`);
  });
  const page = await open();
  await page.evaluate(() => {
    // What would tell somebody without a request that is seen here.
    navigator.sendBeacon = (address) => void (globalThis.beacons ??= []).push(address);
  });
  // Every page that a link leads to, each once: a page is what stands before the question mark.
  const seen = new Set();
  const waiting = ["#/"];
  while (waiting.length) {
    const link = waiting.shift();
    await visit(page, link);
    const links = await page.locator("a[href]").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
    for (const next of links.filter((next) => next.startsWith("#/"))) {
      const name = next.split("?")[0];
      if (!seen.has(name)) waiting.push(next);
      seen.add(name);
    }
  }
  for (const name of ["#/explore", "#/about", "#/learn/questions"]) assert.ok(seen.has(name), `${name} among ${[...seen].join(" ")}`);
  // Every figure, with what it asks for.
  await visit(page, "#/explore");
  const figures = await page.locator(".figures input[id^=figure-]").evaluateAll((all) => all.map(({ id }) => id.slice("figure-".length)));
  assert.ok(figures.length > 10, figures.join(" "));
  for (const figure of figures) await visit(page, `#/explore?figures=${figure}&schemes=rope,learned,alibi,sincos2d`);
  await visit(page, "#/embed?figures=offset");

  const elsewhere = [...asked].filter((address) => !address.startsWith(SITE) && !/^(blob|data):/.test(address));
  assert.deepEqual(elsewhere, []);
  assert.deepEqual(sent, [], "nothing is sent");
  assert.ok([...asked].every((address) => !address.includes("?")), "no address carries anything");
  assert.equal(await page.evaluate(() => globalThis.beacons), undefined);
  assert.deepEqual(await context.cookies(), []);
  const stored = await page.evaluate(async () => [...Object.keys(localStorage), ...Object.keys(sessionStorage), ...(await indexedDB.databases()).map(({ name }) => name)]);
  assert.deepEqual(stored.filter((name) => name !== "placewise.theme"), []);
  await visit(page, "#/about");
  assert.match(await page.locator(".about").innerText(), /No one is tracked/);
  await ready(page);
});
