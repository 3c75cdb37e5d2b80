// Angles in few bits: what each format loses, which positions share a number, and that what is cast last loses nothing.

import assert from "node:assert/strict";
import { box, canvas, control, figure, followed, journey, number, pixels, readings, ready, stage, summary, table, value } from "./help.mjs";

stage();

const BOARD = "#/explore?figures=precision,rotation&schemes=rope&length=131072&position=257";
const rows = (page) => readings(page, "precision");

journey("positions collide past 256 in bf16", async ({ open }) => {
  const page = await open(`${BOARD}&precision.cast=positions`);
  assert.match(await summary(page, "precision"), /f32 is exact; f16 is exact; bf16 is off by 1 rad .*In bf16, positions 256 to 257 are one and the same number/);
  await canvas(page, "precision").focus();
  await page.keyboard.press("ArrowLeft");
  await ready(page);
  assert.equal(await value(page, "position"), 256);
  assert.match(await summary(page, "precision"), /bf16 is exact\. In bf16, positions 256 to 257/);
});

journey("each format is off by what its bits lose", async ({ open }) => {
  const page = await open(BOARD);
  const before = (await pixels(page, "precision")).hash;
  const worst = async (format) => number((await rows(page)).find(([label]) => label.includes(`${format}, worst`))[1].split(" ")[0]);
  const [f64, f32, f16, bf16] = [await worst("f64"), await worst("f32"), await worst("f16"), await worst("bf16")];
  assert.ok(f64 < 1e-13 && f32 > f64 * 1e6 && f16 > f32 * 1e3 && bf16 > f16 && bf16 > 0.5, `${[f64, f32, f16, bf16]}`);
  await figure(page, "precision").locator("xpath=following::details[contains(@class, 'board__options')]").first().locator("summary").click();
  await control(page, "precision-cast").selectOption("table");
  await ready(page);
  await followed(page, /precision\.cast=table\b/);
  assert.ok((await worst("bf16")) < 0.006, "sines and cosines that are cast last");
  assert.notEqual((await pixels(page, "precision")).hash, before);
});

journey("pointing at a place is pointing at its position, and the table has powers of two", async ({ open }) => {
  const page = await open(BOARD);
  const place = await box(page, "precision");
  await page.mouse.click(place.x + 76 + (place.width - 76 - 40) / 2, place.y + 100);
  await ready(page);
  const position = await value(page, "position");
  assert.ok(Math.abs(position - 362) < 8, `the middle of a logarithmic axis to 131071: ${position}`);
  const found = await table(page, "precision");
  assert.ok(found.rows.some(([p]) => number(p) === 65536) && found.rows.some(([p]) => number(p) === position));
});
