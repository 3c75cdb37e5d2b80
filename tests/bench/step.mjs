// What one step of a slider costs the main thread, with everything on screen: one key on the slider of `base` or `rope_theta`.
//
// One length serves all figures, so the board has length 65,536 (the offsets) and its heatmap shows the first 4,096
// positions × 512 dimensions; the two other curves' schemes have panels of their own beside it, which only adds work.

import { launch, quantile, report } from "./lib/measure.mjs";
import { parts, stepped } from "./lib/steps.mjs";

const BOARD =
  "#/explore?figures=heatmap,offset,rotation&schemes=sinusoidal(d_model=512),rope,rope(rope_theta=500000)&position=100&offset=40";
const STEPS = 40;
const BLOCKS = 4;
// High enough for all figures: what is off the screen is neither laid out nor painted.
const VIEWPORT = { width: 1280, height: 2760 };

const browser = await launch();
let missed = false;
try {
  const { page, show: open, measure } = await stepped(browser, VIEWPORT);
  const show = (options) => open(BOARD + options);

  await show("&length=65536&heatmap.positions=4096");
  const legend = await page.locator("[data-figure=heatmap] .figure__legend").innerText();
  console.log(`heatmap 4,096 × 512 (${legend.split("\n").find((line) => /mean of/.test(line)) ?? "single cells"}), offset 65,536 × 3 curves, rotation`);
  const blocks = { "field-scheme-0-base": [], "field-scheme-1-rope_theta": [] };
  // Until the browser has compiled for speed what runs often.
  for (const slider in blocks) await measure(slider, STEPS);
  for (let turn = 0; turn < BLOCKS; turn += 1) {
    for (const slider in blocks) blocks[slider].push(await measure(slider, STEPS));
  }
  for (const [slider, list] of Object.entries(blocks)) {
    const name = slider.split("-").pop();
    // What else the machine does only adds to a step: the limits are for the block that it disturbed least.
    const [quiet] = list.toSorted((a, b) => quantile(a, 0.5) - quantile(b, 0.5));
    const all = list.flat();
    console.log(`${name}: ${parts(quiet)}`);
    console.log(`${name}: ${all.length} steps in all, median ${quantile(all, 0.5).toFixed(2)} ms, 95th percentile ${quantile(all, 0.95).toFixed(2)} ms`);
    missed |= report(`${name}: median of ${STEPS} steps, the quietest of ${BLOCKS} blocks`, quantile(quiet, 0.5), 8, "ms");
    missed |= report(`${name}: 95th percentile of these`, quantile(quiet, 0.95), 16, "ms");
  }

  // By turns, in one run: what else the machine does falls on both.
  const at = { 4096: [], 1000000: [] };
  for (let turn = 0; turn < 5; turn += 1) {
    for (const length of [4096, 1_000_000]) {
      await show(`&length=${length}`);
      await measure("field-scheme-0-base", 4);
      at[length].push(...(await measure("field-scheme-0-base", STEPS / 4)));
      await measure("field-scheme-1-rope_theta", 2);
      at[length].push(...(await measure("field-scheme-1-rope_theta", STEPS / 4)));
    }
  }
  const [short, long] = [quantile(at[4096], 0.5), quantile(at[1_000_000], 0.5)];
  console.log(`length 4,096: ${short.toFixed(2)} ms; length 1,000,000: ${long.toFixed(2)} ms (medians of ${at[4096].length} steps each)`);
  missed |= report("a step at length 1,000,000 against one at 4,096", long / short, 1.5, "times");
} finally {
  await browser.close();
}
process.exitCode = missed ? 1 : 0;
