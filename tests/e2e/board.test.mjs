// Figures on the board: moved by their handles, taken off, set alone; the link keeps their order.

import assert from "node:assert/strict";
import { address, canvas, eventually, figure, journey, overhang, ready, stage } from "./help.mjs";

stage();

const THREE = "#/explore?figures=heatmap,offset,rotation&schemes=rope&position=9";
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

const shown = (page) =>
  page.locator("[data-figure]").evaluateAll((all) => all.map((figure) => figure.dataset.figure).join());
const focused = (page) => page.evaluate(() => document.activeElement.id);
const handle = (page, id) => page.locator(`#move-${id}`);
const said = (page) => page.locator("#board-said").innerText();
const marks = (page) =>
  page.locator("[data-drag]").evaluateAll((all) =>
    all.map((place) => `${place.dataset.drag} ${place.querySelector("[data-figure]").dataset.figure}`).join(", "));
/** The middle of an element, in the window. */
const middle = (locator) =>
  locator.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  });
/** What a canvas shows, as one number. */
const picture = (page, id) =>
  canvas(page, id).evaluate((element) => {
    const copy = new OffscreenCanvas(element.width, element.height).getContext("2d");
    copy.drawImage(element, 0, 0);
    return copy.getImageData(0, 0, element.width, element.height).data.reduce((sum, byte, i) => (sum * 31 + byte * (i % 7)) | 0, 0);
  });
/** The tops of the page's parts, where nothing may jump. */
const tops = (page) =>
  page.locator("[data-figure]").evaluateAll((all) => all.map((figure) => figure.getBoundingClientRect().top + scrollY));

/** Takes a handle with the mouse and goes to a figure's upper (0) or lower (1) end, in steps; the button stays down. */
async function drag(page, id, over, down) {
  await handle(page, id).scrollIntoViewIfNeeded();
  const { x, y } = await middle(handle(page, id));
  await page.mouse.move(x, y);
  await page.mouse.down();
  const target = await figure(page, over).evaluate((element, down) => {
    const { top, height } = element.getBoundingClientRect();
    return top + height * down;
  }, down);
  await page.mouse.move(x + 5, target, { steps: 8 });
}

journey("a figure is dragged to another place: one step, in the link, and nothing is drawn anew", { viewport: { width: 1280, height: 2400 } }, async ({ open }) => {
  const page = await open(THREE);
  const before = { tops: await tops(page), offset: await picture(page, "offset") };
  await drag(page, "heatmap", "offset", 0.8);
  assert.equal(await marks(page), "from heatmap, after offset");
  assert.deepEqual(await tops(page), before.tops, "nothing moves before it is let go");
  await drag_on(page, "rotation", 0.9);
  assert.equal(await marks(page), "from heatmap, after rotation");
  await drag_on(page, "offset", 0.9);
  await page.mouse.up();
  await ready(page);
  assert.equal(await shown(page), "offset,heatmap,rotation");
  assert.equal(await marks(page), "");
  assert.equal(await focused(page), "move-heatmap");
  assert.equal(await said(page), "Position × dimension is now 2 of 3.");
  assert.equal(await picture(page, "offset"), before.offset);
  await eventually("the link has the order", async () => /figures=offset,heatmap,rotation/.test(await address(page)));
  await page.keyboard.press("Control+z");
  await ready(page);
  assert.equal(await shown(page), "heatmap,offset,rotation");
  assert.equal(await page.getByRole("button", { name: "Undo" }).isDisabled(), true, "one drag is one step");
  // Up to the first place.
  await drag(page, "rotation", "heatmap", 0.1);
  assert.equal(await marks(page), "before heatmap, from rotation");
  await page.mouse.up();
  await ready(page);
  assert.equal(await shown(page), "rotation,heatmap,offset");
});

/** Goes on with a drag. */
async function drag_on(page, over, down) {
  const target = await figure(page, over).evaluate((element, down) => {
    const { left, top, height } = element.getBoundingClientRect();
    return { x: left, y: top + height * down };
  }, down);
  await page.mouse.move(target.x, target.y, { steps: 4 });
}

journey("a drag ends where it began: with Escape, and where it is let go at its place", { viewport: { width: 1280, height: 2400 } }, async ({ open }) => {
  const page = await open(THREE);
  await drag(page, "heatmap", "rotation", 0.9);
  await page.keyboard.press("Escape");
  assert.equal(await marks(page), "");
  await page.mouse.move(400, 100);
  await page.mouse.up();
  await ready(page);
  assert.equal(await shown(page), "heatmap,offset,rotation");
  await drag(page, "heatmap", "offset", 0.2);
  assert.equal(await marks(page), "from heatmap");
  await page.mouse.up();
  await handle(page, "offset").click();
  await ready(page);
  assert.equal(await shown(page), "heatmap,offset,rotation");
  assert.equal(await page.getByRole("button", { name: "Undo" }).isDisabled(), true);
});

