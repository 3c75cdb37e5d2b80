// Attention between words: the text decides what is there, pointer and keys move the cursor, schemes that read words say where.

import assert from "node:assert/strict";
import { canvas, figure, journey, ready, stage, summary, value } from "./help.mjs";

stage();

const TEXT = encodeURIComponent("the dog chased the cat and then the cat chased the dog");
const BOARD = `#/explore?figures=attention&schemes=rope,alibi&text=${TEXT}&position=8&offset=4`;

journey("shares of attention follow text, keys and pointer", async ({ open }) => {
  const page = await open(BOARD);
  assert.match(await summary(page, "attention"), /“cat” \(8\) gives to “cat” \(4\): [\d.]+ % without positions, [\d.]+ % with RoPE/);
  await canvas(page, "attention").focus();
  await page.keyboard.press("ArrowLeft");
  await ready(page);
  assert.equal(await value(page, "offset"), 5);
  assert.match(await summary(page, "attention"), /“cat” \(8\) gives to “the” \(3\)/);
  await page.keyboard.press("]");
  await ready(page);
  assert.match(await summary(page, "attention"), /ALiBi, head 1/);
  const box = await canvas(page, "attention").boundingBox();
  // The first panel's first cell.
  await page.mouse.click(box.x + 88, box.y + 28);
  await ready(page);
  assert.equal(await value(page, "position"), 0);
  assert.match(await summary(page, "attention"), /“the” \(0\) gives to “the” \(0\): 100 %/);
  await page.locator("#field-text").fill("one two three");
  await page.locator("#field-text").blur();
  await ready(page);
  assert.match(await summary(page, "attention"), /“one” \(0\)/);
});

journey("the table has the shares", async ({ open }) => {
  const page = await open(BOARD);
  await figure(page, "attention").locator(".figure__toggle").click();
  await ready(page);
  const rows = figure(page, "attention").locator("tbody tr");
  assert.equal(await rows.count(), 12);
  assert.match(await rows.nth(0).innerText(), /^0 the\s+1\s+–/);
});

journey("a scheme that reads the words names the figure that shows it", async ({ open }) => {
  const page = await open("#/explore");
  await page.locator("#scheme-0").selectOption("cope");
  await page.waitForFunction(() => location.hash.includes("cope"));
  await ready(page);
  assert.match(await summary(page, "heatmap"), /CoPE reads the words.*“Attention between words”/);
  assert.match(await summary(page, "offset"), /“Attention between words”/);
});
