// Pairs of dimensions: both layouts give one score, and code that mixes them keeps neither lengths nor scores.

import assert from "node:assert/strict";
import { box, canvas, control, figure, followed, journey, number, pixels, readings, ready, stage, summary, table, value } from "./help.mjs";

stage();

const BOARD = "#/explore?figures=layout,rotation&schemes=rope(head_dim=32)&position=12&offset=4&plane=3";
const reading = async (page, start) => (await readings(page, "layout")).find(([label]) => label.startsWith(start))[1];

const options = (page) =>
  figure(page, "layout").locator("xpath=following::details[contains(@class, 'board__options')]").first().locator("summary");

journey("both layouts give the same score, wherever the pair stands", async ({ open }) => {
  const page = await open(BOARD);
  assert.match(await summary(page, "layout"), /once the dimensions are permuted.* differ by (0|\S+×10⁻¹[4-9⁴-⁹])\./);
  const score = await reading(page, "RoPE, score, half-split");
  assert.equal(await reading(page, "RoPE, score, interleaved after the permutation"), score);
  assert.ok(number(await reading(page, "RoPE, difference")) < 1e-14);
  const before = (await pixels(page, "layout")).hash;
  await canvas(page, "layout").focus();
  await page.keyboard.press("ArrowRight");
  await ready(page);
  assert.equal(await value(page, "position"), 13);
  assert.equal(await reading(page, "RoPE, score, half-split"), score, "the offset is the same");
  await page.keyboard.press("]");
  await ready(page);
  await followed(page, /plane=4\b/);
  assert.notEqual((await pixels(page, "layout")).hash, before);
});

journey("pointing at a dimension is pointing at its plane in all figures", async ({ open }) => {
  const page = await open(BOARD);
  const place = await box(page, "layout");
  // Half-split: the second half begins in the middle; the sixth dimension of it is of plane 5.
  const x = place.x + 10 + ((21 + 0.5) / 32) * (place.width - 20);
  await page.mouse.click(x, place.y + 20 + 44 + 8);
  await ready(page);
  assert.equal(await value(page, "plane"), 5);
  await followed(page, /plane=5\b/);
});

journey("mixed code fails the norm and the shift, with numbers", async ({ open }) => {
  const page = await open(BOARD);
  await options(page).click();
  await control(page, "layout-show").selectOption("mixed-join");
  await ready(page);
  await followed(page, /layout\.show=mixed-join\b/);
  assert.match(await summary(page, "layout"), /this is no rotation/);
  const ratio = number(await reading(page, "RoPE, length after by length before"));
  assert.ok(Math.abs(ratio - 1) > 0.01, `${ratio}`);
  const score = number(await reading(page, "RoPE, score by this code"));
  assert.ok(Math.abs(score - number(await reading(page, "RoPE, the same with both shifted by 100"))) > 0.01);
  // cat(-x[1::2], x[::2]): output 1 has the sine of input 3.
  const { rows } = await table(page, "layout");
  assert.deepEqual(rows[1].slice(1, 4), ["1", "3", "1"]);
  assert.deepEqual(rows[17].slice(1, 4), ["17", "2", "1"]);
});

journey("weights that were not permuted pass every test but the comparison", async ({ open }) => {
  const page = await open(BOARD.replace("&plane=3", "&layout.show=unpermuted"));
  assert.equal(number(await reading(page, "RoPE, length after by length before")), 1);
  const score = await reading(page, "RoPE, score by this code");
  assert.equal(await reading(page, "RoPE, the same with both shifted by 100"), score);
  assert.notEqual(await reading(page, "RoPE, score, half-split"), score);
});
