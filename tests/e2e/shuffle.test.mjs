// Words in another order: drag, press and keys reorder them, the link keeps the order, the verdict follows.

import assert from "node:assert/strict";
import { canvas, figure, followed, journey, ready, stage, summary } from "./help.mjs";

stage();

const BOARD = "#/explore?figures=shuffle&schemes=none,rope";

journey("without positions outputs only move; with them they change", async ({ open }) => {
  const page = await open(`${BOARD}&shuffle.order=4:1:2:0:3`);
  const said = await summary(page, "shuffle");
  assert.match(said, /No positions: without a mask outputs only move .*with a causal mask outputs change/);
  assert.match(said, /The two rows of “the”, at [0-4] and [0-4], are the same to the last bit: No positions/);
  assert.doesNotMatch(said, /the other way round/);
  assert.match(said, /RoPE: without a mask outputs change/);
  await figure(page, "shuffle").locator(".figure__toggle").click();
  await ready(page);
  const rows = figure(page, "shuffle").locator("tbody tr");
  assert.match(await rows.nth(0).innerText(), /^No positions, no mask\s+yes/);
  assert.match(await rows.nth(1).innerText(), /^No positions, causal mask\s+no/);
});

journey("drag, button and keys reorder", async ({ open }) => {
  const page = await open(BOARD);
  const box = await canvas(page, "shuffle").boundingBox();
  const width = Math.min(130, box.width / 5);
  await page.mouse.move(box.x + width / 2, box.y + 75);
  await page.mouse.down();
  await page.mouse.move(box.x + 1.5 * width, box.y + 75, { steps: 4 });
  await page.mouse.move(box.x + 2.5 * width, box.y + 75, { steps: 4 });
  await page.mouse.up();
  await followed(page, /shuffle\.order=1:2:0:3:4(&|$)/);
  await page.keyboard.press("Control+z");
  await followed(page, /^(?!.*order)/);
  await canvas(page, "shuffle").focus();
  await page.keyboard.press("s");
  const order = /shuffle\.order=([\d:]+)/.exec(await followed(page, /order/))?.[1];
  assert.equal(order?.split(":").toSorted().join(), "0,1,2,3,4");
  await page.keyboard.press("0");
  await followed(page, /^(?!.*order)/);
  await page.mouse.click(box.x + 20, box.y + 120);
  await followed(page, new RegExp(`shuffle\\.order=${order}(&|$)`));
});

journey("an order that is none is mended, and said", async ({ open }) => {
  const page = await open(`${BOARD}&shuffle.order=4:4:0`);
  assert.match(await page.locator("div.notices").first().innerText(), /4:0:1:2:3/);
});
