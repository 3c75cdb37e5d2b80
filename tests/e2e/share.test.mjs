// The dialog for sharing: its links, snippets and QR code, the keyboard, and the module that has it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import jsQR from "jsqr";
import { PNG } from "pngjs";
import { SITE, eventually, figure, journey, ready, stage } from "./help.mjs";

stage();

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const BOARD = "#/explore?figures=offset,rotation&schemes=rope(rope_theta=500000)&length=200";

/** Opens the dialog of the page or of a figure. */
async function share(page, id) {
  await (id ? figure(page, id).locator(".figure__share") : page.locator("#share-page")).click();
  await page.locator("dialog[open]").waitFor();
  await ready(page);
  return page.locator("dialog.share");
}

const part = (dialog, name) => dialog.getByRole("radio", { name, exact: true }).check({ force: true });
const text = (dialog) => dialog.locator(".share__text").inputValue();

/** A page elsewhere that holds these snippets. */
async function host(html, act) {
  const server = createServer((_, response) => {
    response.writeHead(200, { "Content-Type": "text/html" });
    response.end(`<!doctype html><html lang="en"><title>host</title><body>${html}</body></html>`);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await act(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.close();
  }
}

journey("the first screen's button brings the dialog, and Escape gives the focus back", async ({ open }) => {
  const page = await open();
  await page.locator("#share-page").focus();
  await page.keyboard.press("Enter");
  const dialog = page.locator("dialog[open]");
  await dialog.waitFor();
  await ready(page);
  assert.equal(await text(dialog), `${SITE}#/`);
  assert.ok(await page.evaluate(() => document.querySelector("dialog").contains(document.activeElement)));
  await page.keyboard.press("Escape");
  await eventually("the dialog is closed", async () => (await page.locator("dialog[open]").count()) === 0);
  assert.equal(await page.evaluate(() => document.activeElement.id), "share-page");
  // And again, by the button that closes it.
  await page.keyboard.press("Enter");
  await dialog.waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  assert.equal(await page.evaluate(() => document.activeElement.id), "share-page");
});

journey("it is closed and asked for again before the browser has told of its end", async ({ open }) => {
  const page = await open(BOARD);
  await share(page);
  await page.evaluate(() => {
    document.querySelector("dialog").close();
    document.getElementById("share-page").click();
  });
  // The browser tells of it in a task of its own.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  assert.equal(await text(page.locator("dialog[open]")), `${SITE}${BOARD}`);
  await page.keyboard.press("Escape");
  await eventually("it is empty", async () => (await page.locator("dialog *").count()) === 0);
});

journey("a figure's button on the first screen shares that figure", async ({ open }) => {
  const page = await open("#/?length=100");
  const dialog = await share(page, "offset");
  assert.equal(await text(dialog), `${SITE}#/explore?figures=offset&length=100`);
});

journey("the QR code says the link, with what was chosen for the reader", async ({ open }) => {
  const page = await open(BOARD);
  const dialog = await share(page);
  await dialog.getByLabel("theme").selectOption("dark");
  await dialog.getByLabel("palette").selectOption("grey");
  const wanted = `${SITE}${BOARD}&theme=dark&palette=grey`;
  await eventually("the link has both", async () => (await text(dialog)) === wanted);
  const code = dialog.getByRole("img", { name: "QR code" });
  await code.scrollIntoViewIfNeeded();
  const picture = PNG.sync.read(await code.screenshot());
  assert.equal(jsQR(new Uint8ClampedArray(picture.data), picture.width, picture.height)?.data, wanted);
  // The page itself stays as it was.
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), undefined);
});

journey("without a clipboard the text is selected", async ({ open }) => {
  const page = await open(BOARD);
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  const dialog = await share(page);
  await dialog.getByRole("button", { name: "Copy", exact: true }).click();
  await dialog.getByText("The text is selected").waitFor();
  assert.equal(await page.evaluate(() => getSelection().toString() || document.activeElement.value), `${SITE}${BOARD}`);
});

journey("the frame's snippet, pasted elsewhere, shows the figure with the controls that were chosen", { permissions: ["clipboard-read", "clipboard-write"] }, async ({ open, browser }) => {
  const page = await open(BOARD);
  const dialog = await share(page, "offset");
  await part(dialog, "Embed");
  await dialog.getByText("Controls that the reader gets").click();
  await dialog.locator('input[value="offset.axis"]').check();
  await dialog.getByText("Controls that the reader gets: 1").waitFor();
  await dialog.getByRole("button", { name: "Copy", exact: true }).click();
  await dialog.getByText("Text copied").waitFor();
  const snippet = await page.evaluate(() => navigator.clipboard.readText());
  const source = /src="([^"]*)"/.exec(snippet)[1].replaceAll("&amp;", "&");
  assert.equal(source, `${SITE}#/embed?figures=offset&schemes=rope(rope_theta=500000)&length=200&controls=offset.axis`);
  await host(`<div style="width: 640px">${snippet}</div>`, async (address) => {
    // A page of another origin: what is watched for here is not of it.
    const elsewhere = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const other = await elsewhere.newPage();
    await other.goto(address);
    const frame = other.frameLocator("iframe");
    await frame.locator('[data-figure="offset"] canvas').waitFor();
    await eventually("the figure speaks", async () => /offset/i.test(await frame.locator(".figure__summary").innerText()));
    assert.equal(await frame.locator("[data-notice]").count(), 0);
    assert.equal(await frame.locator(".figure__share:visible").count(), 0, "an embed has its link back, and no dialog");
    const fits = await other.locator("iframe").evaluate((one) => one.clientHeight);
    const needs = await frame.locator(".embed").evaluate((one) => one.scrollHeight);
    assert.ok(fits >= needs && fits < needs + 300, `${fits} for ${needs}`);
    await elsewhere.close();
  });
});

