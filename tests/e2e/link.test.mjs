// The link is the state: copied, opened elsewhere, followed by hand.

import assert from "node:assert/strict";
import { SITE, address, canvas, control, controls, eventually, figure, followed, journey, ready, stage, summary, table, type, value, visit } from "./help.mjs";

stage();

/** Everything that a reader sees of a state. */
async function seen(page) {
  const all = { controls: await controls(page), figures: {} };
  for (const id of await page.locator("[data-figure]").evaluateAll((list) => list.map((one) => one.dataset.figure))) {
    all.figures[id] = { summary: await summary(page, id), table: await table(page, id) };
  }
  return all;
}

journey("the copied link, opened elsewhere, is the same view", { permissions: ["clipboard-read", "clipboard-write"] }, async ({ open, browser }) => {
  const page = await open("#/explore?figures=heatmap,offset,rotation");
  await page.getByLabel("Add a scheme").selectOption("rope");
  await ready(page);
  await type(page, "scheme-1-rope_theta", "500000");
  await type(page, "length", "200");
  await canvas(page, "heatmap").focus();
  await page.keyboard.press("PageDown");
  await ready(page);
  await page.locator("#share-page").click();
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await page.getByText("Link copied").waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(link.startsWith(`${SITE}#/explore?`), link);
  await page.keyboard.press("Escape");
  const elsewhere = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const other = await elsewhere.newPage();
    await other.goto(link);
    await ready(other);
    assert.deepEqual(await seen(other), await seen(page));
    assert.equal(await other.locator("[data-notice]").count(), 0);
  } finally {
    await elsewhere.close();
  }
});

// A setting, how it is set by hand, and what the link then says.
const SETTINGS = [
  ["scheme-0-d_model", "64", "schemes=sinusoidal(d_model=64)"],
  ["scheme-0-base", "500", "schemes=sinusoidal(base=500)"],
  ["scheme-0-spacing", "linear", "schemes=sinusoidal(spacing=linear)"],
  ["scheme-0-layout", "concatenated", "schemes=sinusoidal(layout=concatenated)"],
  ["scheme-0-frequencies", "tensor2tensor", "schemes=sinusoidal(frequencies=tensor2tensor)"],
  ["length", "96", "length=96"],
  ["position", "7.5", "position=7.5"],
  ["offset", "-3", "offset=-3"],
  ["plane", "5", "plane=5"],
  ["seed", "42", "seed=42"],
  ["palette", "viridis", "palette=viridis"],
  ["heatmap-cells", "spread", "heatmap.cells=spread"],
  ["heatmap-first_position", "3", "heatmap.first_position=3"],
  ["heatmap-positions", "20", "heatmap.positions=20"],
  ["heatmap-first_dim", "2", "heatmap.first_dim=2"],
  ["heatmap-dims", "8", "heatmap.dims=8"],
  ["offset-axis", "log", "offset.axis=log"],
  ["offset-sides", "both", "offset.sides=both"],
  ["offset-aim", "10", "offset.aim=10"],
  ["offset-vectors", "equal", "offset.vectors=equal"],
  ["rotation-planes", "0,3,9", "rotation.planes=0:3:9"],
  ["rotation-vectors", "independent", "rotation.vectors=independent"],
];

async function set(page, key, to) {
  const element = control(page, key);
  if (await element.evaluate((one) => one.tagName === "SELECT")) await element.selectOption(to);
  else if (await element.evaluate((one) => one.type === "range")) return type(page, key, to);
  else {
    await element.fill(to);
    await element.press("Enter");
  }
  return ready(page);
}

journey("every setting is in the link within a second, without a step of the browser's history", { timeout: 240_000 }, async ({ open }) => {
  const page = await open("#/explore?figures=heatmap,offset,rotation");
  for (const details of await page.locator("details.board__options:visible").all()) await details.locator("summary").click();
  const steps = await page.evaluate(() => history.length);
  for (const [key, to, says] of SETTINGS) {
    const begin = Date.now();
    await set(page, key, to);
    const link = await followed(page, (await address(page)).includes(says) ? /./ : new RegExp(`[?&]${says.replaceAll(/[.()]/g, "\\$&")}(&|$)`));
    assert.ok(link.startsWith("#/explore?figures=heatmap,offset,rotation&"), link);
    assert.ok(Date.now() - begin < 5000, `${key} took ${Date.now() - begin} ms`);
    // And back: what the link says is what the controls say.
    await page.getByRole("button", { name: "Undo" }).click();
    await ready(page);
    await followed(page, "#/explore?figures=heatmap,offset,rotation");
  }
  assert.equal(await page.evaluate(() => history.length), steps);
});

journey("a link sets every setting", async ({ open }) => {
  const page = await open("#/explore?figures=heatmap,offset,rotation");
  const usual = await controls(page);
  for (const [key, to, says] of SETTINGS) {
    await visit(page, `#/explore?figures=heatmap,offset,rotation&${says}`);
    const now = await controls(page);
    const changed = Object.keys(now).filter((id) => now[id] !== usual[id]);
    assert.ok(changed.includes(`field-${key}`), `${says} changes ${key}; changed: ${changed}`);
    const shown = String(now[`field-${key}`]).replace("\u2212", "-").replaceAll(":", ",");
    assert.equal(shown, to, says);
    assert.equal(await page.locator("[data-notice]").count(), 0, says);
  }
});

