// What is said of each scheme beside its figures.

import assert from "node:assert/strict";
import { eventually, journey, ready, stage, value, visit } from "./help.mjs";

stage();

// The cases that third-party code computed, as the reference harness counts them; none where there is no such code.
const SCHEMES = { sinusoidal: true, learned: false, rope: true, alibi: true, t5: true, none: false };

journey("each scheme: what it is, its formula, three links, mistakes, paper, what it was tested against", async ({ open }) => {
  for (const [scheme, numbers] of Object.entries(SCHEMES)) {
    const page = await open(`#/explore?figures=offset&schemes=${scheme}`);
    const about = page.locator(".about-scheme:has(.about-scheme__more)");
    assert.equal(await about.count(), 1);
    assert.deepEqual(await about.locator("h3").allInnerTexts(), ["Try this", "Often got wrong", "Source"], scheme);
    assert.ok((await about.locator("> p").first().innerText()).length > 60, scheme);
    assert.ok(await about.locator("math").count(), scheme);
    assert.equal(await about.locator(".tries a").count(), 3, scheme);
    const pitfalls = about.locator("h3 + ul:not(.tries) > li");
    assert.ok(await pitfalls.count(), scheme);
    assert.equal(await pitfalls.locator("a[href^='https://']").count(), await pitfalls.count(), `${scheme}: each has its source`);
    const sources = about.locator("h3 + p, p + p");
    const last = sources.last();
    const tested = await last.innerText();
    assert.match(tested, numbers ? /^Tested: agrees with third-party code in (\d+) of \1 cases/ : /^Tested by properties/, scheme);
    assert.equal(await last.locator("a[href^='https://']").count(), 1, scheme);
    assert.equal(await sources.first().locator("a[href^='https://']").count(), 1, `${scheme}: its paper`);
    await page.close();
  }
});

journey("what each setting does can be read without a mouse", async ({ open }) => {
  for (const scheme of Object.keys(SCHEMES)) {
    const page = await open(`#/explore?figures=offset&schemes=${scheme}`);
    const fields = await page.locator(".field[data-key]:has([id^='field-scheme-0-']) label").allInnerTexts();
    const settings = page.locator(".settings");
    assert.equal(await settings.count(), fields.length ? 1 : 0, scheme);
    if (fields.length) {
      await settings.locator("summary").focus();
      await page.keyboard.press("Enter");
      const named = await settings.locator("dt").allInnerTexts();
      assert.deepEqual(fields.filter((field) => !named.includes(field)), [], scheme);
      for (const help of await settings.locator("dd").allInnerTexts()) assert.match(help, /^[A-Z“].{10,}[.?]$/s, scheme);
    }
    await page.close();
  }
});

journey("every link to try opens, draws, and says nothing of repairs; Undo brings back what was there", async ({ open }) => {
  const page = await open("#/explore?schemes=sinusoidal,rope,alibi,t5&length=50");
  for (const scheme of ["sinusoidal", "learned", "rope", "alibi", "t5", "none"]) {
    const links = await (async () => {
      const other = await open(`#/explore?figures=offset&schemes=${scheme}`);
      const links = await other.locator(".about-scheme .tries a").evaluateAll((all) => all.map((link) => link.hash));
      await other.close();
      return links;
    })();
    for (const link of links) {
      await visit(page, link);
      await eventually(link, async () => !/play=true/.test(link) || (await page.getByRole("button", { name: "Pause" }).count()) > 0);
      await ready(page);
      assert.equal(await page.locator("[data-notice]").count(), 0, link);
      assert.equal(await page.locator(".figure__failed:visible").count(), 0, link);
    }
  }
  await page.goto(page.url().replace(/#.*/, "#/explore?schemes=rope&length=50"));
  await ready(page);
  await page.locator(".tries a").nth(1).click();
  await eventually("it is followed", async () => (await value(page, "length")) === 16384);
  await page.keyboard.press("Control+z");
  await eventually("it is undone", async () => (await value(page, "length")) === 50);
});
