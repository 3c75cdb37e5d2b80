// What one step of a slider costs the main thread.
//
// A step is one key on a slider. Its cost is the time that the main thread is busy with it:
//  - the event, its handlers and the microtasks after it: from dispatch to the next task;
//  - the frame that shows it: from the first animation callback to the first task after the frame, so that drawing,
//    style, layout, paint and commit are in it.
// The wait for the frame in between is not: the thread is idle then. Steps follow one another two frames apart, as when
// a key is held, so that a slice of refining that was put off by the step before is in the cost of the next one. So are
// the words: while a scheme changes from frame to frame, legend and values are written some times a second, with the
// drawing of every third step or so, and formulas and sentences when it rests.
//
// Limits are for this time by the clock. What else the machine does is in it, so the processor's time of the thread is
// counted beside it (a mean, with the frame after the step): where it is far less, the machine was busy with others.

import { SITE, quantile, ready } from "./measure.mjs";

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
      // What is drawn on is cleared first, in whole or in parts.
      const drawnOn = new Set();
      const { clearRect } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.clearRect = function (...rect) {
        drawnOn.add(this.canvas);
        return clearRect.apply(this, rect);
      };
      input.focus();
      const [times, inputs, frames] = [[], [], []];
      let [seen, drawings] = [0, 0];
      for (let i = 0; i < count; i += 1) {
        drawnOn.clear();
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
        if (drawnOn.size > 0) seen += 1;
        drawings += drawnOn.size;
        await frame();
      }
      CanvasRenderingContext2D.prototype.clearRect = clearRect;
      return { times, inputs, frames, seen, drawings: drawings / count };
    },
    { slider, count },
  );
}

/** A page whose boards are stepped through. */
export async function stepped(browser, viewport = { width: 1280, height: 900 }) {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return {
    page,
    async show(link) {
      await page.goto(SITE + link);
      await page.evaluate(() => scrollTo(0, 0));
      await ready(page);
    },
    /** Takes steps on a slider: milliseconds of each, with those of the events and frames, and the processor's mean. */
    async measure(slider, count) {
      const before = await used(session);
      const { times, inputs, frames, seen, drawings } = await steps(page, slider, count);
      const thread = ((await used(session)) - before) / count;
      if (seen < count * 0.9) throw new Error(`only ${seen} of ${count} steps were seen in their frame: nothing was measured`);
      return Object.assign(times, { inputs, frames, thread, drawings });
    },
  };
}

/** What a step is made of, in words. */
export function parts({ inputs, frames, thread, drawings }) {
  const [event, frame, used] = [quantile(inputs, 0.5), quantile(frames, 0.5), thread].map((time) => time.toFixed(2));
  return `event ${event} ms, frame ${frame} ms (medians); the processor's time ${used} ms; ${drawings.toFixed(1)} figures drawn a step`;
}
