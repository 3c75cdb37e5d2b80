// Without a mouse.

import assert from "node:assert/strict";
import { canvas, figure, followed, journey, ready, stage, value } from "./help.mjs";

stage();

/** What has the focus: a name for it, and how the focus is shown. */
function focused(page) {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const style = getComputedStyle(element);
    const { x, y, width, height } = element.getBoundingClientRect();
    const label = element.labels?.[0]?.textContent.trim();
    const own = element.id || element.getAttribute("aria-label") || label || element.textContent.trim().slice(0, 40);
    const within = element.closest("[data-figure]")?.dataset.figure;
    return {
      name: `${element.tagName.toLowerCase()} ${element.tagName === "CANVAS" ? within : own}`,
      within,
      place: element.closest(".explore__controls") ? "controls" : element.closest(".board") ? "figures" : element.closest("header") ? "header" : "other",
      outline: style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 2,
      seen: width > 0 && height > 0 && x + width > 0 && y + height > 0 && y < innerHeight,
    };
  });
}

async function walk(page, most = 200) {
  const stops = [];
  await page.evaluate(() => document.activeElement?.blur());
  for (let i = 0; i < most; i += 1) {
    await page.keyboard.press("Tab");
    const stop = await focused(page);
    if (!stop) break;
    stops.push(stop);
  }
  return stops;
}

journey("Tab reaches every control and every figure, in order, and shows where it is", async ({ open }) => {
  const page = await open("#/explore?figures=heatmap,offset,rotation&schemes=sinusoidal,rope&length=65");
  const stops = await walk(page);
  for (const stop of stops) {
    assert.ok(stop.outline, `${stop.name}: the focus is visible`);
    assert.ok(stop.seen, `${stop.name} is in sight`);
  }
  const names = stops.map((stop) => stop.name);
  for (const id of ["heatmap", "offset", "rotation"]) assert.ok(names.includes(`canvas ${id}`), `${id} is reached`);
  // Everything that can be used is reached.
  const all = await page.evaluate(() =>
    [...document.querySelectorAll("a[href], button, input, select, textarea, summary, canvas[tabindex]")]
      .filter((element) => !element.disabled && element.checkVisibility())
      .map((element) => element.id || element.getAttribute("aria-label") || element.textContent.trim().slice(0, 40)),
  );
  for (const name of all) {
    assert.ok(
      names.some((stop) => stop.endsWith(name)) || names.includes(`canvas ${name}`) || /^(Position|Score|Clock)/.test(name),
      `${name} is reached`,
    );
  }
  assert.ok(all.length > 30, `${all.length} things can be used`);
  // The header, then the figures, then their controls: no jumping to and fro.
  const places = stops.map((stop) => stop.place).filter((place, i, list) => place !== list[i - 1]);
  assert.equal(new Set(places).size, places.filter((place) => place !== "other").length + (places.includes("other") ? 1 : 0), `${places}`);
  assert.equal(places[0], "header");
  const twice = stops.filter((stop, i) => stop.name === stops[i - 1]?.name).map((stop) => stop.name);
  assert.deepEqual(twice, [], "no stop twice in a row");
});

journey("Shift+Tab goes back the same way", async ({ open }) => {
  const page = await open();
  const names = (await walk(page)).map((stop) => stop.name);
  const back = [];
  for (let i = 0; i < names.length; i += 1) {
    await page.keyboard.press("Shift+Tab");
    const stop = await focused(page);
    if (!stop) break;
    back.push(stop.name);
  }
  assert.deepEqual(back.reverse().slice(-names.length), names.slice(-back.length));
});

journey("a whole visit by keyboard", async ({ open }) => {
  const page = await open();
  const to = async (name) => {
    for (let i = 0; i < 120; i += 1) {
      await page.keyboard.press("Tab");
      if ((await focused(page))?.name === name) return;
    }
    assert.fail(`${name} was not reached`);
  };
  await to("a Explore");
  await page.keyboard.press("Enter");
  // The first screen was ready too, and has a heatmap of its own.
  await page.locator("#field-position").waitFor();
  await ready(page);
  await to("canvas heatmap");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await ready(page);
  assert.equal(await value(page, "position"), 14);
  await to("canvas offset");
  await page.keyboard.press("PageUp");
  await ready(page);
  assert.equal(await value(page, "offset"), 14);
  await to("select scheme-0");
  // A list answers to letters.
  await page.keyboard.type("RoPE");
  await ready(page);
  await to("input field-scheme-0-rope_theta");
  await page.keyboard.press("ArrowRight");
  await ready(page);
  const theta = await value(page, "scheme-0-rope_theta");
  assert.ok(theta > 10_000);
  await followed(page, `#/explore?schemes=rope(rope_theta=${theta})&position=14&offset=14`);
  await page.keyboard.press("Control+z");
  await ready(page);
  assert.equal(await value(page, "scheme-0-rope_theta"), 10_000);
});

