// The first screen: what a newcomer sees, and that the numbers are right.

import assert from "node:assert/strict";
import { SITE, address, canvas, figure, journey, near, number, pixels, ready, sinusoid, stage, summary, table } from "./help.mjs";

stage();

journey("one scheme, two figures, drawn", async ({ open }) => {
  const page = await open();
  assert.deepEqual(
    await page.locator("[data-figure]").evaluateAll((all) => all.map((figure) => figure.dataset.figure)),
    ["heatmap", "offset"],
  );
  for (const id of ["heatmap", "offset"]) {
    const seen = await pixels(page, id);
    assert.ok(seen.width > 100 && seen.height > 100, `${id} has a size`);
    assert.ok(seen.colours > 20, `${id} is drawn in ${seen.colours} colours`);
    assert.ok((await summary(page, id)).length > 20, `${id} has a summary`);
    const label = await canvas(page, id).getAttribute("aria-label");
    assert.ok(label.endsWith(await summary(page, id)), "the canvas is named by its summary");
  }
  assert.equal(await page.locator(".tries a").count(), 3, "three links to try");
  assert.equal(await page.locator("[data-notice]").count(), 0);
  assert.equal(await address(page), "", "an address that says nothing is left alone");
});

journey("nothing is pushed away while it appears", { viewport: { width: 412, height: 823 } }, async ({ context }) => {
  const page = await context.newPage();
  // A slow phone: there a frame passes between what Yew makes and what a figure draws.
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.addInitScript(() => {
    globalThis.shifts = [];
    new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value }) => value))).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(SITE);
  await ready(page);
  await page.waitForTimeout(500);
  const moved = (await page.evaluate(() => shifts)).reduce((a, b) => a + b, 0);
  assert.ok(moved < 0.01, `${moved} of the window was moved`);
});

journey("from here one gets to the first lesson, explorer, myths, questions and pitfalls", async ({ open }) => {
  const page = await open();
  const heads = {
    "Start with lesson 1": /^Attention forgets order/,
    Explorer: /^Explore/,
    Myths: /True or false/,
    Questions: /Questions/,
    Pitfalls: /Mistakes/,
  };
  const ways = page.locator(".home__ways a");
  assert.deepEqual(await ways.allInnerTexts(), Object.keys(heads));
  for (const [name, head] of Object.entries(heads)) {
    await ways.getByText(name).click();
    await page.locator(".home__ways").waitFor({ state: "detached" });
    await ready(page);
    assert.match(await page.locator("h1").innerText(), head);
    await page.goBack();
    await ways.first().waitFor();
    await ready(page);
  }
});

journey("the rows are the words of the text", async ({ open }) => {
  const page = await open();
  const { head, rows } = await table(page, "heatmap");
  assert.match(rows[0][0], /Alice/);
  assert.match(rows[12][0], /^12 on$/);
  assert.match(await summary(page, "heatmap"), /position 12 \(“on”\)/);
  assert.match(head[1], /\d/);
});

journey("the table is sines and cosines", async ({ open }) => {
  const page = await open();
  const { head, rows } = await table(page, "heatmap");
  const dims = head.slice(1).map((text) => number(text.replace(/\D+/, "")));
  assert.ok(dims.length >= 16, `${dims.length} dimensions are listed`);
  assert.ok(rows.length >= 30, `${rows.length} positions are listed`);
  for (const row of rows) {
    const position = Number(/^\d+/.exec(row[0])[0]);
    dims.forEach((dim, i) => near(row[i + 1], sinusoid(position, dim, 32), `position ${position}, dimension ${dim}`));
  }
  assert.ok(rows.length * head.length <= 1000, "at most a thousand cells");
});

journey("the offset curve is the product of two rows", async ({ open }) => {
  const page = await open();
  const { rows } = await table(page, "offset");
  assert.equal(rows.length, 64);
  for (const [at, value] of rows) {
    let product = 0;
    for (let dim = 0; dim < 32; dim += 1) product += sinusoid(40, dim, 32) * sinusoid(40 - number(at), dim, 32);
    near(value, product, `offset ${at}`);
  }
});

journey("dataset.ready is absent while something is pending, and rises", async ({ open }) => {
  const page = await open();
  const first = await ready(page);
  // Every value that it takes from here on, in order.
  await page.evaluate(() => {
    window.seen = [];
    new MutationObserver(() => window.seen.push(document.documentElement.dataset.ready ?? null)).observe(
      document.documentElement,
      { attributeFilter: ["data-ready"] },
    );
  });
  await canvas(page, "heatmap").focus();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) {
    await page.keyboard.press(key);
    await ready(page);
  }
  const seen = await page.evaluate(() => window.seen);
  assert.ok(seen.includes(null), "it went away");
  const numbers = seen.filter((one) => one !== null).map(Number);
  assert.ok(numbers.length >= 3, `it came back ${numbers.length} times`);
  let last = first;
  for (const one of numbers) {
    assert.ok(one > last, `${one} follows ${last}`);
    last = one;
  }
});

journey("when it is ready, the figures say what the state says", async ({ open }) => {
  const page = await open("#/explore?position=3&plane=1");
  await canvas(page, "heatmap").focus();
  await page.keyboard.press("ArrowDown");
  await ready(page);
  assert.match(await summary(page, "heatmap"), /position 4/);
  assert.ok(await figure(page, "heatmap").locator(".reading").count());
});
