// Pictures for previews of the pages of text: the first figure of each lesson and question, as it is drawn. Run by
// `cargo xtask cards` with the folder to write to, and a JSON file of names and links.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [folder, list] = process.argv.slice(2);
const cards = JSON.parse(readFileSync(list, "utf8"));
// What previews show is about twice as wide as it is high.
const SIZE = { width: 800, height: 420 };
const QUALITY = 72;

const browser = await chromium.launch({
  executablePath: process.env.PLACEWISE_CHROMIUM,
  args: ["--headless=new", "--no-sandbox", "--disable-gpu"],
});
try {
  const page = await browser.newPage({ viewport: SIZE, colorScheme: "light", reducedMotion: "reduce" });
  for (const [name, link] of Object.entries(cards)) {
    await page.goto("about:blank");
    await page.goto(process.env.PLACEWISE_URL + link.replace("#/explore", "#/embed").replace("&play=true", ""));
    await page.waitForFunction(() => document.documentElement.dataset.ready, undefined, { timeout: 60_000 });
    // A picture has no buttons.
    await page.evaluate(() => document.querySelectorAll(".figure__tools, .board__move").forEach((tools) => (tools.hidden = true)));
    const top = await page.locator("[data-figure]").first().evaluate((figure) => figure.getBoundingClientRect().top + scrollY);
    const picture = await page.screenshot({
      type: "jpeg",
      quality: QUALITY,
      fullPage: true,
      clip: { x: 0, y: Math.max(0, Math.round(top) - 8), ...SIZE },
    });
    writeFileSync(join(folder, `${name}.jpg`), picture);
    console.log(`${name}.jpg ${picture.length}`);
  }
} finally {
  await browser.close();
}