journey("the address follows a gesture within a second after it rests", async ({ open }) => {
  const page = await open("#/explore");
  await type(page, "length", "77");
  const begin = Date.now();
  while ((await address(page)) !== "#/explore?length=77") {
    assert.ok(Date.now() - begin < 1000, "the address has not followed");
    await page.waitForTimeout(20);
  }
});

journey("a link is followed though what was changed before it is written only now", async ({ open }) => {
  const page = await open("#/explore");
  // In one task: the address, and then what the app's timer would write over it before the event comes.
  await page.evaluate(() => {
    location.hash = "#/explore?length=99";
    history.replaceState(null, "", "#/explore?length=77");
  });
  await eventually("it is there", async () => (await value(page, "length")) === 99);
  await followed(page, "#/explore?length=99");
});

journey("Back leaves the page; it undoes nothing", async ({ open }) => {
  const page = await open("#/about");
  await page.goto(`${SITE}#/explore`);
  await ready(page);
  await type(page, "length", "77");
  await type(page, "position", "20");
  await followed(page, "#/explore?length=77&position=20");
  await page.goBack();
  await page.getByRole("heading", { name: "About Placewise" }).waitFor();
  assert.equal(await address(page), "#/about");
  await page.goForward();
  await ready(page);
  assert.equal(await value(page, "length"), 77);
});

journey("a reload keeps the view", async ({ open }) => {
  const page = await open("#/explore");
  await type(page, "length", "77");
  await type(page, "offset", "20");
  await followed(page, "#/explore?length=77&offset=20");
  const before = await seen(page);
  await page.reload();
  await ready(page);
  assert.deepEqual(await seen(page), before);
});

journey("what stands before the hash is read, and the hash wins", async ({ open }) => {
  const page = await open("?length=90&position=5&utm_source=x#/explore?length=80");
  assert.equal(await value(page, "length"), 80);
  assert.equal(await value(page, "position"), 5);
  assert.equal(await page.locator("[data-notice]").count(), 0);
});

journey("an anchor is no link of the app", async ({ open }) => {
  const page = await open("#/explore?length=90");
  await page.evaluate(() => (location.hash = "#main"));
  await page.waitForTimeout(200);
  assert.equal(await value(page, "length"), 90);
});

journey("links between pages carry what is set", async ({ open }) => {
  const page = await open("#/?length=40&position=30");
  // The title is the last thing that a page sets.
  const titled = (title) => eventually(title, async () => (await page.title()) === title);
  await page.getByRole("link", { name: "Explore", exact: true }).click();
  await titled("Explore · Placewise");
  await ready(page);
  assert.equal(await value(page, "length"), 40);
  await followed(page, "#/explore?length=40&position=30");
  await page.getByRole("link", { name: "About" }).click();
  await titled("About · Placewise");
  await page.getByRole("heading", { name: "About Placewise" }).waitFor();
  await page.goBack();
  await titled("Explore · Placewise");
  await ready(page);
  assert.equal(await value(page, "length"), 40);
});

journey("Back comes back from a page of the whole app, however soon it was left for", async ({ open }) => {
  // The whole app is in the browser's cache from the second time on, and comes sooner than the address is written.
  for (let i = 0; i < 4; i += 1) {
    const page = await open("#/");
    await page.getByRole("link", { name: "Explore", exact: true }).click();
    await eventually("Explore", async () => (await page.title()) === "Explore · Placewise");
    await page.getByRole("link", { name: "About" }).click();
    // The address that the first module would have written by now stands in nobody's way.
    await page.waitForTimeout(i * 200);
    await page.getByRole("heading", { name: "About Placewise" }).waitFor();
    await page.goBack();
    await eventually("Explore again", async () => (await page.title()) === "Explore · Placewise");
    await page.close();
  }
});

journey("the links to try are in order", async ({ open }) => {
  const page = await open();
  const links = await page.locator(".tries a").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
  for (const link of links) {
    await page.goto(SITE + link);
    await ready(page);
    assert.ok(await figure(page, "offset").count());
    assert.equal(await page.locator("[data-notice]").count(), 0, link);
  }
});

journey("an embed shows its figures, and a link back", async ({ open }) => {
  const page = await open("#/embed?figures=heatmap&length=20&controls=none");
  assert.equal(await page.locator("[data-figure]").count(), 1);
  assert.ok(await page.locator(".header").isHidden());
  assert.equal(await page.locator("select:visible, input:visible").count(), 0);
  const back = page.getByRole("link", { name: "Open in Placewise" });
  assert.match(await back.getAttribute("href"), /^#\/explore\?figures=heatmap&length=20/);
  const steps = await page.evaluate(() => history.length);
  await canvas(page, "heatmap").focus();
  await page.keyboard.press("ArrowDown");
  await ready(page);
  await page.waitForTimeout(700);
  assert.equal(await page.evaluate(() => history.length), steps);
});
