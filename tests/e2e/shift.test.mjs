// The shift as a matrix: it stays as the position moves, follows the offset, and is not to be had from the sines alone.

import assert from "node:assert/strict";
import { box, canvas, control, figure, followed, journey, number, pixels, readings, ready, stage, summary, table, type, value } from "./help.mjs";

stage();

const BOARD = "#/explore?figures=shift,heatmap&schemes=sinusoidal&position=12&offset=4";
const reading = async (page, start) => (await readings(page, "shift")).find(([label]) => label.startsWith(start))[1];

/** The colours of the matrix alone: the part of the canvas above the vectors. */
const matrix = (page) =>
  canvas(page, "shift").evaluate((canvas) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
    copy.drawImage(canvas, 0, 0);
    return copy.getImageData(60, 40, 200, 120).data.join();
  });

journey("the matrix stays as the position moves, and follows the offset", async ({ open }) => {
  const page = await open(BOARD);
  assert.match(await summary(page, "shift"), /shift by 4 tokens takes PE\(8\) to PE\(12\), off by at most \S+×10⁻¹[⁴⁵⁶⁷]\./);
  const before = [await matrix(page), (await pixels(page, "shift")).hash];
  await canvas(page, "shift").focus();
  await page.keyboard.press("ArrowRight");
  await ready(page);
  assert.equal(await value(page, "position"), 13);
  assert.equal(await matrix(page), before[0], "the same matrix");
  assert.notEqual((await pixels(page, "shift")).hash, before[1], "other vectors");
  assert.ok(number(await reading(page, "Sinusoidal, largest error")) < 1e-14);
  await page.keyboard.press("ArrowUp");
  await ready(page);
  assert.equal(await value(page, "offset"), 5);
  assert.notEqual(await matrix(page), before[0]);
});

journey("pointing at a column is pointing at its plane in all figures", async ({ open }) => {
  const page = await open(BOARD);
  const place = await box(page, "shift");
  await page.mouse.click(place.x + place.width - 3, place.y + 60);
  await ready(page);
  assert.equal(await value(page, "plane"), 15);
  await followed(page, /plane=15\b/);
});

journey("sines alone explain cos² of the shift", async ({ open }) => {
  const page = await open("#/explore?figures=shift&schemes=sinusoidal,rope&position=40&offset=10&plane=0");
  assert.match(await summary(page, "shift"), /RoPE is not the sinusoid/);
  await figure(page, "shift").locator("xpath=following::details[contains(@class, 'board__options')]").first().locator("summary").click();
  await control(page, "shift-part").selectOption("sine");
  await ready(page);
  await followed(page, /shift\.part=sine\b/);
  assert.ok(Math.abs(number(await reading(page, "Sinusoidal, share of plane 0")) - Math.cos(10) ** 2) < 2e-3);
  const { rows } = await table(page, "shift");
  for (const [plane, , explained] of rows) {
    const cos = Math.cos(10 * 10_000 ** (-number(plane) / 16));
    assert.ok(Math.abs(number(explained) - cos ** 2) < 5e-3, `plane ${plane}: ${explained}`);
  }
  await type(page, "offset", "0");
  assert.equal(await reading(page, "Sinusoidal, share of plane 0"), "1");
});
