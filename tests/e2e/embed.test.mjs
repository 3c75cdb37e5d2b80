// Figures in other pages: what a page sees of them, what it can do with them, and what it cannot.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { STRANGER, TEN, attack, hosted, read } from "../lib/host.mjs";
import { SITE, eventually, journey, ready, stage } from "./help.mjs";

stage();

const pages = hosted();

const origins = () => pages.origins;

/** A page with figures, as it is opened by a reader. */
async function visit(context, address) {
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(address);
  await page.waitForFunction(() => customElements.get("placewise-figure"));
  return page;
}

/** The frame of a figure, once it is drawn. */
async function inside(page, place = 0) {
  const handle = await page.evaluateHandle((place) => frames10()[place], place);
  await handle.scrollIntoViewIfNeeded();
  const frame = await eventually("the frame", () => handle.contentFrame());
  await eventually("its figure", () => page.evaluate((place) => heard.some((one) => one.place === place && one.data.type === "ready") && heard.some((one) => one.place === place && one.data.type === "height"), place));
  return frame;
}

const link = (frame) => frame.evaluate(() => location.hash);

test("the script of the element is small, by itself, and at an address that stays", async () => {
  const answer = await fetch(`${SITE}embed.js`);
  assert.equal(answer.headers.get("content-type"), "text/javascript; charset=utf-8");
  assert.equal(answer.headers.get("cache-control"), "no-cache");
  const script = await answer.text();
  // A development build keeps names and spaces.
  if (!script.includes("\n  ")) assert.ok(script.length < 3000, `${script.length} bytes`);
  assert.doesNotMatch(script, /\bimport\b|\beval\b|innerHTML/);
  assert.match(await (await fetch(`${SITE}embed.d.ts`)).text(), /"placewise-figure": PlacewiseFigure/);
});

journey("ten figures: heights right, told once and for all, titles, looks", { origins }, async ({ context }) => {
  const page = await visit(context, pages.own());
  const steps = await page.evaluate(() => history.length);
  const loaded = await page.evaluate(() => frames10().filter((frame) => frame.src).length);
  assert.ok(loaded < TEN.length, "those far off are not there yet");
  const figures = await page.evaluate(read);
  assert.equal(figures.length, TEN.length);
  for (const { link, title, heights, settled, height, inside, scheme, seen, border } of figures) {
    assert.ok(Math.abs(height - inside) <= 1 && height > 200, `${link}: ${height} for ${inside}`);
    assert.ok(settled <= 200, `${link}: ${heights} within ${settled} ms`);
    assert.deepEqual(heights, heights.toSorted((a, b) => a - b), `${link}: ${heights}`);
    assert.match(title, / · Placewise$/);
    assert.deepEqual([scheme, seen, border], ["light", "1", "0px"], "the page's own rules do not reach it");
  }
  assert.equal(await page.evaluate(() => history.length), steps, "the history is the page's own");
  const forms = await page.evaluate(() => heard.filter(({ place }) => place === 0).map(({ data }) => data));
  const told = figures[0].heights.at(-1);
  assert.ok(forms.some((data) => data?.sentinel === "amp" && data.type === "embed-size" && data.height === told));
  const old = forms.filter((data) => typeof data === "string").map((text) => JSON.parse(text));
  assert.ok(old.some(({ src, context, height }) => src.includes("#/embed") && context === "iframe.resize" && height === told));
});

