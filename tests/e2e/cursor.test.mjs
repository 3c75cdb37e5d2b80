// One cursor for all figures: pointing, clicking, dragging, keys on the figure itself.

import assert from "node:assert/strict";
import { address, box, canvas, figure, followed, journey, near, number, pixels, point, readings, ready, sinusoid, stage, summary, value } from "./help.mjs";

stage();

const BOARD = "#/explore?figures=heatmap,offset,rotation";

journey("pointing at the heatmap moves the clock hands", async ({ open }) => {
  const page = await open(BOARD);
  const [hands, values, link] = [await pixels(page, "rotation"), await readings(page, "rotation"), await address(page)];
  await point(page, "heatmap", 0.5, 0.8);
  assert.notEqual((await pixels(page, "rotation")).hash, hands.hash, "the hands turned");
  const pointed = await readings(page, "rotation");
  assert.notDeepEqual(pointed, values, "the plane changed");
  const [first] = await readings(page, "heatmap");
  const dim = Number(/dimension (\d+)/.exec(first[0])[1]);
  assert.match(pointed[0][0], new RegExp(`plane ${Math.floor(dim / 2)}$`), "both figures read one plane");
  // Passing: not in the link, not in the controls, not to be undone.
  await page.waitForTimeout(800);
  assert.equal(await address(page), link);
  assert.equal(await value(page, "position"), 12);
  assert.ok(await page.getByRole("button", { name: "Undo" }).isDisabled());
  await page.mouse.move(2, 2);
  await ready(page);
  assert.deepEqual(await readings(page, "rotation"), values, "it ends when the pointer leaves");
  assert.equal((await pixels(page, "rotation")).hash, hands.hash);
});

journey("pointing at the offset curve moves the other figures' offset", async ({ open }) => {
  const page = await open(BOARD);
  const before = await readings(page, "rotation");
  await point(page, "offset", 0.5, 0.5);
  const [[label]] = await readings(page, "offset");
  const offset = number(/offset (\S+)$/.exec(label)[1]);
  assert.ok(offset > 20 && offset < 45, `offset ${offset} is under the pointer`);
  const after = await readings(page, "rotation");
  assert.notDeepEqual(after, before);
  // Plane 2 of the default sinusoid: 10000^(-4/32) radians a token.
  const angle = (offset * 10_000 ** (-4 / 32) * 180) / Math.PI;
  const [, turns, degrees] = /^(?:(\d+) turns? \+ )?([\d.]+)°$/.exec(after[0][1]);
  assert.ok(Math.abs(360 * Number(turns ?? 0) + Number(degrees) - angle) < 1, `${after[0][1]}, ${angle}`);
});

journey("the value under the pointer is exact", async ({ open }) => {
  const page = await open(BOARD);
  await point(page, "heatmap", 0.6, 0.4);
  // The first figure's readings name the cell; the second one's say where the query is.
  const read = await readings(page, "heatmap");
  const math = await figure(page, "heatmap").locator(".reading__math").first().textContent();
  const position = Number(/\d+/.exec(math.replace(/\s/g, ""))[0]);
  for (const [label, shown] of read) {
    near(shown, sinusoid(position, Number(/dimension (\d+)/.exec(label)[1]), 32), label);
  }
});

journey("a click stays, in the link too", async ({ open }) => {
  const page = await open(BOARD);
  const { x, y, width, height } = await box(page, "heatmap");
  await page.mouse.click(x + width * 0.7, y + height * 0.3);
  await ready(page);
  const link = await followed(page, /position=\d+/);
  const position = Number(/position=(\d+)/.exec(link)[1]);
  assert.equal(await value(page, "position"), position);
  assert.match(link, /plane=\d+/);
  await page.mouse.move(2, 2);
  await ready(page);
  assert.match(await summary(page, "heatmap"), new RegExp(`position ${position}\\b`));
  await page.getByRole("button", { name: "Undo" }).click();
  await ready(page);
  assert.equal(await value(page, "position"), 12);
  assert.equal(await value(page, "plane"), 2);
  assert.ok(await page.getByRole("button", { name: "Undo" }).isDisabled(), "one click, one step");
});

