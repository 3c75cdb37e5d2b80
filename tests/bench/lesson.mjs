// How long a lesson takes from navigation until it is drawn with all its figures: cold cache, local server,
// `dataset.ready`.

import { readdirSync } from "node:fs";
import { SITE, launch, quantile, report } from "./lib/measure.mjs";

const LIMIT = 1000;
const lessons = readdirSync(new URL("../../static/lessons/en/", import.meta.url))
  .filter((file) => file.endsWith(".md") && file !== "README.md")
  .map((file) => file.replace(/^\d+-|\.md$/g, ""));

const browser = await launch();
const missed = [];
try {
  for (const lesson of lessons) {
    const times = [];
    for (let i = 0; i < 4; i += 1) {
      // A context of its own has a cache of its own.
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const page = await context.newPage();
      await page.goto(`${SITE}#/learn/${lesson}`);
      const time = await page.evaluate(async () => {
        while (!(document.documentElement.dataset.ready && document.querySelector(".scene canvas, .scene__figure--hidden"))) {
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        return performance.now();
      });
      // The first one also starts the browser's processes.
      if (i > 0) times.push(time);
      await context.close();
    }
    if (report(`the lesson ${lesson} is drawn: median of 3`, quantile(times, 0.5), LIMIT, "ms")) missed.push(lesson);
  }
} finally {
  await browser.close();
}
process.exitCode = missed.length ? 1 : 0;
