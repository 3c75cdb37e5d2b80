// WebKit by its WebDriver, with a display of its own: it has no headless mode.

import { spawn } from "node:child_process";
import webdriver from "selenium-webdriver";
import { eventually } from "../../e2e/help.mjs";
import { free } from "../../lib/port.mjs";
import { relay } from "./relay.mjs";

const { Builder, Button, Capabilities, Key, Origin } = webdriver;

const SCREEN = { width: 1600, height: 1200 };
// JavaScriptCore on Linux now and then reads outside a module's memory, or ends the page's process, in modules that other engines run
// and that have no unsafe code of ours (WebKit bug 259441; tauri-apps/tauri#7154, oven-sh/bun#17146).
const ENGINE = /Out of bounds memory access|page crash or hang|^WebDriverError:?\s*$|^NoSuchSessionError/;
// A window of MiniBrowser is not made narrower than its tool bar.
const NARROWEST = 500;

/** Starts WebKit: `open(link, size)` gives a page, `close()` ends all. */
export async function launch() {
  const begun = [];
  const close = async () => {
    for (const end of begun.reverse()) await end();
  };
  try {
    const site = await relay();
    begun.push(site.close);
    const display = await screen();
    begun.push(display.close);
    const port = await free();
    const server = start(process.env.PLACEWISE_WEBKIT_DRIVER ?? "WebKitWebDriver", [`--port=${port}`], {
      DISPLAY: display.name,
      // There is no graphics card, and root has no sandbox.
      WEBKIT_DISABLE_COMPOSITING_MODE: "1",
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
    });
    begun.push(server.close);
    const address = `http://127.0.0.1:${port}`;
    await eventually("WebKitWebDriver answers", () => Promise.race([server.failed, fetch(`${address}/status`).then((answer) => answer.ok, () => false)]));
    const driver = await new Builder().disableEnvironmentOverrides().usingServer(address).withCapabilities(capabilities()).build();
    begun.push(() => driver.quit());
    await driver.manage().setTimeouts({ script: 120_000 });
    return {
      name: `WebKitGTK ${(await driver.getCapabilities()).getBrowserVersion()}`,
      open: (link, size) => open(driver, site, link, size),
      close,
      broke: (told) => told.some((trouble) => ENGINE.test(trouble)),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function capabilities() {
  const binary = process.env.PLACEWISE_MINIBROWSER ?? "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";
  return new Capabilities({ browserName: "MiniBrowser", "webkitgtk:browserOptions": { binary, args: ["--automation"] } });
}

/** A program that runs until it is closed; `failed` is rejected where it cannot be started or ends by itself. */
function start(program, args, env, stdio = "ignore") {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio });
  let ending = false;
  const ended = new Promise((resolve) => child.once("close", resolve));
  const failed = new Promise((_, reject) => {
    child.once("error", reject);
    ended.then((code) => ending || reject(new Error(`${program} ended with ${code}`)));
  });
  failed.catch(() => {}); // whoever waits for it is told
  const close = async () => {
    ending = true;
    if (child.exitCode === null && child.kill()) await ended;
  };
  return { child, failed, close };
}

/** A display that nobody sees. It chooses its number itself. */
async function screen() {
  const size = `${SCREEN.width}x${SCREEN.height}x24`;
  const stdio = ["ignore", "ignore", "ignore", "pipe"];
  const { child, failed, close } = start("Xvfb", ["-displayfd", "3", "-screen", "0", size, "-nolisten", "tcp"], {}, stdio);
  const number = new Promise((resolve) => {
    let said = "";
    child.stdio[3].on("data", (text) => {
      said += text;
      if (said.includes("\n")) resolve(said.trim());
    });
  });
  return { name: `:${await Promise.race([number, failed])}`, close };
}

async function open(driver, site, link, { width, height }) {
  const window = driver.manage().window();
  await window.setRect({ x: 0, y: 0, width: Math.max(width, NARROWEST), height });
  if (width < NARROWEST) {
    await driver.get(site.frame(link, { width, height }));
    await driver.switchTo().frame(0);
  } else {
    // The tool bar is in the window's size.
    const [across, down] = await driver.executeScript("return [outerWidth - innerWidth, outerHeight - innerHeight]");
    await window.setRect({ width: width + across, height: height + down });
    await driver.get("about:blank"); // another link on the same page would load nothing
    await driver.get(new URL(link, site.address).href);
  }
  const evaluate = async (act, given) => {
    const { value, error } = await driver.executeAsyncScript(
      `const [given, done] = arguments;
       Promise.resolve(given).then(${act}).then((value) => done({ value }), (error) => done({ error: String(error) }));`,
      given ?? null,
    );
    if (error) throw new Error(error);
    return value;
  };
  return {
    evaluate,
    press: (key) => driver.actions().sendKeys(KEYS[key] ?? key).perform(),
    async drag([first, ...rest]) {
      const at = ({ x, y }) => ({ x: Math.round(x), y: Math.round(y), origin: Origin.VIEWPORT, duration: 20 });
      let actions = driver.actions().move(at(first)).press(Button.LEFT);
      for (const place of rest) actions = actions.move(at(place));
      await actions.release(Button.LEFT).perform();
    },
    wheel: ({ x, y }, by) => driver.actions().scroll(Math.round(x), Math.round(y), 0, by, Origin.VIEWPORT).perform(),
    problems: () => evaluate(() => globalThis.placewiseTrouble ?? ["nobody listened for trouble"]),
    close: () => driver.switchTo().defaultContent(),
  };
}

const KEYS = {
  ArrowDown: Key.ARROW_DOWN,
  ArrowLeft: Key.ARROW_LEFT,
  ArrowRight: Key.ARROW_RIGHT,
  ArrowUp: Key.ARROW_UP,
  End: Key.END,
  Enter: Key.ENTER,
  Home: Key.HOME,
  PageDown: Key.PAGE_DOWN,
  PageUp: Key.PAGE_UP,
  Space: Key.SPACE,
  Tab: Key.TAB,
};
