// What the dialog gives to paste, as mdBook and Hugo put it into a page: tests/snippets/README.md.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { eventually, journey, stage } from "./help.mjs";
import { hosted } from "../lib/host.mjs";

stage();

const pages = hosted();

const origins = () => pages.origins;

/** The site that the snippets name. */
const NAMED = "https://example.org/placewise/";

for (const [name, elements, frames] of [["mdbook", 2, 1], ["hugo", 1, 0]]) {
  const made = readFileSync(new URL(`../snippets/${name}.html`, import.meta.url), "utf8");

  journey(`what ${name} makes of the snippets shows the figure, and leads to it`, { origins }, async ({ context }) => {
    const here = made.replaceAll(NAMED, pages.site).replaceAll("placewise-offset.png", "data:,");
    const page = await context.newPage();
    await page.goto(pages.serve(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>x</title><link rel="icon" href="data:,"></head><body>${here}</body></html>`));
    const shown = async (handle) => {
      await handle.scrollIntoViewIfNeeded();
      const frame = await eventually("its frame", () => handle.contentFrame());
      await frame.locator("[data-figure=offset] canvas").waitFor();
      // The text of the link, with what is special in HTML, came through.
      assert.match(await frame.evaluate(() => location.hash), /^#\/embed\?figures=offset&schemes=rope\(rope_theta=500000\)&text=%22a(%3C|<)/);
      return frame;
    };
    assert.equal(await page.locator("placewise-figure").count(), elements);
    for (let i = 0; i < elements; i += 1) {
      const handle = await page.evaluateHandle(async (i) => {
        await customElements.whenDefined("placewise-figure");
        return document.querySelectorAll("placewise-figure")[i].shadowRoot.querySelector("iframe");
      }, i);
      const frame = await shown(handle);
      const height = () => handle.evaluate((frame) => (frame.style.opacity === "" ? frame.getBoundingClientRect().height : 0));
      await eventually("the frame is as high as what is in it", async () => Math.abs((await height()) - (await frame.evaluate(() => document.getElementById("main").getBoundingClientRect().height))) <= 1);
      assert.equal(await handle.getAttribute("title"), `Score & ${name === "hugo" ? "[offset] 'RoPE'" : '[offset] "RoPE"'}`);
      assert.equal(await frame.evaluate(() => document.documentElement.dataset.theme), "dark");
    }
    const plain = await page.locator("iframe:not(placewise-figure iframe)").elementHandles();
    assert.equal(plain.length, frames);
    for (const handle of plain) await shown(handle);
    const picture = page.locator("a:has(img)");
    assert.equal(await picture.getAttribute("href"), `${pages.site}#/explore?figures=offset&schemes=rope(rope_theta=500000)&text=%22a%3C`);
    assert.equal(await picture.locator("img").getAttribute("alt"), 'Score & (offset) ”RoPE”');
    // Nothing of the snippets is read as text.
    assert.doesNotMatch(await page.evaluate(() => document.body.innerText), /placewise-figure|iframe|script|{{|&amp;/);
  });
}
