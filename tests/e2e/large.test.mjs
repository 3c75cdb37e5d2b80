// A million tokens, many draws, and cells that stand for many.

import assert from "node:assert/strict";
import { canvas, control, eventually, figure, journey, near, number, pixels, readings, ready, sinusoid, stage, summary, table, type, value, visit } from "./help.mjs";

stage();

/** The mean product of all-ones vectors turned by RoPE, over √d. */
function score(offset, width, theta = 10_000) {
  let sum = 0;
  for (let k = 0; k < width / 2; k += 1) sum += 2 * Math.cos(offset * theta ** ((-2 * k) / width));
  return sum / Math.sqrt(width);
}

for (const axis of ["linear", "log"]) {
  journey(`the offset curve to a million tokens, ${axis}`, async ({ open }) => {
    const page = await open(`#/explore?figures=offset&schemes=rope(head_dim=64)&length=1000000&position=999999&offset=500000&offset.axis=${axis}`);
    assert.ok((await pixels(page, "offset")).colours > 10);
    assert.match(await figure(page, "offset").locator(".figure__legend").innerText(), /Mean and range of up to/);
    assert.doesNotMatch(await figure(page, "offset").locator(".figure__legend").innerText(), /Sampled/, "all offsets were looked at");
    const { rows } = await table(page, "offset");
    const row = rows.find(([at]) => number(at) === 500_000);
    assert.ok(row, "the table has the cursor's offset");
    for (const [at, shown] of rows) near(shown, score(number(at), 64), `offset ${at}`);
    // The far end.
    await canvas(page, "offset").focus();
    await page.keyboard.press("End");
    await ready(page);
    assert.equal(await value(page, "offset"), 999_999);
    const [[, shown]] = await readings(page, "offset");
    near(shown, score(999_999, 64), "the last offset");
  });
}

journey("independent draws: the worker answers", async ({ open }) => {
  const page = await open(
    "#/explore?figures=offset&schemes=rope(head_dim=64)&length=1000000&offset.vectors=independent&offset.draws=64",
    false,
  );
  // Seen and read in one step: the bar goes when the answer comes.
  const progress = () =>
    page.evaluate(() => {
      const bar = document.querySelector('[data-figure="offset"] [role="progressbar"]');
      return bar?.checkVisibility() ? Number(bar.getAttribute("aria-valuenow")) : null;
    });
  const seen = new Set();
  await eventually(
    "an answer",
    async () => {
      const share = await progress();
      if (share !== null) seen.add(share);
      return page.evaluate(() => document.documentElement.dataset.ready && document.querySelector(".figure__summary").textContent);
    },
    100_000,
  );
  assert.ok(seen.size >= 2, `progress was seen: ${[...seen]}`);
  assert.ok([...seen].every((share, i, all) => i === 0 || share >= all[i - 1]), `it rises: ${[...seen]}`);
  const text = await summary(page, "offset");
  assert.match(text, /mean of 64 draws/);
  assert.match(text, /flat mean/);
  assert.ok(await figure(page, "offset").getByRole("status").isHidden(), "nothing failed");
  const mean = number(/: (\S+) in the mean/.exec(text)[1]);
  // q and k have 64 independent numbers of variance 1, so q·k/√d has mean 0 and variance 1: four errors of 64 draws.
  assert.ok(Math.abs(mean) < 0.5, `the mean of independent draws is near 0: ${mean}`);
});

journey("independent draws: the main thread stays free", async ({ open }) => {
  const page = await open("#/explore?figures=offset&schemes=rope(head_dim=64)&length=1000000");
  const { longest, whole } = await page.evaluate(
    () =>
      new Promise((resolve) => {
        let longest = 0;
        let last = performance.now();
        const begin = last;
        const tick = () => {
          const now = performance.now();
          longest = Math.max(longest, now - last);
          last = now;
          if (now - begin > 1500 && document.documentElement.dataset.ready) resolve({ longest, whole: now - begin });
          else setTimeout(tick, 0);
        };
        tick();
        location.hash =
          "#/explore?figures=offset&schemes=rope(head_dim=1024)&length=10000000&offset.vectors=independent&offset.draws=256";
      }),
  );
  // On a busy machine everything takes longer: then a small part of it.
  assert.ok(longest < Math.max(300, whole / 10), `the page was deaf for ${longest} of ${whole} ms`);
  assert.match(await summary(page, "offset"), /mean of 256 draws/);
});

// The module comes slowly, so that there is something to cancel however fast the machine is.
const SLOWLY = (context) =>
  context.route(/lab\.[0-9a-f]+\.wasm/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2000));
    await route.continue().catch(() => {});
  });

journey("independent draws: cancel is heard", { prepare: SLOWLY }, async ({ open }) => {
  const page = await open(
    "#/explore?figures=offset&schemes=rope(head_dim=1024)&length=10000000&offset.vectors=independent&offset.draws=256",
    false,
  );
  const lab = figure(page, "offset").locator(".figure__lab");
  await lab.getByRole("button", { name: "Cancel" }).click();
  await ready(page);
  assert.match(await lab.innerText(), /Cancelled/);
  assert.ok(await lab.getByRole("progressbar").isHidden());
  // It is not asked again by itself; the next question is answered.
  await page.waitForTimeout(500);
  assert.match(await lab.innerText(), /Cancelled/);
  await visit(page, "#/explore?figures=offset&schemes=rope(head_dim=64)&length=300000&offset.vectors=independent");
  assert.doesNotMatch(await lab.innerText(), /Cancelled|failed/);
  assert.match(await summary(page, "offset"), /mean of 32 draws/);
});

