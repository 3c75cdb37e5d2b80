// What the journeys share: a browser, pages that fail on what must not happen, and short ways to read the app.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

/** Where the built site is served. */
export const SITE = (process.env.PLACEWISE_URL ?? "http://127.0.0.1:8080/").replace(/\/*$/, "/");

const FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--force-color-profile=srgb",
  "--hide-scrollbars",
];

/** Whether the site is a development build, which has no edition of one file and is not kept for when there is no network. */
export const development = async () => (await (await fetch(`${SITE}sw.js`)).text()).includes("FILES = [];");

/** Starts the browser, with more flags if need be. */
export function launch(more = []) {
  return chromium.launch({ executablePath: process.env.PLACEWISE_CHROMIUM ?? "/usr/bin/chromium", args: [...FLAGS, ...more] });
}

let browser;

/** One browser for all journeys of a file. */
export function stage() {
  before(async () => {
    browser = await launch();
  });
  after(() => browser?.close());
}

/** Writes down what must not happen on a page: messages of trouble, requests to elsewhere or in vain. */
function watch(context, sites) {
  const problems = [];
  const origins = sites.map((site) => new URL(site).origin);
  context.on("page", (page) => {
    page.on("console", (message) => {
      // That it is not kept is said by the driver.
      if (["error", "warning", "assert"].includes(message.type()) && !/^Service Worker registration blocked/.test(message.text())) {
        problems.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
      }
    });
    page.on("pageerror", (error) => problems.push(`uncaught: ${error.message}`));
    page.on("crash", () => problems.push("the page crashed"));
  });
  context.on("weberror", (error) => problems.push(`uncaught: ${error.error().message}`));
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (!origins.includes(url.origin) && !["data:", "blob:", "about:"].includes(url.protocol)) {
      problems.push(`a request off the origin: ${url}`);
    }
  });
  context.on("response", (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} for ${response.url()}`);
  });
  return problems;
}

const DESK = { viewport: { width: 1280, height: 800 } };

/**
 * A test with a browser context of its own. `options` are Playwright's for a context, and `origins` of other
 * places that are visited, `trouble` where console errors are what the test is about, `prepare` what is done to the
 * context before the first page. `act` is given `open`, which opens a link in a new tab and waits until it is drawn.
 */
export function journey(name, options, act) {
  if (typeof options === "function") [options, act] = [{}, options];
  const { origins = () => [], trouble = false, prepare, timeout = 120_000, ...rest } = options;
  test(name, { timeout }, async () => {
    // The site is not kept: what one journey was given is not another's.
    const context = await browser.newContext({ ...DESK, serviceWorkers: "block", ...rest });
    const problems = watch(context, [SITE, ...origins()]);
    try {
      await prepare?.(context);
      const open = async (link = "", wait = true) => {
        const page = await context.newPage();
        page.setDefaultTimeout(20_000);
        await page.goto(SITE + link);
        if (wait) await ready(page);
        return page;
      };
      await act({ open, context, browser, problems });
      if (!trouble) assert.deepEqual(problems, [], "the browser reported trouble");
    } catch (error) {
      if (!trouble && problems.length) error.message += `\nThe browser reported: ${problems.join("\n")}`;
      throw error;
    } finally {
      await context.close();
    }
  });
}

/**
 * Waits until everything on screen is drawn: `documentElement.dataset.ready`. Comes back with its number.
 * What was done before it is called has begun to be drawn by then: events are handled before the next task.
 */
export function ready(page, { after: past = 0, timeout = 60_000 } = {}) {
  return page.evaluate(
    ({ past, timeout }) =>
      new Promise((resolve, reject) => {
        const begin = performance.now();
        const look = () => {
          const number = Number(document.documentElement.dataset.ready ?? 0);
          if (number > past) resolve(number);
          else if (performance.now() - begin > timeout) {
            const { failed } = document.documentElement.dataset;
            const why = failed === undefined ? "it is pending" : document.getElementById("recovery-detail").textContent;
            reject(new Error(`the page is not ready after ${timeout} ms: ${why}`));
          } else setTimeout(look, 15);
        };
        setTimeout(look, 30);
      }),
    { past, timeout },
  );
}

/**
 * Goes to a link as when it is typed into the address line; comes back when it is drawn. The event that tells the app
 * is waited for: on a busy machine it comes later than a look at the page.
 */
export async function visit(page, link) {
  await page.evaluate(
    (link) =>
      new Promise((resolve) => {
        if (location.hash === link) return resolve();
        addEventListener("hashchange", () => resolve(), { once: true });
        location.hash = link;
      }),
    link,
  );
  return ready(page);
}

/** Calls until it returns something true. */
export async function eventually(what, look, timeout = 10_000) {
  const begin = Date.now();
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    assert.ok(Date.now() - begin < timeout, `not within ${timeout} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** A figure's root. */
export const figure = (page, id) => page.locator(`[data-figure="${id}"]`);
/** A figure's canvas. */
export const canvas = (page, id) => figure(page, id).locator("canvas");
/** A figure's one sentence. */
export const summary = (page, id) => figure(page, id).locator(".figure__summary").innerText();
/** A figure's values at the cursor, by their labels. */
export function readings(page, id) {
  return figure(page, id)
    .locator(".reading")
    .evaluateAll((rows) =>
      rows.map((row) => [
        row.querySelector(".reading__label").textContent,
        row.querySelector(".reading__value").textContent,
      ]),
    );
}

/** Opens a figure's table, if it is not open, and reads it. */
export async function table(page, id) {
  const toggle = figure(page, id).locator(".figure__toggle");
  if ((await toggle.getAttribute("aria-expanded")) === "false") {
    await toggle.click();
    await ready(page);
  }
  return figure(page, id)
    .locator("table")
    .evaluate((table) => {
      const cells = (row) => [...row.cells].map((cell) => cell.textContent);
      return {
        caption: table.caption.textContent,
        head: cells(table.tHead.rows[0]),
        rows: [...table.tBodies[0].rows].map(cells),
      };
    });
}

/** A number as the app writes it. */
export function number(text) {
  const raised = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  const plain = text
    .trim()
    .replaceAll(/[\u202f\u2009 ]/g, "")
    .replaceAll("\u2212", "-")
    .replace(/×10(⁻?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/, (_, sign, power) => `e${sign && "-"}${[...power].map((c) => raised.indexOf(c)).join("")}`);
  assert.match(plain, /^-?\d+(\.\d+)?(e-?\d+)?$/, `“${text}” is no number`);
  return Number(plain);
}

/** Fails unless a number that is shown with six digits is this one. */
export function near(shown, wanted, what) {
  const given = typeof shown === "string" ? number(shown) : shown;
  const most = 6e-6 * Math.max(Math.abs(wanted), 1e-5) + 1e-15;
  assert.ok(Math.abs(given - wanted) <= most, `${what}: ${shown} is shown, and it is ${wanted}`);
}

/** The sinusoid of the paper at a position, in one dimension of an interleaved row. */
export function sinusoid(position, dim, width, base = 10_000) {
  const angle = position * base ** (-(dim - (dim % 2)) / width);
  return dim % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
}

/** A parameter's slider, list or box: `length`, `scheme-0-base`, `offset-axis`. */
export const control = (page, key) => page.locator(`#field-${key}`);
/** The number field beside a slider. */
export const typed = (page, key) => control(page, key).locator("xpath=following-sibling::input");
/** What a number field says. */
export const value = async (page, key) => number(await typed(page, key).inputValue());

/** Types a number and leaves the field. */
export async function type(page, key, text) {
  await typed(page, key).fill(text);
  await typed(page, key).press("Enter");
  await ready(page);
}

/** The link in the address line. */
export const address = (page) => page.evaluate(() => location.hash);

/** The address once it is this (a text or a pattern), within the second that the contract gives. */
export async function followed(page, wanted) {
  let seen;
  const fits = () => (wanted instanceof RegExp ? wanted.test(seen) : seen === wanted);
  const begin = Date.now();
  do {
    seen = await address(page);
    if (fits()) return seen;
    await new Promise((resolve) => setTimeout(resolve, 20));
  } while (Date.now() - begin < 3000);
  assert.fail(`the address is ${seen} and not ${wanted}`);
}

/** All settings' controls with what they say, by their ids. */
export function controls(page) {
  return page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll("[id^=field-]")]
        .filter((element) => element.matches("input, select, textarea"))
        .map((element) => [
          element.id,
          element.type === "checkbox" ? element.checked : element.type === "range" ? element.ariaValueText : element.value,
        ]),
    ),
  );
}

/**
 * The pixels of a figure: its size in them, how many colours there are, and a number that stands for all of them.
 * They are read from a copy: a canvas that is read often is drawn otherwise.
 */
export function pixels(page, id) {
  return canvas(page, id).evaluate((canvas) => {
    const { width, height } = canvas;
    const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const data = new Uint32Array(copy.getImageData(0, 0, width, height).data.buffer);
    let hash = 2166136261;
    const colours = new Set();
    for (const pixel of data) {
      hash = Math.imul(hash ^ pixel, 16777619);
      if (colours.size < 1000) colours.add(pixel);
    }
    return { width, height, colours: colours.size, hash };
  });
}

/** The place of a figure's canvas on screen, scrolled into sight. */
export async function box(page, id) {
  await canvas(page, id).scrollIntoViewIfNeeded();
  return canvas(page, id).boundingBox();
}

/** Rests the pointer on a figure at shares of its width and height. */
export async function point(page, id, across, down) {
  const { x, y, width, height } = await box(page, id);
  await page.mouse.move(x + across * width, y + down * height);
  await ready(page);
}

/** Whether the page can be scrolled sideways. */
export const overhang = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
