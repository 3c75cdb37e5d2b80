// Word + position: the factor √d keeps the word, pointer and keys move the cursor, the table has the numbers.

import assert from "node:assert/strict";
import { canvas, figure, journey, ready, stage, value } from "./help.mjs";

stage();

const BOARD = "#/explore?figures=embedding&schemes=sinusoidal(d_model=512)&position=12";
const summary = (page) => figure(page, "embedding").locator(".figure__summary").innerText();
const cosine = async (page) => Number(/a cosine of ([\d.−-]+) with the word/.exec(await summary(page))[1]);

journey("without √d the position drowns the word", async ({ open }) => {
  const scaled = await cosine(await open(BOARD));
  assert.ok(Math.abs(scaled - 0.82) < 0.06, `${scaled}`);
  const page = await open(`${BOARD}&embedding.scale=none`);
  const plain = await cosine(page);
  assert.ok(plain < 0.2, `${plain}`);
});

journey("keys move position and plane, and the word follows", async ({ open }) => {
  const page = await open(BOARD);
  assert.match(await summary(page), /position 12 \(“on”\)/);
  await canvas(page, "embedding").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await ready(page);
  assert.deepEqual([await value(page, "position"), await value(page, "plane")], [13, 3]);
  assert.match(await summary(page), /position 13 \(“the”\)/);
  const box = await canvas(page, "embedding").boundingBox();
  await page.mouse.click(box.x + box.width - 8, box.y + 40);
  await ready(page);
  assert.ok((await value(page, "plane")) > 250);
});

journey("side by side the input is twice as wide", async ({ open }) => {
  const page = await open("#/explore?figures=embedding&embedding.combine=concatenate");
  await figure(page, "embedding").locator(".figure__toggle").click();
  await ready(page);
  assert.equal(await figure(page, "embedding").locator("tbody tr").count(), 64);
});
