// Lessons: each one walked by keyboard, its questions answered wrong and right; figures that stand beside what is read.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { address, eventually, followed, journey, overhang, ready, stage, visit } from "./help.mjs";

stage();

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const FOLDER = new URL("../../static/lessons/en/", import.meta.url);
const LESSONS = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".md") && file !== "README.md")
  .map((file) => ({ name: file.replace(/^\d+-|\.md$/g, ""), text: readFileSync(new URL(file, FOLDER), "utf8") }));
const ORDER = "#/learn/order";
const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };

/** Presses Tab until this has the focus. */
async function tab(page, wanted, most = 200) {
  for (let i = 0; i < most; i += 1) {
    await page.keyboard.press("Tab");
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
  }
  assert.fail(`not reached by ${most} tabs: ${wanted}`);
}

/** The places of an ask's right answer and of a wrong one. */
function answers(block) {
  const marks = [...block.matchAll(/^- \[(.)\]/gm)].map(([, mark]) => mark === "x");
  if (marks.length) return { right: marks.indexOf(true), wrong: marks.indexOf(false) };
  const right = /^verdict: true/m.test(block) ? 0 : 1;
  return { right, wrong: 1 - right };
}

for (const { name, text } of LESSONS) {
  journey(`${name}, by keyboard`, { timeout: 240_000 }, async ({ open }) => {
    const page = await open(`#/learn/${name}`);
    assert.equal(await page.title(), `${/^title: (.*)$/m.exec(text)[1].trim()} · Placewise`);
    assert.equal(await page.locator("h1").count(), 1);
    const blocks = [...text.matchAll(/^```(predict|question|claim)\n([^]*?)^```/gm)];
    assert.equal(await page.locator(".ask").count(), blocks.length);
    const hidden = await page.locator(".scene__figure--hidden").count();
    assert.equal(hidden, blocks.filter(([, word, block]) => word !== "question" && block.includes("](#/explore?")).length);
    for (const [i, [, word, block]] of blocks.entries()) {
      const ask = page.locator(".ask").nth(i);
      const radio = (place) => ask.locator("input").nth(place);
      const { right, wrong } = answers(block);
      const check = ask.getByRole("button", { name: "Check" });
      assert.equal(await ask.locator(".ask__reveal").isVisible(), false, "nothing is shown before");
      // Nothing is marked yet: Tab leads to the first answer, and Check says what is missing.
      await tab(page, radio(0));
      await tab(page, check, 3);
      await page.keyboard.press("Enter");
      assert.match(await ask.locator("[role=status]").innerText(), /Choose an answer first/);
      await page.keyboard.press("Shift+Tab");
      const choose = async (place) => {
        await page.keyboard.press("Space");
        for (let step = 0; step < place; step += 1) await page.keyboard.press("ArrowDown");
        assert.ok(await radio(place).isChecked());
        await tab(page, check, 3);
        await page.keyboard.press("Enter");
        await ready(page);
      };
      await radio(0).focus();
      await choose(wrong);
      assert.match(await ask.locator("[role=status]").innerText(), /^Not so\./);
      if (word !== "claim") assert.ok((await ask.locator(".ask__why").innerText()).trim().length > 3);
      await tab(page, ask.getByRole("button", { name: "Try again" }), 200);
      await page.keyboard.press("Enter");
      await ready(page);
      assert.ok(await radio(0).evaluate((input) => input === document.activeElement), "the first answer has the focus");
      assert.equal(await ask.locator(".ask__verdict").isVisible(), false);
      await choose(right);
      assert.match(await ask.locator("[role=status]").innerText(), /^Right\./);
    }
    assert.equal(await page.locator(".scene__figure--hidden").count(), 0, "everything is shown at the end");
    for (const one of await page.locator("[data-figure]").all()) {
      assert.ok((await one.locator(".figure__summary").innerText()).trim().length > 10, "each figure says what it shows");
    }
    await visit(page, "#/learn");
    assert.match(await page.locator(`a[href="#/learn/${name}"]`).locator("xpath=ancestor::li").innerText(), /Finished/);
    // Who comes back finds the answers.
    await visit(page, `#/learn/${name}`);
    await page.reload();
    await ready(page);
    assert.equal(await page.locator(".ask[data-answered]").count(), blocks.length);
  });

  journey(`${name} fits a phone and has nothing that axe minds`, { ...PHONE, timeout: 240_000 }, async ({ open }) => {
    const failures = [];
    for (const theme of ["light", "dark"]) {
      const page = await open(`#/learn/${name}?theme=${theme}`);
      assert.ok((await overhang(page)) <= 0, "no scrolling sideways");
      for (const ask of await page.locator(".ask").all()) {
        await ask.locator("input").first().check();
        await ask.getByRole("button", { name: "Check" }).click();
      }
      for (const adjust of (await page.getByRole("button", { name: "Settings and formulas" }).all()).slice(0, 1)) await adjust.click();
      await ready(page);
      assert.ok((await overhang(page)) <= 0, "no scrolling sideways, answered");
      await page.evaluate(AXE);
      const found = await page.evaluate(() =>
        globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], resultTypes: ["violations"] }),
      );
      for (const { id, help, nodes } of found.violations) failures.push(`${theme}: ${id}, ${help}: ${nodes.map((node) => node.html).slice(0, 2)}`);
      await page.evaluate(() => localStorage.clear());
      await page.close();
    }
    assert.deepEqual(failures, []);
  });
}