journey("with the arrow keys: the focus stays on the handle, and the place is said", async ({ open }) => {
  const page = await open(THREE);
  await handle(page, "heatmap").focus();
  for (const [key, order, words] of [
    ["ArrowDown", "offset,heatmap,rotation", "Position × dimension is now 2 of 3."],
    ["ArrowRight", "offset,rotation,heatmap", "Position × dimension is now 3 of 3."],
    ["ArrowDown", "offset,rotation,heatmap", "Position × dimension is now 3 of 3."],
    ["ArrowUp", "offset,heatmap,rotation", "Position × dimension is now 2 of 3."],
    ["ArrowLeft", "heatmap,offset,rotation", "Position × dimension is now 1 of 3."],
  ]) {
    await page.keyboard.press(key);
    await ready(page);
    assert.equal(await shown(page), order, key);
    assert.equal(await said(page), words);
    assert.equal(await focused(page), "move-heatmap");
    const place = await middle(handle(page, "heatmap"));
    assert.ok(place.y > 0 && place.y < 800, `it is in sight: ${place.y}`);
  }
  assert.equal(await page.getByRole("button", { name: "Move Position × dimension" }).count(), 1);
});

journey("a drag near the window's edge scrolls the page", { viewport: { width: 1280, height: 500 } }, async ({ open }) => {
  const page = await open(THREE);
  const { x, y } = await middle(handle(page, "heatmap"));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, 495, { steps: 4 });
  await eventually("the last figure's end is reached", async () => (await marks(page)) === "from heatmap, after rotation");
  await page.mouse.up();
  await ready(page);
  assert.equal(await shown(page), "offset,rotation,heatmap");
});

journey("with a finger on a phone; the page does not scroll by it", PHONE, async ({ open, context }) => {
  const page = await open(THREE);
  assert.equal(await overhang(page), 0);
  const size = await handle(page, "heatmap").boundingBox();
  assert.ok(size.width >= 44 && size.height >= 44, JSON.stringify(size));
  const touch = await context.newCDPSession(page);
  const send = (type, y) =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x: 30, y }] });
  await handle(page, "offset").scrollIntoViewIfNeeded();
  const { y } = await middle(handle(page, "offset"));
  const scrolled = await page.evaluate(() => scrollY);
  await send("touchStart", y);
  for (let step = 1; step <= 6; step++) await send("touchMove", y - step * 20);
  assert.match(await marks(page), /from offset/);
  assert.equal(await page.evaluate(() => scrollY), scrolled);
  await send("touchMove", 10);
  await eventually("it is at the top", async () => (await marks(page)) === "before heatmap, from offset");
  await send("touchEnd");
  await ready(page);
  assert.equal(await shown(page), "offset,heatmap,rotation");
});

journey("a link opens its order; figures are set alone and taken off", async ({ open }) => {
  const page = await open("#/explore?figures=rotation,heatmap,offset&schemes=rope");
  assert.equal(await shown(page), "rotation,heatmap,offset");
  const options = async (id, name) => {
    const place = page.locator(".board__figure", { has: figure(page, id) });
    await place.locator("summary").click();
    await place.getByRole("button", { name }).click();
    await ready(page);
  };
  await options("heatmap", "Take off the board");
  assert.equal(await shown(page), "rotation,offset");
  const place = () => canvas(page, "offset").evaluate((element) => [element.getBoundingClientRect().left, element.clientWidth]);
  const beside = await place();
  await options("offset", "Show alone");
  assert.deepEqual(await place(), beside, "a handle takes no room from its figure");
  assert.equal(await shown(page), "offset");
  assert.equal(await handle(page, "offset").isVisible(), false, "one figure has nowhere to go");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await ready(page);
  assert.equal(await shown(page), "rotation,heatmap,offset");
  const embed = await open("#/embed?figures=offset,heatmap");
  assert.equal(await shown(embed), "offset,heatmap");
  assert.equal(await embed.locator(".board__handle:visible").count(), 0);
});

journey("a handle of the first module brings the whole app, which does what was meant", async ({ open }) => {
  const page = await open("#/explore?position=9");
  await handle(page, "heatmap").focus();
  await page.keyboard.press("ArrowDown");
  await eventually("it is moved", async () => (await shown(page)) === "offset,heatmap");
  await ready(page);
  assert.equal(await focused(page), "move-heatmap");
  await page.keyboard.press("ArrowUp");
  await eventually("and back", async () => (await shown(page)) === "heatmap,offset");

  // A drag that began in the first module goes on in the other.
  const second = await open("#/explore?position=10");
  const { x, y } = await middle(handle(second, "heatmap"));
  await second.mouse.move(x, y);
  await second.mouse.down();
  await eventually("the whole app is there", () => second.evaluate(() => !globalThis.placewiseLeave && document.querySelectorAll("#app > div").length === 1));
  await ready(second);
  assert.equal(await second.getByRole("button", { name: "Undo" }).isDisabled(), true);
  await second.mouse.move(x, y + 10);
  await drag_on(second, "offset", 0.9);
  assert.equal(await marks(second), "from heatmap, after offset");
  await second.mouse.up();
  await ready(second);
  assert.equal(await shown(second), "offset,heatmap");
});

journey("a figure that cannot show a scheme brings the one that does", async ({ open }) => {
  const page = await open("#/explore?schemes=alibi&figures=heatmap");
  await page.getByRole("button", { name: "Show “Bias on the scores”" }).click();
  await ready(page);
  assert.match(await figure(page, "bias").locator(".figure__summary").innerText(), /ALiBi, head 0/);
  assert.ok(await page.getByRole("button", { name: "Show “Bias on the scores”" }).isHidden());
  await page.getByRole("button", { name: "Undo" }).click();
  await ready(page);
  assert.equal(await figure(page, "bias").count(), 0);
});
