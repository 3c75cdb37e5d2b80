// The six schemes on boards of four: sinusoidal, learned, RoPE, ALiBi, T5 and no positions, with one cursor.

import assert from "node:assert/strict";
import { box, canvas, control, figure, followed, journey, near, number, overhang, pixels, point, readings, ready, sinusoid, stage, summary, table, type, typed } from "./help.mjs";

stage();

const FIGURES = "figures=heatmap,similarity,offset,bias";
const FOURS = [
  ["sinusoidal", "learned", "rope", "alibi"],
  ["t5", "none", "alibi", "learned"],
  ["learned(table=minilm)", "t5(bidirectional=false)", "rope", "none"],
];
const NAMES = { sinusoidal: "Sinusoidal", learned: "Learned table", rope: "RoPE", alibi: "ALiBi", t5: "T5 bias", none: "No positions" };
const name = (scheme) => NAMES[scheme.split("(")[0]];

for (const four of FOURS) {
  journey(`four schemes in four figures: ${four.join(", ")}`, async ({ open }) => {
    const page = await open(`#/explore?${FIGURES}&schemes=${four.join(",")}`);
    for (const id of ["heatmap", "similarity", "offset", "bias"]) {
      const said = await summary(page, id);
      for (const scheme of four) assert.ok(said.includes(name(scheme)), `${id} says nothing of ${scheme}: ${said}`);
      assert.ok((await pixels(page, id)).colours > 20, id);
    }
    const notices = await page.locator("[data-notice]").allTextContents();
    assert.deepEqual(notices, []);
  });
}

journey("the numbers of the tables are those of the formulas", async ({ open }) => {
  const page = await open(`#/explore?${FIGURES}&schemes=sinusoidal,alibi,t5,none&position=20&offset=6&head=2`);
  const bias = await table(page, "bias");
  const column = (read, head) => read.head.findIndex((text) => text.startsWith(head));
  const alibi = column(bias, "ALiBi, head 2");
  for (const row of bias.rows) near(row[alibi], -(2 ** -3) * number(row[0]), `offset ${row[0]}`);
  assert.ok(bias.rows.every((row) => row[column(bias, "No positions")] === "0"));
  // Offsets 8 to 11 share T5's bucket 8.
  const t5 = column(bias, "T5 bias, head 2");
  const value = (offset) => bias.rows.find((row) => row[0] === String(offset))[t5];
  assert.equal(value(8), value(11));
  assert.notEqual(value(7), value(8));
  const pairs = await table(page, "similarity");
  const key = column(pairs, "Sinusoidal, key 14");
  const exact = (m, n) => [...Array(32).keys()].reduce((sum, dim) => sum + sinusoid(m, dim, 32) * sinusoid(n, dim, 32), 0);
  for (const row of pairs.rows.slice(0, 8)) near(row[key], exact(number(row[0]), 14), `${row[0]} with 14`);
  const offset = await table(page, "offset");
  const row = offset.rows.find((row) => row[0] === "6");
  near(row[column(offset, "ALiBi, head 2")], -0.75, "ALiBi");
  near(row[column(offset, "Sinusoidal")], exact(6, 0), "Sinusoidal");
  assert.equal(row[column(offset, "No positions")], "0");
});

journey("a head that is pointed at is that of every figure", async ({ open }) => {
  const page = await open("#/explore?figures=bias,offset,similarity&schemes=alibi,rope&length=32");
  const before = await pixels(page, "offset");
  const place = await box(page, "bias");
  // Lanes of 18 pixels a head begin 24 from above.
  await page.mouse.move(place.x + 200, place.y + 24 + 18 * 5.5);
  await ready(page);
  assert.match(await summary(page, "offset"), /ALiBi, head 5 at offset/);
  assert.notEqual((await pixels(page, "offset")).hash, before.hash);
  const said = await summary(page, "bias");
  const offset = /offset (\d+)/.exec(said)[1];
  assert.match(await summary(page, "offset"), new RegExp(`offset ${offset}`));
  await page.mouse.down();
  await page.mouse.up();
  await followed(page, /head=5/);
  assert.equal(await typed(page, "head").inputValue(), "5");
  // Back from position × position.
  await point(page, "similarity", 0.5, 0.5);
  assert.notEqual(/offset (\S+):/.exec(await summary(page, "bias"))[1], offset);
});

