// Wavelengths of the planes: the length moves what follows it, pointer and keys choose a plane, the table has the numbers.

import assert from "node:assert/strict";
import { canvas, figure, journey, ready, stage, type, value } from "./help.mjs";

stage();

const BOARD = "#/explore?figures=spectrum,rotation&schemes=rope(rope_type=dynamic,factor=2),rope&length=4096&plane=40";
const summary = (page) => figure(page, "spectrum").locator(".figure__summary").innerText();

journey("a length past the trained one slows the planes of dynamic NTK", async ({ open }) => {
  const page = await open(BOARD);
  assert.match(await summary(page), /46 of 64 planes complete a turn within 4096 tokens/);
  assert.doesNotMatch(await summary(page), /slower/);
  await type(page, "length", "32768");
  await ready(page);
  assert.match(await summary(page), /RoPE \(dynamic[^:]*: plane 40 takes [^.]*, [\d.]+ times slower/);
});

journey("pointer and keys choose the plane of all figures", async ({ open }) => {
  const page = await open(BOARD);
  const own = canvas(page, "spectrum");
  await own.focus();
  await page.keyboard.press("ArrowRight");
  await ready(page);
  assert.equal(await value(page, "plane"), 41);
  await page.keyboard.press("Home");
  await ready(page);
  assert.equal(await value(page, "plane"), 0);
  const box = await own.boundingBox();
  await page.mouse.click(box.x + box.width - 15, box.y + 60);
  await ready(page);
  assert.equal(await value(page, "plane"), 63);
  assert.match(await figure(page, "rotation").locator(".figure__summary").innerText(), /plane 63/);
});

journey("the table lists the planes", async ({ open }) => {
  const page = await open("#/explore?figures=spectrum&schemes=rope(rope_type=linear,factor=8)&spectrum.show=divisor");
  await figure(page, "spectrum").locator(".figure__toggle").click();
  await ready(page);
  const rows = figure(page, "spectrum").locator("tbody tr");
  assert.equal(await rows.count(), 64);
  assert.match(await rows.nth(63).innerText(), /^63\s.*\s8$/);
});