journey("a narrow page: heights follow the width, without going to and fro", { origins, viewport: { width: 360, height: 740 } }, async ({ context }) => {
  const page = await visit(context, pages.own(TEN.slice(0, 3)));
  for (const width of [360, 900, 360]) {
    await page.setViewportSize({ width, height: 740 });
    const count = await page.evaluate(() => heard.length);
    const figures = await page.evaluate(read);
    for (const { link, height, inside } of figures) assert.ok(Math.abs(height - inside) <= 1, `${width}: ${link}: ${height} for ${inside}`);
    const after = await page.evaluate((count) => heard.slice(count).filter(({ data }) => data.type === "height").length, count);
    assert.ok(after <= 3 * 3, `${after} heights were told at ${width}`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
  }
});

journey("a page sets the link, and hears what the reader does", { origins }, async ({ context }) => {
  const page = await visit(context, pages.other(TEN.slice(0, 2)));
  const steps = await page.evaluate(() => history.length);
  const frame = await inside(page);
  await page.evaluate(() => document.getElementById("figure-0").set("https://elsewhere.invalid/#/explore?figures=offset&schemes=rope&offset=20"));
  await frame.getByText(/at offset 20/).first().waitFor();
  assert.equal(await link(frame), "#/embed?figures=offset&schemes=rope&offset=20");
  await page.waitForTimeout(700);
  assert.deepEqual(await page.evaluate(() => changes), [], "what the page did is no news to it");
  await frame.locator("canvas").press("ArrowRight");
  await eventually("the page hears of it", () => page.evaluate(() => changes.length));
  assert.deepEqual(await page.evaluate(() => changes), [["figure-0", "#/embed?figures=offset&schemes=rope&offset=21"]]);
  assert.equal(await page.evaluate(() => document.getElementById("figure-0").link), "#/embed?figures=offset&schemes=rope&offset=21");
  // By the attribute too, and to a figure that only the whole app has, with a control.
  await page.evaluate(() => document.getElementById("figure-0").setAttribute("link", "#/embed?figures=bias&schemes=alibi&controls=head"));
  await frame.locator("[data-figure=bias] canvas").waitFor();
  await frame.locator("#field-head").waitFor();
  assert.equal(await page.evaluate(() => history.length), steps);
  // What is set before the frame is there is shown when it comes.
  await page.evaluate(() => document.getElementById("figure-1").set("#/embed?figures=offset&offset=9"));
  const second = await inside(page, 1);
  await second.getByText(/at offset 9/).first().waitFor();
});

journey("a figure that is moved in the page goes on where it was", { origins }, async ({ context }) => {
  const page = await visit(context, pages.other(TEN.slice(0, 1)));
  await inside(page);
  await page.evaluate(() => document.getElementById("figure-0").set("#/embed?figures=offset&offset=9"));
  await page.evaluate(() => {
    heard.length = 0;
    document.querySelector("main").append(document.getElementById("figure-0"));
  });
  const again = await inside(page);
  await again.getByText(/at offset 9/).first().waitFor();
});

journey("what is said by others, and what is nonsense, changes nothing", { origins }, async ({ context }) => {
  const page = await visit(context, pages.other(TEN.slice(0, 1)));
  const frame = await inside(page);
  const [before, height] = [await link(frame), await page.evaluate(() => frames10()[0].getBoundingClientRect().height)];
  const plain = eventually("the plain frame", () => page.frames().find((one) => one.url().endsWith("#/embed?figures=offset")));
  const bad = pages.serve(STRANGER);
  // Once of the page's origin, once of the site's.
  const seen = await page.evaluate(attack, { plain: `${pages.site}#/embed?figures=offset`, strangers: [bad, bad.replace("localhost", "127.0.0.1")] });
  assert.equal(await link(frame), before);
  assert.equal(await link(await plain), "#/embed?figures=offset");
  assert.equal(await frame.evaluate(() => document.documentElement.dataset.theme), "light");
  assert.deepEqual(seen, { height, title: seen.title, link: "#/embed?figures=offset&schemes=rope", changes: [], stolen: [] });
  assert.doesNotMatch(seen.title, /Mine/);
  // It still hears its own page.
  await page.evaluate(() => document.getElementById("figure-0").set("#/embed?figures=offset&offset=30"));
  await frame.getByText(/at offset 30/).first().waitFor();
});

journey("a link tells no other address, whatever stands in it", { origins }, async ({ context }) => {
  const page = await visit(context, pages.other(TEN.slice(0, 1)));
  const opened = await page.evaluate(async () => {
    const opened = [];
    for (const link of ["javascript:alert(1)", "javascript:alert(1)//#/embed?a=b", "//evil.invalid/#/explore?x=1", "data:text/html,<script>1</script>", "", "#", "offset=3"]) {
      const figure = document.createElement("placewise-figure");
      figure.setAttribute("link", link);
      document.body.prepend(figure);
      const frame = figure.shadowRoot.querySelector("iframe");
      while (!frame.src) await new Promise((resolve) => setTimeout(resolve, 20));
      opened.push(frame.src);
      figure.remove();
    }
    return opened;
  });
  for (const address of opened) assert.ok(address.startsWith(`${pages.site}#/embed`), address);
});

journey("the focus enters by Tab, and leaves", { origins }, async ({ context }) => {
  const page = await visit(context, pages.other(TEN.slice(2, 3)));
  const frame = await inside(page);
  const focused = () => frame.evaluate(() => (document.hasFocus() ? document.activeElement.tagName : null));
  await page.focus("#before");
  const passed = [];
  for (let i = 0; i < 30; i += 1) {
    await page.keyboard.press("Tab");
    passed.push(await focused());
    if (await page.evaluate(() => document.activeElement.id === "after")) break;
  }
  assert.ok(["BUTTON", "CANVAS", "INPUT", "A"].every((tag) => passed.includes(tag)), passed.join(" "));
  assert.equal(passed.at(-1), null, "the focus is on the page again");
  await page.keyboard.press("Shift+Tab");
  assert.equal(await focused(), "A", "and goes back");
});

journey("the wheel scrolls the page, over a figure too", { origins }, async ({ context }) => {
  const page = await visit(context, pages.other(TEN.slice(0, 3)));
  const frame = await inside(page);
  await page.evaluate(() => scrollTo(0, 0));
  const { x, y, width, height } = await frame.locator("canvas").boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.wheel(0, 120);
  await eventually("the page scrolls", () => page.evaluate(() => scrollY > 60));
  assert.equal(await frame.evaluate(() => scrollY), 0);
});

journey("the looks of the page are followed, and those of the link kept", { origins }, async ({ context }) => {
  const page = await visit(context, pages.other([TEN[0], "#/embed?figures=offset&theme=dark"]));
  const frames = [await inside(page), await inside(page, 1)];
  const looks = () => Promise.all(frames.map((frame) => frame.evaluate(() => [document.documentElement.dataset.theme, getComputedStyle(document.documentElement).colorScheme, getComputedStyle(document.body).backgroundColor])));
  const ground = "rgba(0, 0, 0, 0)";
  const [light, dark] = [["light", "light", ground], ["dark", "dark", ground]];
  assert.deepEqual(await looks(), [light, dark]);
  await page.evaluate(() => document.documentElement.classList.add("dark"));
  await eventually("the first figure is dark", async () => (await looks())[0][0] === "dark");
  assert.deepEqual(await looks(), [dark, dark]);
  assert.deepEqual(await page.evaluate(() => frames10().map((frame) => getComputedStyle(frame).colorScheme)), ["dark", "dark"]);
  await page.evaluate(() => document.documentElement.classList.remove("dark"));
  await eventually("and light again", async () => (await looks())[0][0] === "light");
  assert.deepEqual(await looks(), [light, dark]);
  // A frame of the site's own origin may store things: the page around does not choose for the reader.
  const own = await visit(context, pages.own([TEN[0]]));
  const frame = await inside(own);
  await own.evaluate(() => document.documentElement.classList.add("dark"));
  await eventually("dark", () => frame.evaluate(() => document.documentElement.dataset.theme === "dark"));
  assert.equal(await frame.evaluate(() => localStorage.getItem("placewise.theme")), null);
});

journey("only the controls that are named", async ({ open }) => {
  const page = await open("#/embed?figures=heatmap,rotation&schemes=rope,sinusoidal&controls=length,rope_theta,schemes,text,rotation.align,figures");
  const ids = await page.locator(".embed__controls").locator("input[id], select[id], textarea[id]").evaluateAll((all) => all.map(({ id }) => id));
  assert.ok(["field-length", "field-scheme-0-rope_theta", "scheme-0", "scheme-1", "field-text"].every((id) => ids.includes(id)), ids.join(" "));
  assert.ok(!ids.includes("field-scheme-0-head_dim") && !ids.includes("field-position"), ids.join(" "));
  const bare = await open("#/embed?figures=heatmap");
  assert.equal(await bare.locator("input:visible, select:visible").count(), 0);
  await page.locator("#field-length").press("ArrowRight");
  await ready(page);
  assert.match(await page.locator(".embed__back a").getAttribute("href"), /^#\/explore\?.*length=/);
});

journey("where the page makes no room, what does not fit is scrolled to", { origins }, async ({ context }) => {
  const page = await context.newPage();
  await page.goto(pages.serve(`<!doctype html><title>x</title><link rel="icon" href="data:,"><iframe title="figure" width="700" height="200" src="${pages.site}#/embed?figures=offset"></iframe>`));
  const frame = page.frames().at(-1);
  await frame.waitForFunction(() => document.documentElement.dataset.ready && document.documentElement.style.overflow === "auto");
  await page.evaluate(() => (document.querySelector("iframe").style.height = "900px"));
  await frame.waitForFunction(() => document.documentElement.style.overflow === "hidden");
});

journey("what moves rests out of sight", { origins }, async ({ context }) => {
  const page = await visit(context, pages.other([TEN[2], ...TEN.slice(0, 2)]));
  const frame = await inside(page);
  const hands = () => frame.evaluate(() => document.querySelector(".figure__summary").textContent);
  await frame.getByRole("button", { name: "Play" }).click();
  const first = await hands();
  await eventually("it plays", async () => (await hands()) !== first);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.waitForTimeout(300);
  const rested = await hands();
  await page.waitForTimeout(1500);
  assert.equal(await hands(), rested);
  // Nor is what the page sets drawn before it can be seen.
  await page.evaluate(() => document.getElementById("figure-0").set("#/embed?figures=rotation&schemes=rope(head_dim=16)&controls=position,rope_theta&position=40&play=true"));
  await page.waitForTimeout(500);
  assert.equal(await hands(), rested);
  await page.evaluate(() => scrollTo(0, 0));
  await eventually("it goes on", async () => (await hands()) !== rested);
});

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

journey("axe finds nothing, in the page and in the figures", { origins }, async ({ context }) => {
  const page = await visit(context, pages.other(TEN.slice(2, 4)));
  const frames = [page.mainFrame(), await inside(page), await inside(page, 1)];
  for (const frame of frames) {
    await frame.evaluate(AXE);
    const found = await frame.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], iframes: false }));
    assert.deepEqual(found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), [], frame.url());
  }
});
