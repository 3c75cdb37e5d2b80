// An image's patches: pointer and keys choose one, the grid follows the length, and the sequence the image.

import assert from "node:assert/strict";
import { canvas, figure, journey, ready, stage, value } from "./help.mjs";

stage();

const BOARD = "#/explore?figures=patches&schemes=sincos2d,rope2d&length=196&position=90&offset=14";
const summary = (page) => figure(page, "patches").locator(".figure__summary").innerText();

/** The middle of a patch of the first panel: 14 rows and columns, or those given. */
async function place(page, row, column, columns = 14) {
  const own = canvas(page, "patches");
  const box = await own.boundingBox();
  // The image and two panels share the width, and cells are whole pixels.
  const cell = Math.floor((box.width - 30 - 2 * 18 - 4) / 3 / columns);
  return [box.x + 30 + (column + 0.5) * cell, box.y + 42 + (row + 0.5) * cell];
}

journey("a press chooses a patch, and the pointer compares it with another", async ({ open }) => {
  const page = await open(BOARD);
  assert.match(await summary(page), /2-D sinusoidal: the patch in row 6, column 6 with that in row 5, column 6/);
  await page.mouse.click(...(await place(page, 3, 10)));
  await ready(page);
  assert.equal(await value(page, "position"), 3 * 14 + 10);
  await page.mouse.move(...(await place(page, 8, 2)));
  await ready(page);
  assert.match(await summary(page), /row 3, column 10 with that in row 8, column 2/);
});

journey("arrows go by rows and columns", async ({ open }) => {
  const page = await open(BOARD);
  await canvas(page, "patches").focus();
  const steps = [["ArrowDown", 104], ["ArrowRight", 105], ["ArrowUp", 91], ["End", 195], ["ArrowRight", 195], ["Home", 0]];
  for (const [key, position] of steps) {
    await page.keyboard.press(key);
    await ready(page);
    assert.equal(await value(page, "position"), position, key);
  }
  await page.keyboard.press("Shift+ArrowDown");
  await ready(page);
  assert.equal(await value(page, "position"), 0);
  assert.equal(await value(page, "offset"), -14);
});

journey("to choose a patch past the end makes the sequence as long as the image", async ({ open }) => {
  const page = await open("#/explore?figures=patches&schemes=learned2d,rope-mixed&patches.rows=10&patches.cols=10");
  await page.mouse.click(...(await place(page, 9, 9, 10)));
  await ready(page);
  assert.equal(await value(page, "length"), 100);
  assert.equal(await value(page, "position"), 99);
  await page.keyboard.press("Control+z");
  await ready(page);
  assert.equal(await value(page, "length"), 64);
});

journey("a figure of words in a row names the one of patches", async ({ open }) => {
  const page = await open("#/explore?figures=heatmap&schemes=rope2d,sinusoidal");
  // The words of that sentence may come after the first drawing.
  const said = figure(page, "heatmap").locator(".figure__summary");
  await said.filter({ hasText: /2-D RoPE places the patches of an image.*“Patches of an image”/ }).waitFor();
});