journey("every view of the bias answers keys", async ({ open }) => {
  for (const show of ["heads", "matrix", "softmax", "retained", "slopes"]) {
    const page = await open(`#/explore?figures=bias&schemes=alibi(num_heads=12),t5,none&bias.show=${show}&position=30`);
    await canvas(page, "bias").focus();
    const drawn = await pixels(page, "bias");
    const spoken = await summary(page, "bias");
    await page.keyboard.press(show === "matrix" ? "]" : "ArrowRight");
    await ready(page);
    assert.notEqual((await pixels(page, "bias")).hash, drawn.hash, show);
    assert.notEqual(await summary(page, "bias"), spoken, show);
    const read = await table(page, "bias");
    assert.ok(read.rows.length > 1 && read.head.length >= 4, show);
    assert.match(await figure(page, "bias").locator(".figure__legend").innerText(), /made up/);
    await page.close();
  }
});

journey("attention that is left adds up, and a window keeps its share", async ({ open }) => {
  const page = await open("#/explore?figures=bias&schemes=alibi,t5,none&bias.show=softmax&bias.window=8&position=40&length=41&head=1");
  const read = await table(page, "bias");
  for (const column of [1, 2, 3]) {
    const shares = read.rows.map((row) => number(row[column]));
    const sum = (list) => list.reduce((a, b) => a + b, 0);
    assert.ok(Math.abs(sum(shares) - 1) < 1e-4, `column ${column} adds up to ${sum(shares)}`);
    const retained = (await readings(page, "bias")).filter(([label]) => label.includes("less than 8"))[column - 1][1];
    assert.ok(Math.abs(number(retained) - sum(shares.slice(0, 8))) < 1e-5, `${retained} within the window`);
  }
});

journey("a learned table says where it ends, and refuses what is past it", async ({ open }) => {
  const page = await open(`#/explore?${FIGURES}&schemes=learned&length=600&position=510`);
  for (const id of ["heatmap", "similarity"]) {
    const legend = await figure(page, id).locator(".figure__legend").innerText();
    assert.match(legend, /ends with row 511/, id);
    assert.match(legend, /no text in training \(510, 511\)/, id);
  }
  await type(page, "position", "530");
  assert.match(await summary(page, "heatmap"), /no row for position 530.*to 511/);
  assert.match(await summary(page, "similarity"), /no row for position 530/);
  await type(page, "offset", "560");
  assert.match(await summary(page, "offset"), /512 rows are 560 apart/);
  assert.match(await summary(page, "bias"), /adds a vector/);
});

journey("a table that cannot be had is said, and can be asked for again", { trouble: true }, async ({ open, context }) => {
  let refused = 0;
  await context.route(/learned-rxnmapper/, (route) => {
    refused += 1;
    return refused === 1 ? route.abort() : route.continue();
  });
  const page = await open("#/explore?figures=heatmap&schemes=learned,sinusoidal");
  assert.match(await page.locator("[data-notice]").first().innerText(), /learned-rxnmapper\.bin could not be loaded/);
  assert.match(await summary(page, "heatmap"), /Learned table cannot be drawn/);
  const without = await pixels(page, "heatmap");
  await page.getByRole("button", { name: "Try again" }).click();
  await ready(page);
  assert.match(await summary(page, "heatmap"), /Learned table at position 12/);
  assert.notEqual((await pixels(page, "heatmap")).hash, without.hash);
  assert.equal(await page.locator("[data-notice]").count(), 0);
  assert.equal(refused, 2);
});

journey("a table is fetched once, and only where it is chosen", async ({ open, context }) => {
  const fetched = [];
  context.on("request", (request) => fetched.push(request.url()));
  const asked = () => fetched.filter((url) => /learned-/.test(url)).length;
  const page = await open("#/explore?figures=heatmap&schemes=sinusoidal");
  assert.equal(asked(), 0);
  await page.getByLabel("Scheme 1").selectOption("learned");
  await ready(page);
  assert.equal(asked(), 1);
  await page.getByLabel("Scheme 1").selectOption("sinusoidal");
  await page.getByLabel("Scheme 1").selectOption("learned");
  await ready(page);
  assert.match(await summary(page, "heatmap"), /Learned table at position/);
  assert.equal(asked(), 1);
  await control(page, "scheme-0-table").selectOption("minilm");
  await ready(page);
  assert.equal(asked(), 2);
});

journey("narrow pages hold them without scrolling sideways", { viewport: { width: 320, height: 700 } }, async ({ open }) => {
  for (const show of ["heads", "matrix", "softmax", "retained"]) {
    const page = await open(`#/explore?${FIGURES}&schemes=learned,t5,alibi,none&bias.show=${show}`);
    assert.equal(await overhang(page), 0, show);
    await page.close();
  }
});
