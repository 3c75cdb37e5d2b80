// What one step of a slider costs the main thread, with everything on screen.
//
// A step is one key on the slider of `base` or `rope_theta`. Its cost is the time that the main thread is busy with it:
//  - the event, its handlers and the microtasks after it: from dispatch to the next task;
//  - the frame that shows it: from the first animation callback to the first task after the frame, so that drawing,
//    style, layout, paint and commit are in it.
// The wait for the frame in between is not: the thread is idle then. Steps follow one another two frames apart, as when
// a key is held, so that a slice of refining that was put off by the step before is in the cost of the next one.
//
// Limits are for this time by the clock. What else the machine does is in it, so the processor's time of the thread is
// printed beside it (a mean, with the frame after the step): where it is far less, the machine was busy with others.
//
// One length serves all figures, so the board has length 65,536 (the offsets) and its heatmap shows the first 4,096
// positions × 512 dimensions; the two other curves' schemes have panels of their own beside it, which only adds work.

import { SITE, launch, quantile, ready, report } from "./lib/measure.mjs";

const BOARD =
  "#/explore?figures=heatmap,offset,rotation&schemes=sinusoidal(d_model=512),rope,rope(rope_theta=500000)&position=100&offset=40";
const STEPS = 40;

/** The processor's time that the page's main thread has used, in milliseconds. */
async function used(session) {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "ThreadTime").value * 1000;
}

/** Takes steps on a slider; milliseconds of each, and how many were seen in their frame. */
function steps(page, slider, count) {
  return page.evaluate(
    async ({ slider, count }) => {
      const channel = new MessageChannel();
      const nextTask = () =>
        new Promise((resolve) => {
          channel.port1.onmessage = resolve;
          channel.port2.postMessage(null);
        });
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const input = document.getElementById(slider);
      // Written when the figure is drawn.
      const shown = () => document.querySelector("[data-figure=rotation] .figure__readings").textContent;
      input.focus();
      const [times, inputs, frames] = [[], [], []];
      let seen = 0;
      for (let i = 0; i < count; i += 1) {
        const before = shown();
        const key = i % 20 < 10 ? "ArrowLeft" : "ArrowRight";
        await nextTask();
        // Asked for before the app asks: it is called first in the frame, and the task it posts comes after the frame.
        let begun;
        const drawn = new Promise((resolve) => {
          requestAnimationFrame(() => {
            begun = performance.now();
            const after = new MessageChannel();
            after.port1.onmessage = () => resolve(performance.now() - begun);
            after.port2.postMessage(null);
          });
        });
        const dispatched = new Promise((resolve) => {
          const after = new MessageChannel();
          const from = performance.now();
          after.port1.onmessage = () => resolve(performance.now() - from);
          input.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
          after.port2.postMessage(null);
        });
        const own = await dispatched;
        const frameTime = await drawn;
        times.push(own + frameTime);
        inputs.push(own);
        frames.push(frameTime);
        if (shown() !== before) seen += 1;
        await frame();
      }
      return { times, inputs, frames, seen };
    },
    { slider, count },
  );
}

const browser = await launch();
let missed = false;
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const show = async (options) => {
    await page.goto(`${SITE}${BOARD}${options}`);
    await page.evaluate(() => scrollTo(0, 0));
    await ready(page);
  };
  const measure = async (slider, count) => {
    const before = await used(session);
    const { times, inputs, frames, seen } = await steps(page, slider, count);
    const thread = ((await used(session)) - before) / count;
    if (seen < count * 0.9) throw new Error(`only ${seen} of ${count} steps were seen in their frame: nothing was measured`);
    return Object.assign(times, { inputs, frames, thread });
  };

  await show("&length=65536&heatmap.positions=4096");
  const legend = await page.locator("[data-figure=heatmap] .figure__legend").innerText();
  console.log(`heatmap 4,096 × 512 (${legend.split("\n").find((line) => /mean of/.test(line)) ?? "single cells"}), offset 65,536 × 3 curves, rotation`);
  for (const slider of ["field-scheme-0-base", "field-scheme-1-rope_theta"]) {
    await measure(slider, 10);
    const times = await measure(slider, STEPS * 2);
    const parts = [quantile(times.inputs, 0.5), quantile(times.frames, 0.5), times.thread].map((time) => time.toFixed(2));
    console.log(`${slider}: event ${parts[0]} ms, frame ${parts[1]} ms (medians); the processor's time ${parts[2]} ms`);
    missed |= report(`${slider.split("-").pop()}: median of ${times.length} steps`, quantile(times, 0.5), 8, "ms");
    missed |= report(`${slider.split("-").pop()}: 95th percentile`, quantile(times, 0.95), 16, "ms");
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
