// Firefox by WebDriver BiDi.

import assert from "node:assert/strict";
import puppeteer from "puppeteer-core";
import { SITE } from "../../e2e/help.mjs";

/** Starts Firefox: `open(link, size)` gives a page, `close()` ends all. */
export async function launch() {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.PLACEWISE_FIREFOX ?? "/usr/bin/firefox-esr",
    headless: true,
  });
  return {
    name: await browser.version(),
    open: (link, size) => open(browser, link, size),
    close: () => browser.close(),
  };
}

async function open(browser, link, { width, height }) {
  // A context of its own stores nothing that another page finds.
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => {
    if (["error", "warn", "assert"].includes(message.type())) problems.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.message}`));
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} for ${response.url()}`);
  });
  // Some Firefoxes (ESR 140) do not know the orientation that the driver tells them beside the size.
  await page.setViewport({ width, height }).catch((error) => {
    if (!/unknown command emulation\.setScreenOrientationOverride/.test(error.message)) throw error;
  });
  await page.goto(new URL(link, SITE).href);
  assert.deepEqual(await page.evaluate(() => [innerWidth, innerHeight]), [width, height], "the window's size");
  return {
    evaluate: (act, given) => page.evaluate(act, given),
    press: (key) => page.keyboard.press(key),
    /** The pointer goes through the places, pressed. */
    async drag([first, ...rest]) {
      await page.mouse.move(first.x, first.y);
      await page.mouse.down();
      for (const { x, y } of rest) await page.mouse.move(x, y);
      await page.mouse.up();
    },
    async wheel({ x, y }, by) {
      await page.mouse.move(x, y);
      await page.mouse.wheel({ deltaY: by });
    },
    problems: () => problems,
    close: () => context.close(),
  };
}
