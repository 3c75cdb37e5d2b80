// What one step of a slider costs the main thread with four figures on screen, whichever four of the five they are.

import { launch, quantile, report } from "./lib/measure.mjs";
import { parts, stepped } from "./lib/steps.mjs";

const FIGURES = ["heatmap", "similarity", "offset", "rotation", "bias"];
// All that have something to step, at the length where a class begins and at one that fills every window.
const SIZES = {
  "64 positions": "schemes=sinusoidal,rope,alibi(num_heads=16),t5",
  "4,096 positions": "schemes=sinusoidal(d_model=512),rope,alibi(num_heads=16),t5&length=4096&position=100&offset=40",
};
const SLIDERS = ["scheme-0-base", "scheme-1-rope_theta"];
const BIAS = ["scheme-2-num_heads", "scheme-2-alibi_bias_max"];
const STEPS = 60;

const browser = await launch();
let missed = false;
try {
  // High enough that nothing lies below the window.
  const { page, show, measure } = await stepped(browser, { width: 1280, height: 4000 });
  for (const [size, rest] of Object.entries(SIZES)) {
    for (const without of FIGURES) {
      const figures = FIGURES.filter((figure) => figure !== without);
      console.log(`${size}: ${figures.join(", ")}`);
      await show(`#/explore?figures=${figures.join(",")}&${rest}`);
      const below = await page.locator("canvas").evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().bottom > innerHeight).length);
      if (below) throw new Error(`${below} figures are not on screen`);
      for (const slider of without === "bias" ? SLIDERS : [...SLIDERS, ...BIAS]) {
        await measure(`field-${slider}`, 20);
        const times = await measure(`field-${slider}`, STEPS);
        console.log(`         ${parts(times)}`);
        missed |= report(`${slider.split("-").pop()}: 95th percentile of ${times.length} steps`, quantile(times, 0.95), 16, "ms");
      }
    }
  }
} finally {
  await browser.close();
}
process.exitCode = missed ? 1 : 0;
