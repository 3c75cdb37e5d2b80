// Costs: the length is the cursor across, the model is chosen, what costs nothing is said, and the link holds it all.

import assert from "node:assert/strict";
import { address, box, canvas, control, eventually, figure, followed, journey, number, pixels, readings, ready, stage, summary, table, type, value } from "./help.mjs";

stage();

const BOARD = "#/explore?figures=cost&schemes=rope,alibi,none,learned&length=4096";

journey("pointing, pressing and keys choose the length", async ({ open }) => {
  const page = await open(BOARD);
  assert.match(await summary(page, "cost"), /^At 4096 tokens, .*RoPE 2\.014 GFLOP \(.*\s%\), ALiBi .*No positions 0 FLOP\./);
  assert.match(await summary(page, "cost"), /Learned table cannot read 4096 tokens/);
  const place = await box(page, "cost");
  await page.mouse.move(place.x + 84, place.y + 100);
  await ready(page);
  assert.match(await summary(page, "cost"), /^At 1[67] tokens/, "what is pointed at");
  assert.equal(await value(page, "length"), 4096, "is no change");
  await page.mouse.down();
  await page.mouse.up();
  await page.mouse.move(place.x + 2, place.y - 30);
  await ready(page);
  const length = await value(page, "length");
  assert.ok(length === 16 || length === 17, `${length}`);
  await page.getByRole("button", { name: "Undo" }).click();
  await ready(page);
  assert.equal(await value(page, "length"), 4096, "a press is one step");
  await canvas(page, "cost").focus();
  await page.keyboard.press("PageUp");
  await ready(page);
  assert.equal(await value(page, "length"), 8192);
  await followed(page, /length=8192\b/);
});

journey("a bias as a matrix grows with the square, and the table says it", async ({ open }) => {
  const page = await open(`${BOARD}&cost.show=matrix&cost.model=bloom`);
  const { head, rows } = await table(page, "cost");
  const cell = (length, name) => rows.find((row) => row[0].replaceAll(/\s/g, "") === length)[head.indexOf(name)];
  // 112 heads, two bytes a number.
  assert.equal(cell("1024", "ALiBi"), "234.9 MB");
  assert.equal(cell("2048", "ALiBi"), "939.5 MB");
  assert.equal(cell("2048", "RoPE"), "0 B");
  assert.equal(cell("1024", "Learned table"), "");
});

journey("a model of one's own is in the link", async ({ open }) => {
  const page = await open(`${BOARD}&cost.show=next-token`);
  await page.locator("details.board__options > summary").first().click();
  await control(page, "cost-model").selectOption("own");
  await ready(page);
  await type(page, "cost-num_attention_heads", "4");
  await followed(page, /cost\.model=own&cost\.num_attention_heads=4&cost\.num_key_value_heads=4\b/);
  const [, rope] = (await readings(page, "cost")).find(([label]) => label.startsWith("RoPE, operations"));
  // 3 · 128 operations for each of 4 queries and 4 keys in 32 layers.
  assert.equal(rope, "98.3 kFLOP");
  assert.match(await address(page), /cost\.show=next-token/);
});

const MEASURE = { name: "Measure in this browser" };

journey("time is measured here when a person asks for it, and stands in the table", { timeout: 120_000 }, async ({ open }) => {
  const page = await open("#/explore?figures=cost&schemes=rope,alibi,learned&length=4096&cost.show=time");
  const lab = figure(page, "cost").locator(".figure__lab");
  assert.match(await summary(page, "cost"), /Nothing is measured yet/);
  assert.ok(await lab.getByRole("progressbar").isHidden(), "nothing runs by itself");
  const empty = await pixels(page, "cost");
  await lab.getByRole("button", MEASURE).focus();
  await page.keyboard.press("Enter");
  await eventually("progress", () => lab.getByRole("progressbar").isVisible());
  await eventually("all schemes", async () => /RoPE .*ALiBi/.test(await summary(page, "cost")), 60_000);
  await ready(page);
  assert.ok((await pixels(page, "cost")).colours > empty.colours, "curves are drawn");
  const { head, rows } = await table(page, "cost");
  assert.deepEqual(rows.map(([length]) => number(length)), [16, 64, 256, 1024, 4096, 16_384]);
  const seconds = (text) => number(text.split(/\s/)[0]) * { ns: 1e-9, µs: 1e-6, ms: 1e-3, s: 1 }[text.split(/\s/)[1]];
  const cell = (row, name) => seconds(rows[row][head.indexOf(name)]);
  // A query and a key are turned alike wherever they stand; a row of biases is as long as the sequence.
  assert.ok(cell(5, "ALiBi") > 30 * cell(0, "ALiBi"), `${rows[0]} to ${rows[5]}`);
  assert.ok(cell(5, "RoPE") < 30 * cell(0, "RoPE"), `${rows[0]} to ${rows[5]}`);
  assert.ok(rows[2][head.indexOf("Learned table")] && !rows[3][head.indexOf("Learned table")], "512 rows");
  // What was measured stays when something else is shown, and can be measured anew.
  await canvas(page, "cost").focus();
  await page.keyboard.press("ArrowLeft");
  await ready(page);
  assert.equal(await value(page, "length"), 1024);
  assert.match(await summary(page, "cost"), /^At 1024 tokens, .*RoPE \S+ (ns|µs|ms), ALiBi/);
  assert.ok(await lab.getByRole("button", MEASURE).isVisible());
});

journey("a measurement is cancelled, and nothing is lost", { timeout: 120_000 }, async ({ open }) => {
  const page = await open("#/explore?figures=cost&schemes=rope,fire,transformer-xl&length=64&cost.show=time");
  const lab = figure(page, "cost").locator(".figure__lab");
  await lab.getByRole("button", MEASURE).click();
  await eventually("progress", () => lab.getByRole("progressbar").isVisible());
  await lab.getByRole("button", { name: "Cancel" }).click();
  await ready(page);
  assert.match(await lab.innerText(), /Cancelled/);
  assert.ok(await lab.getByRole("progressbar").isHidden());
  await page.waitForTimeout(500);
  assert.ok(await lab.getByRole("progressbar").isHidden(), "it is not begun again by itself");
  await lab.getByRole("button", MEASURE).click();
  await eventually("progress again", () => lab.getByRole("progressbar").isVisible());
  assert.doesNotMatch(await lab.innerText(), /Cancelled/);
  // Another scene does not wait for it.
  await control(page, "cost-show").waitFor({ state: "attached" });
  await page.locator("details.board__options > summary").first().click();
  await control(page, "cost-show").selectOption("compute");
  await ready(page);
  assert.ok(await lab.getByRole("button", MEASURE).isHidden());
  assert.match(await summary(page, "cost"), /FLOP/);
});
