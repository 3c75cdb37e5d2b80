// The site without a network, and a new version of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { host, hosted } from "../lib/host.mjs";
import { canvas, control, development, eventually, journey, ready, stage } from "./help.mjs";

const dev = await development();
if (!dev) stage();
const pages = dev ? {} : hosted();

const options = { origins: () => pages.origins, serviceWorkers: "allow", timeout: 180_000 };
const kept = (name, more, act) =>
  dev ? test(name, { skip: "NOT TESTED: a development build is not kept for when there is no network" }) : journey(name, { ...options, ...more }, act);

/** Opens the site and waits until it is kept. */
async function keep(context) {
  const page = await context.newPage();
  await page.goto(pages.site);
  await ready(page);
  await eventually("the site is kept", () => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state === "activated"), 60_000);
  return page;
}

kept("the second visit needs no network, for whatever is asked for", { trouble: true }, async ({ context, problems }) => {
  await (await keep(context)).close();
  // Everything that the site is asked for now fails.
  await pages.close();
  const page = await context.newPage();
  await page.goto(pages.site);
  await ready(page);
  assert.ok(await canvas(page, "heatmap").isVisible());
  // The whole app, with words, tables, a worker, lessons.
  await page.goto(`${pages.site}#/explore?figures=offset&schemes=rope(head_dim=64),learned&length=200&offset.vectors=independent&offset.draws=4`);
  await page.reload();
  await ready(page);
  await page.getByText(/mean of 4 draws/).first().waitFor();
  await page.goto(`${pages.site}?utm_source=x#/about`);
  // The text that stands there before the app comes has a heading, too.
  await page.getByText("No one is tracked").waitFor();
  assert.deepEqual(problems.filter((problem) => /uncaught|crashed|off the origin/.test(problem)), []);
  Object.assign(pages, await host());
});

kept("a new version is offered, and not forced; frames of other pages have it at once", {}, async ({ context }) => {
  const page = await keep(context);
  pages.alter.set("sw.js", (text) => text.replace(/VERSION = "\w+"/, 'VERSION = "another"'));
  pages.alter.set("", (text) => text.replace("<head>", '<head><meta name="version" content="another">'));
  const isNew = (frame) => frame.evaluate(() => document.querySelector("meta[name=version]") !== null);
  await page.goto(`${pages.site}#/explore?figures=offset&schemes=rope&length=99`);
  await page.reload();
  await ready(page);
  assert.equal(await isNew(page), false, "the page is the one that was kept");
  const notice = page.locator(".offline");
  await notice.waitFor({ timeout: 60_000 });
  assert.match(await notice.innerText(), /new version/);
  assert.equal(await isNew(page), false, "nothing is done before it is asked for");
  // An article of the same origin.
  const article = await context.newPage();
  await article.goto(pages.own(["#/embed?figures=offset"]));
  const handle = await article.waitForFunction(() => frames10()[0]?.src && frames10()[0]);
  const frame = await handle.asElement().contentFrame();
  await frame.locator("canvas").waitFor();
  assert.equal(await isNew(frame), true);
  await article.close();
  await notice.getByRole("button").first().click();
  await eventually("the new version is there", () => isNew(page).catch(() => false), 30_000);
  await ready(page);
  assert.equal(await control(page, "length").evaluate((field) => field.ariaValueText), "99", "and what was set");
  assert.deepEqual(await page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith("placewise"))), ["placewise another"], "the old one is gone");
});