journey("the first module hands over to a lesson", async ({ open }) => {
  const page = await open("");
  await page.getByRole("link", { name: "Learn", exact: true }).click();
  await page.locator(".learn h1").waitFor();
  await ready(page);
  assert.equal(await page.title(), "Learn · Placewise");
  await page.locator('a[href="#/learn/order"]').first().click();
  await page.locator(".lesson .scene").first().waitFor();
  await ready(page);
  assert.equal(await page.locator("[data-notice]").count(), 0);
  assert.equal(await page.evaluate(() => scrollY), 0, "it begins at the top");
  await page.getByRole("link", { name: "All lessons" }).click();
  await page.locator(".learn h1").waitFor();
  await eventually("the list begins at the top", () => page.evaluate(() => scrollY === 0));
});

journey("a lesson that is followed from far down a page begins at the top", { viewport: { width: 1280, height: 400 } }, async ({ open }) => {
  const page = await open("");
  await page.evaluate(() => scrollTo(0, 300));
  assert.ok((await page.evaluate(() => scrollY)) > 100);
  await visit(page, ORDER);
  await page.locator(".lesson .scene").first().waitFor();
  await ready(page);
  assert.equal(await page.evaluate(() => scrollY), 0);
});

journey("an unknown lesson is named, and the others are offered", async ({ open }) => {
  const page = await open("#/learn/no-such-lesson");
  assert.match(await page.locator("[data-notice=lesson]").innerText(), /no-such-lesson/);
  assert.ok((await page.locator('a[href="#/learn/order"]').count()) > 0);
});

journey("the figure stands beside what is read, and the link holds the place", async ({ open }) => {
  const page = await open(ORDER);
  const scenes = page.locator(".scene--figure");
  for (let i = 0; i < (await scenes.count()); i += 1) {
    const scene = scenes.nth(i);
    const last = scene.locator(".scene__prose [data-at]:not(.ask)").last();
    if (!(await last.count()) || !(await scene.locator("figure").count())) continue;
    await last.evaluate((element) => scrollBy(0, element.getBoundingClientRect().top - innerHeight * 0.3 + 2));
    const at = await last.getAttribute("data-at");
    await followed(page, new RegExp(`[?&]at=${at}(&|$)`));
    const seen = await scene.locator("figure.scene__figure").evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return Math.min(bottom, innerHeight) - Math.max(top, 0);
    });
    assert.ok(seen > 200, `${seen} pixels of the figure are in sight beside block ${at}`);
  }
  const there = await page.evaluate(() => scrollY);
  await page.reload();
  await ready(page);
  await eventually("the page is where it was", async () => Math.abs((await page.evaluate(() => scrollY)) - there) < 80);
  // It stays there.
  const link = await address(page);
  await page.waitForTimeout(1500);
  assert.equal(await address(page), link);
});

journey("what is changed in a figure is in the link, can be undone, and stays the figure's", async ({ open }) => {
  const page = await open(ORDER);
  const shown = page.locator("figure.scene__figure").first();
  await shown.locator("canvas").first().focus();
  const before = await address(page);
  await page.keyboard.press("ArrowRight");
  const changed = await followed(page, /#\/learn\/order\?(at=\d+&)?(position|offset)=/);
  assert.notEqual(changed, before);
  const said = await shown.locator(".figure__summary").first().innerText();
  await page.reload();
  await ready(page);
  assert.equal(await shown.locator(".figure__summary").first().innerText(), said);
  const explorer = await shown.getByRole("link", { name: "Open in the explorer" }).getAttribute("href");
  assert.match(explorer, /^#\/explore\?/);
  await shown.getByRole("button", { name: "Reset the figure" }).click();
  await followed(page, /#\/learn\/order(\?at=\d+)?$/);
  await page.keyboard.press("Control+z");
  // To press the button, the page may have been scrolled.
  await followed(page, new RegExp(`${/(position|offset)=.*/.exec(changed)[0]}$`));
  assert.equal(await shown.locator(".figure__summary").first().innerText(), said);
});

journey("a lesson that cannot be fetched says so, and is fetched again", { trouble: true }, async ({ open, context }) => {
  const lessons = /\/lessons\/en\//;
  await context.route(lessons, (route) => route.abort());
  const page = await open(ORDER);
  await page.getByRole("alert").filter({ hasText: "The lesson is not here" }).waitFor();
  await context.unroute(lessons);
  await page.getByRole("button", { name: "Fetch it again" }).click();
  await page.locator(".scene").first().waitFor();
});