journey("the table by keyboard: opened, scrolled, paged, closed", async ({ open }) => {
  const page = await open("#/explore?length=500");
  const heatmap = figure(page, "heatmap");
  const toggle = heatmap.locator(".figure__toggle");
  await toggle.focus();
  await page.keyboard.press("Enter");
  await ready(page);
  assert.equal(await toggle.getAttribute("aria-expanded"), "true");
  assert.ok(await heatmap.locator("table").isVisible());
  const region = heatmap.locator(".figure__scroll");
  await region.focus();
  await page.keyboard.press("End");
  const caption = () => heatmap.locator("caption").innerText();
  const first = await caption();
  const next = heatmap.getByRole("button", { name: "Next page" });
  await next.focus();
  await page.keyboard.press("Space");
  await ready(page);
  assert.notEqual(await caption(), first);
  await heatmap.getByRole("button", { name: "Page before" }).focus();
  await page.keyboard.press("Enter");
  await ready(page);
  assert.equal(await caption(), first);
  await toggle.focus();
  await page.keyboard.press("Space");
  await ready(page);
  assert.equal(await heatmap.locator("table").count(), 0);
});

journey("the summary is announced when the cursor rests, not at every step", async ({ open }) => {
  const page = await open();
  const summary = figure(page, "heatmap").locator(".figure__summary");
  assert.equal(await summary.getAttribute("aria-live"), null, "what is seen at once is not said at once");
  const spoken = figure(page, "heatmap").locator(".figure__summary + [aria-live=polite]");
  await spoken.evaluate((element) => {
    window.said = 0;
    new MutationObserver(() => (window.said += 1)).observe(element, { childList: true, characterData: true, subtree: true });
  });
  await canvas(page, "heatmap").focus();
  for (let i = 0; i < 8; i += 1) await page.keyboard.press("ArrowDown");
  await ready(page);
  assert.match(await summary.innerText(), /position 20/);
  assert.equal(await spoken.textContent(), await summary.textContent());
  const said = await page.evaluate(() => window.said);
  assert.ok(said >= 1 && said <= 4, `it was said ${said} times for eight steps`);
});

journey("names for whoever cannot see", async ({ open }) => {
  const page = await open("#/explore?figures=heatmap,offset,rotation&schemes=sinusoidal,rope");
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("button, a[href], input, select, textarea, canvas, section")]
      .filter((element) => element.checkVisibility())
      .filter((element) => {
        const labels = [...(element.labels ?? [])].map((label) => label.textContent).join("");
        const by = document.getElementById(element.getAttribute("aria-labelledby") ?? "")?.textContent;
        return !(element.getAttribute("aria-label") || by || labels.trim() || element.textContent.trim());
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  );
  assert.deepEqual(nameless, []);
  assert.equal(await page.getByRole("img", { name: /Position × dimension\. Sinusoidal at position 12/ }).count(), 1);
  assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1);
});

journey("Escape closes the sheet of controls", { viewport: { width: 360, height: 640 } }, async ({ open }) => {
  const page = await open("#/explore");
  const sheet = page.getByRole("button", { name: "Controls" });
  await sheet.click();
  await page.locator("#field-length").focus();
  await page.keyboard.press("Escape");
  assert.equal(await sheet.getAttribute("aria-expanded"), "false");
  assert.ok(await page.locator("#field-length").isHidden());
  assert.match((await focused(page)).name, /Controls/);
});

journey("when the notices go, the focus stays on the page", async ({ open }) => {
  const page = await open("#/explore?length=0");
  await page.getByRole("button", { name: "Dismiss" }).press("Enter");
  assert.equal(await page.locator("[data-notice]").count(), 0);
  assert.match((await focused(page)).name, /^main/);
});

journey("a list that brings other fields keeps the focus", async ({ open }) => {
  const page = await open("#/explore?figures=spectrum&schemes=rope");
  for (const [id, option, key] of [["field-scheme-0-rope_type", "yarn", "beta_fast"], ["model-0", "llama-3.1", "low_freq_factor"]]) {
    const list = page.locator(`[id="${id}"]`);
    await list.focus();
    await list.selectOption(option);
    await ready(page);
    await page.locator(`[id="field-scheme-0-${key}"]`).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), id);
  }
});