journey("the element's snippet, pasted elsewhere, shows the figure at its height", async ({ open, browser }) => {
  const page = await open(BOARD);
  const dialog = await share(page, "rotation");
  await part(dialog, "Embed");
  for (const kind of ["element", "mdbook"]) {
    await dialog.getByLabel("for", { exact: true }).selectOption(kind);
    const snippet = await text(dialog);
    await host(`<div style="width: 640px">${snippet}</div>`, async (address) => {
      const elsewhere = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const other = await elsewhere.newPage();
      await other.goto(address);
      const frame = other.locator("placewise-figure").frameLocator("iframe");
      await frame.locator('[data-figure="rotation"] canvas').waitFor();
      await eventually("the frame is as high as what is in it", async () => {
        const [fits, needs] = [await other.locator("placewise-figure iframe").evaluate((one) => one.clientHeight), await frame.locator(".page").evaluate((one) => one.scrollHeight)];
        return Math.abs(fits - needs) <= 2;
      });
      await elsewhere.close();
    });
  }
});

journey("code is of the scheme, its parameters and the language that were chosen, and where there is none that is said", { permissions: ["clipboard-read", "clipboard-write"] }, async ({ open }) => {
  const page = await open("#/explore?figures=attention&schemes=rope(rope_theta=500000),cope,none&length=77");
  const dialog = await share(page);
  await part(dialog, "Code");
  assert.match(await text(dialog), /import numpy as np\n\nlength = 77\n(.*\n)*rope_theta = 500000\.0\n/);
  await dialog.getByLabel("language").selectOption("torch");
  assert.match(await text(dialog), /import torch\n/);
  await dialog.getByLabel("scheme").selectOption("1");
  assert.match(await text(dialog), /class Random:\n(.*\n)*e = Random\(0x436F\)\.matrix\(npos_max, head_dim\)/);
  await dialog.getByLabel("language").selectOption("rust");
  const code = await text(dialog);
  assert.match(code, /Config::parse\("cope"\)/);
  await dialog.getByRole("button", { name: "Copy", exact: true }).click();
  await dialog.getByText("Code copied").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), code);
  await dialog.getByLabel("scheme").selectOption("2");
  await dialog.getByText("there is nothing to compute").waitFor();
  assert.equal(await dialog.getByRole("button", { name: "Copy", exact: true }).count(), 0);
});

journey("the preview is the embed, at three widths", async ({ open }) => {
  const page = await open(BOARD);
  const dialog = await share(page);
  await part(dialog, "Embed");
  for (const [name, width] of [["320 pixels", 320], ["640 pixels", 640], ["full width", null]]) {
    await dialog.getByRole("radio", { name }).check();
    const frame = dialog.frameLocator("iframe");
    await frame.locator('[data-figure="rotation"] canvas').waitFor();
    const seen = await dialog.locator("iframe").evaluate((one) => [one.clientWidth, one.parentElement.clientWidth]);
    assert.equal(seen[0], width ?? seen[1]);
    const heights = () => dialog.locator("iframe").evaluate((one) => [one.clientHeight, one.contentDocument.getElementById("main").getBoundingClientRect().height]);
    // Nothing is cut off, and there is no bar to scroll by; a line that comes and goes is no reason to shrink.
    await eventually(`${name}: all of it is seen`, async () => {
      const [high, inside] = await heights();
      return inside <= high && high < inside + 80;
    });
    const [high] = await heights();
    if (width === 640) await eventually("the frame's snippet has that height", async () => (await text(dialog)).includes(` height="${high}"`));
  }
});

for (const [width, colorScheme] of [[320, "light"], [360, "dark"], [1280, "light"]]) {
  journey(`no violation and no sideways scroll, ${width} px, ${colorScheme}`, { viewport: { width, height: 740 }, colorScheme }, async ({ open }) => {
    const page = await open(BOARD);
    const dialog = await share(page, "rotation");
    await page.evaluate(AXE);
    for (const name of await dialog.locator(".share__tab").allInnerTexts()) {
      await part(dialog, name);
      await ready(page);
      const found = await page.evaluate(() =>
        globalThis.axe.run(document.querySelector("dialog"), {
          runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
          resultTypes: ["violations"],
        }),
      );
      assert.deepEqual(found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(" ")}`), [], name);
      const wide = await page.evaluate(() => {
        const dialog = document.querySelector("dialog");
        return [dialog.scrollWidth - dialog.clientWidth, document.documentElement.scrollWidth - innerWidth];
      });
      assert.ok(wide.every((by) => by <= 0), `${name}: ${wide}`);
    }
  });
}
