import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { eventually, ready } from "../e2e/help.mjs";
import { single } from "../lib/single.mjs";
import { launch } from "./lib/firefox.mjs";
import { journeys } from "./lib/journeys.mjs";

journeys(launch);

const file = await single();
let browser;
before(async () => {
  if (file) browser = await launch();
});
after(async () => {
  await browser?.close();
  file?.remove();
});

// What Chromium does with it is tried in tests/e2e.
if (file) {
  test("the edition of one file, from a disk: figures, words, the lab", { timeout: 240_000 }, async () => {
    const page = await browser.open(`${file.address}#/explore?figures=offset,bias&schemes=rope(head_dim=64),alibi&length=200&offset.vectors=independent&offset.draws=4`, { width: 1280, height: 800 });
    await ready(page);
    await eventually("the lab's answer", () => page.evaluate(() => /mean of 4 draws/.test(document.querySelector("[data-figure=offset] .figure__summary").textContent)), 60_000);
    assert.ok((await page.evaluate(() => document.querySelectorAll(".explore__about math").length)) > 0);
    assert.equal(await page.evaluate(() => document.querySelectorAll("canvas").length), 2);
    assert.deepEqual(page.problems(), []);
    await page.close();
  });
}