journey("dragging over the curve is one step, and the address follows when it rests", async ({ open }) => {
  const page = await open(BOARD);
  const length = await page.evaluate(() => history.length);
  const { x, y, width, height } = await box(page, "offset");
  await page.mouse.move(x + width * 0.3, y + height / 2);
  await page.mouse.down();
  for (let i = 0; i <= 10; i += 1) await page.mouse.move(x + width * (0.3 + 0.05 * i), y + height / 2);
  await page.mouse.up();
  await ready(page);
  const offset = await value(page, "offset");
  assert.ok(offset > 40, `${offset}`);
  await followed(page, new RegExp(`offset=${offset}\\b`));
  assert.equal(await page.evaluate(() => history.length), length);
  await page.getByRole("button", { name: "Undo" }).click();
  await ready(page);
  assert.equal(await value(page, "offset"), 4);
  assert.ok(await page.getByRole("button", { name: "Undo" }).isDisabled());
});

journey("what is dragged, and what is set with keys under a pointer that rests, is shown", async ({ open }) => {
  const page = await open(BOARD);
  for (const [id, key, forth] of [["offset", "offset", "ArrowRight"], ["heatmap", "position", "ArrowDown"]]) {
    await canvas(page, id).scrollIntoViewIfNeeded();
    const { x, y, width, height } = await box(page, id);
    const to = (share) => page.mouse.move(x + share * width, y + share * height, { steps: 4 });
    const both = async () => {
      await ready(page);
      const said = Number(new RegExp(`${key} (\\d+)`).exec(await summary(page, id))[1]);
      const set = await value(page, key);
      assert.equal(said, set, `${id} shows what is set`);
      return set;
    };
    await to(0.3);
    await page.mouse.down();
    const pressed = await both();
    await to(0.7);
    const dragged = await both();
    assert.ok(dragged > pressed + 10, `${id}: from ${pressed} to ${dragged}`);
    await page.mouse.up();
    assert.equal(await both(), dragged);
    await canvas(page, id).focus();
    await page.keyboard.press(forth);
    assert.equal(await both(), dragged + 1);
  }
});

journey("dragging a clock's hand turns it", async ({ open }) => {
  const page = await open("#/explore?figures=rotation,offset&length=4096&position=200");
  const { x, y } = await box(page, "rotation");
  const before = [await value(page, "position"), await value(page, "offset")];
  // The first clock's middle: a cell of at most 200 px below a head of 28.
  const { width } = await box(page, "rotation");
  const columns = Math.min(6, Math.floor(width / 100));
  const cell = Math.min(200, width / columns);
  const [cx, cy, radius] = [x + cell / 2, y + 28 + cell / 2, cell / 2 - 8];
  await page.mouse.move(cx, cy);
  await page.mouse.down();
  for (let i = 0; i <= 12; i += 1) {
    await page.mouse.move(cx + radius * 0.8 * Math.cos(i / 4), cy - radius * 0.8 * Math.sin(i / 4));
  }
  await page.mouse.up();
  await ready(page);
  assert.notDeepEqual([await value(page, "position"), await value(page, "offset")], before);
});

journey("keys on the figures", async ({ open }) => {
  const page = await open(BOARD);
  await canvas(page, "heatmap").focus();
  for (const [key, wanted] of [
    ["ArrowDown", 13],
    ["ArrowUp", 12],
    ["PageDown", 18],
    ["End", 63],
    ["Home", 0],
  ]) {
    await page.keyboard.press(key);
    await ready(page);
    assert.equal(await value(page, "position"), wanted, key);
  }
  await page.keyboard.press("ArrowRight");
  await ready(page);
  assert.equal(await value(page, "plane"), 3);
  await canvas(page, "offset").focus();
  for (const [key, wanted] of [
    ["ArrowRight", 5],
    ["PageUp", 15],
    ["Home", 0],
    ["End", 63],
  ]) {
    await page.keyboard.press(key);
    await ready(page);
    assert.equal(await value(page, "offset"), wanted, key);
  }
  await canvas(page, "rotation").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("]");
  await ready(page);
  assert.equal(await value(page, "position"), 1);
  assert.equal(await value(page, "plane"), 4);
});

journey("what the browser loses of a canvas is drawn anew", async ({ open }) => {
  const page = await open("#/explore?figures=heatmap,offset,rotation&schemes=sinusoidal,rope");
  const seen = (lose) =>
    page.evaluate((lose) => {
      return [...document.querySelectorAll("canvas")].map((canvas) => {
        // All that it shows and all that it was told.
        if (lose) canvas.getContext("2d").reset();
        return canvas.toDataURL();
      });
    }, lose);
  const before = await seen(false);
  const lost = await seen(true);
  assert.ok(lost.every((picture, i) => picture !== before[i]), "all canvases are empty");
  await page.evaluate(() => document.querySelectorAll("canvas").forEach((canvas) => canvas.dispatchEvent(new Event("contextrestored"))));
  await ready(page);
  assert.ok((await seen(false)).every((picture, i) => picture === before[i]), "all is there again");
});
