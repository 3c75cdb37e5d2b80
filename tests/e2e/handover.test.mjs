// From the module of the first screens to the whole app.

import assert from "node:assert/strict";
import { address, eventually, figure, journey, ready, stage, summary } from "./help.mjs";

stage();

/** The modules that a page has fetched. */
function modules(page) {
  const fetched = [];
  page.on("request", (request) => {
    const name = /\/(app|whole|lab)\.[0-9a-f]+\.wasm/.exec(request.url())?.[1];
    if (name) fetched.push(name);
  });
  return fetched;
}

const shown = (page) =>
  page.locator("[data-figure]").evaluateAll((all) => all.map((figure) => figure.dataset.figure).join());
const picked = (page) => page.locator(".schemes__head select").evaluateAll((all) => all.map((list) => list.value).join());

journey("the first screen fetches the first module alone; a scheme that it lacks brings the whole", async ({ open, context }) => {
  const page = await context.newPage();
  const fetched = modules(page);
  await page.goto((await open("#/about")).url().replace(/#.*/, "#/explore"));
  await ready(page);
  assert.deepEqual(fetched, ["app"]);

  // A step to undo, made in the first module.
  await page.locator("#field-length").focus();
  await page.keyboard.press("ArrowRight");
  await ready(page);
  const length = await page.locator("#field-length").inputValue();
  await page.locator(".schemes__head select").focus();
  await page.locator(".schemes__head select").selectOption("alibi");
  await eventually("the whole app is there", () => fetched.includes("whole"));
  await eventually("ALiBi is chosen", async () => (await picked(page)) === "alibi");
  await ready(page);
  assert.match(await summary(page, "offset"), /ALiBi/);
  assert.equal(await page.locator("#field-length").inputValue(), length);
  assert.equal(await page.locator(".header").count(), 1, "one app is on the page");
  assert.equal(await page.locator("[data-whole]").isVisible(), false);

  // Undo reaches back over the change of modules, and redo forward again.
  await page.keyboard.press("Control+z");
  await ready(page);
  assert.equal(await picked(page), "sinusoidal");
  await page.keyboard.press("Control+z");
  await ready(page);
  assert.notEqual(await page.locator("#field-length").inputValue(), length);
  await page.keyboard.press("Control+y");
  await page.keyboard.press("Control+y");
  await ready(page);
  assert.equal(await picked(page), "alibi");
  await eventually("the address says it", async () => /schemes=alibi/.test(await address(page)));
  assert.deepEqual(fetched, ["app", "whole"]);
});

journey("a figure that the first module lacks, chosen with the keyboard, keeps the focus", async ({ open }) => {
  const page = await open("#/explore?length=100");
  const fetched = modules(page);
  await page.locator("#figure-similarity").focus();
  await page.keyboard.press("Space");
  await eventually("the figure is there", async () => (await shown(page)) === "heatmap,offset,similarity");
  await ready(page);
  await eventually("the focus is back", () => page.evaluate(() => document.activeElement.id === "figure-similarity"));
  assert.equal(await page.locator("#figure-similarity").isChecked(), true);
  assert.deepEqual(fetched, ["whole"]);
});

journey("a link that needs the whole app fetches only that", async ({ open, context }) => {
  const about = await open("#/about");
  const page = await context.newPage();
  const fetched = modules(page);
  await page.goto(about.url().replace(/#.*/, "#/embed?figures=bias&schemes=t5"));
  await ready(page);
  assert.deepEqual(fetched, ["whole"]);
  assert.ok(await figure(page, "bias").isVisible());
});

journey("a link typed into the address line", async ({ open }) => {
  const page = await open("#/explore?length=77");
  await page.evaluate(() => (location.hash = "#/explore?figures=rotation&schemes=rope&length=55"));
  await eventually("the figure is there", async () => (await shown(page)) === "rotation");
  await ready(page);
  assert.match(await address(page), /figures=rotation&schemes=rope&length=55/);
  await page.keyboard.press("Control+z");
  await eventually("undo shows the board before", async () => (await shown(page)) === "heatmap,offset");
});

journey("where the whole app cannot be had, everything stays, and a second try works", { trouble: true }, async ({ open, context }) => {
  const page = await open("#/explore?length=77");
  await context.route(/whole\.[0-9a-f]+\./, (route) => route.abort());
  await page.locator(".schemes__head select").selectOption("t5");
  await eventually("it is said", async () => /could not be fetched/.test(await page.locator("[data-whole]").innerText()));
  await ready(page);
  assert.equal(await picked(page), "sinusoidal");
  assert.equal(await page.locator("#recovery").isVisible(), false);
  await page.locator("#field-length").press("ArrowRight");
  await ready(page);
  await context.unroute(/whole\.[0-9a-f]+\./);
  await page.locator(".schemes__head select").selectOption("t5");
  await eventually("T5 is chosen", async () => (await picked(page)) === "t5");
  await ready(page);
  assert.notEqual(await page.locator("#field-length").inputValue(), "77");
});