journey("a worker that cannot start is told, and the figure stays", { trouble: true, prepare: (context) => context.route(/lab[-.]/, (route) => route.abort()) }, async ({ open }) => {
  const page = await open("#/explore?figures=offset&schemes=rope&length=1000000&offset.vectors=independent&offset.draws=64");
  const lab = figure(page, "offset").locator(".figure__lab");
  assert.match(await lab.innerText(), /could not be started/);
  assert.ok((await pixels(page, "offset")).colours > 5);
  assert.ok(await page.locator("#recovery").isHidden());
  await type(page, "length", "900000");
  assert.match(await lab.innerText(), /could not be started|failed several times/);
});

journey("a worker that dies is told", { trouble: true, prepare: (context) => context.route(/lab\.[0-9a-f]+\.wasm/, (route) => route.fulfill({ status: 200, contentType: "application/wasm", body: "nonsense" })) }, async ({ open }) => {
  const page = await open("#/explore?figures=offset&schemes=rope&length=1000000&offset.vectors=independent&offset.draws=64");
  assert.match(await figure(page, "offset").locator(".figure__lab").innerText(), /failed|could not be started/);
  assert.ok(await page.locator("#recovery").isHidden());
});

journey("a heatmap of 100,000 positions says what a cell is, and zooms in to single ones", async ({ open }) => {
  const page = await open("#/explore?figures=heatmap&length=100000&position=54321");
  const legend = figure(page, "heatmap").locator(".figure__legend");
  const said = await legend.innerText();
  const run = number(/mean of (\S+) positions/.exec(said)[1]);
  const { height } = await pixels(page, "heatmap");
  assert.ok(run >= 100_000 / height && run < 1000, `a cell is the mean of ${run}`);
  await canvas(page, "heatmap").focus();
  for (let i = 0; i < 40 && /mean of/.test(await legend.innerText()); i += 1) {
    await page.keyboard.press("+");
    await ready(page);
  }
  assert.doesNotMatch(await legend.innerText(), /mean of/);
  const { head, rows } = await table(page, "heatmap");
  const dims = head.slice(1).map((text) => number(text.replace(/\D+/, "")));
  assert.ok(rows.some(([first]) => number(first) === 54_321));
  for (const row of rows) {
    dims.forEach((dim, i) => near(row[i + 1], sinusoid(number(row[0]), dim, 32), `position ${row[0]}, dimension ${dim}`));
  }
  // What was zoomed is in the link, and 0 shows all of it again.
  const first = Number(await control(page, "heatmap-first_position").getAttribute("aria-valuetext").then((text) => number(text)));
  assert.ok(first > 40_000 && first <= 54_321, `the view begins at ${first}`);
  await canvas(page, "heatmap").focus();
  await page.keyboard.press("0");
  await ready(page);
  assert.match(await legend.innerText(), /mean of/);
});

journey("the wheel with Ctrl zooms where it is, without it scrolls", async ({ open }) => {
  const page = await open("#/explore?figures=heatmap&length=100000");
  const { x, y, width, height } = await canvas(page, "heatmap").boundingBox();
  await page.mouse.move(x + width * 0.6, y + height * 0.5);
  const before = await pixels(page, "heatmap");
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -300);
  await page.keyboard.up("Control");
  await page.waitForTimeout(50);
  await ready(page);
  assert.notEqual((await pixels(page, "heatmap")).hash, before.hash);
  const shown = number(await control(page, "heatmap-positions").getAttribute("aria-valuetext"));
  assert.ok(shown > 0 && shown < 100_000, `${shown} positions are shown`);
});

journey("dragging with Shift pans", async ({ open }) => {
  const page = await open("#/explore?figures=heatmap&length=1000&heatmap.first_position=400&heatmap.positions=100");
  const { x, y, width, height } = await canvas(page, "heatmap").boundingBox();
  await page.keyboard.down("Shift");
  await page.mouse.move(x + width * 0.6, y + height * 0.7);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.6, y + height * 0.4, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await ready(page);
  const first = number(await control(page, "heatmap-first_position").getAttribute("aria-valuetext"));
  assert.ok(first > 410 && first < 460, `the view begins at ${first}`);
});

journey("averaged cells are the mean of all of them: fast columns fade", async ({ open }) => {
  const page = await open("#/explore?figures=heatmap&length=1000000");
  const faded = await pixels(page, "heatmap");
  await visit(page, "#/explore?figures=heatmap&length=1000000&heatmap.cells=spread");
  assert.notEqual((await pixels(page, "heatmap")).hash, faded.hash);
  assert.match(await figure(page, "heatmap").locator(".figure__legend").innerText(), /standard deviation within/);
});
