// From a small phone to a wall, light and dark, one and two device pixels per CSS pixel.

import assert from "node:assert/strict";
import { canvas, figure, journey, overhang, pixels, ready, stage, type } from "./help.mjs";

stage();

const PAGES = ["", "#/explore?figures=heatmap,offset,rotation&schemes=sinusoidal,rope", "#/about", "#/embed?figures=heatmap,offset,rotation"];
const PHONE = { hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

/** What sticks out to the right of the window, for the message. */
const culprits = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("body *")]
      .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 0.5)
      .map((element) => `${element.tagName}.${element.className}`.slice(0, 60))
      .slice(0, 8)
      .join(" "),
  );

async function fits(page, what) {
  const over = await overhang(page);
  assert.ok(over <= 0, `${what}: ${over} px too wide: ${over > 0 ? await culprits(page) : ""}`);
}

for (const width of [200, 320, 360, 768, 1280, 1920, 3840]) {
  const phone = width < 500 ? PHONE : {};
  journey(`${width} px: no sideways scroll, figures in the window`, { viewport: { width, height: Math.max(600, Math.round(width * 0.5)) }, ...phone }, async ({ open }) => {
    for (const link of PAGES) {
      const page = await open(link, link !== "#/about");
      await page.locator("h1").first().waitFor({ state: "attached" });
      await fits(page, link);
      for (const id of await page.locator("[data-figure]").evaluateAll((all) => all.map((one) => one.dataset.figure))) {
        const { x, width: wide, height } = await canvas(page, id).boundingBox();
        assert.ok(x >= 0 && x + wide <= width + 0.5, `${id} is ${wide} px wide at ${x}`);
        assert.ok(wide >= Math.min(width * 0.28, 1000) && height >= 100, `${id} has ${wide} × ${height}`);
        assert.ok((await pixels(page, id)).colours > 5, `${id} is drawn`);
        await figure(page, id).locator(".figure__toggle").click();
      }
      if (link !== "#/about") await ready(page);
      await fits(page, `${link} with its tables`);
      await page.close();
    }
  });
}

journey("a scheme that cannot be drawn leaves its message, and no empty page", async ({ open }) => {
  const page = await open("#/explore?figures=heatmap,offset,similarity,rotation&schemes=rope(head_dim=7)");
  for (const id of ["heatmap", "offset", "similarity", "rotation"]) {
    const { height } = await canvas(page, id).boundingBox();
    assert.ok(height < 130, `${id} is ${height} px high`);
    assert.match(await figure(page, id).locator(".figure__summary").innerText(), /cannot be drawn/);
  }
});

journey("320 px: the controls in a sheet", { viewport: { width: 320, height: 640 }, ...PHONE }, async ({ open }) => {
  const page = await open("#/explore?figures=heatmap,offset,rotation&schemes=sinusoidal,rope");
  const sheet = page.getByRole("button", { name: "Controls" });
  const length = page.locator("#field-length");
  assert.equal(await sheet.getAttribute("aria-expanded"), "false");
  assert.ok(await length.isHidden());
  const first = await canvas(page, "heatmap").boundingBox();
  assert.ok(first.y < 640, "the figure comes first");
  await sheet.tap();
  assert.ok(await length.isVisible());
  assert.equal(await sheet.getAttribute("aria-expanded"), "true");
  await fits(page, "with the controls open");
  // The figure stays in sight while a slider is used.
  const { y, height } = await page.locator(".explore__controls").boundingBox();
  assert.ok(height <= 640 * 0.65, `the sheet is ${height} px high`);
  assert.ok(y + height <= 641);
  await type(page, "length", "100");
  for (const details of await page.locator("details.board__options:visible > summary").all()) {
    await details.evaluate((summary) => summary.click());
  }
  await fits(page, "with the options open");
  await sheet.tap();
  assert.ok(await length.isHidden());
});

journey("320 px: notices and long words wrap", { viewport: { width: 320, height: 640 }, ...PHONE }, async ({ open }) => {
  const page = await open(`#/explore?${"nothing".repeat(30)}=1&palette=${"x".repeat(300)}&text=${"w".repeat(300)}`);
  await fits(page, "with notices");
});

for (const link of ["", "#/explore?figures=heatmap,offset,rotation&schemes=sinusoidal,rope"]) {
  journey(`360 px, a finger: targets of 44 px (${link.slice(0, 9) || "first screen"})`, { viewport: { width: 360, height: 740 }, ...PHONE }, async ({ open }) => {
    const page = await open(link);
    if (link) await page.getByRole("button", { name: "Controls" }).tap();
    for (const details of await page.locator("details.board__options:visible > summary").all()) {
      await details.evaluate((summary) => summary.click());
    }
    await figure(page, "heatmap").locator(".figure__toggle").tap();
    await ready(page);
    const small = await page.evaluate(() => {
      const found = [];
      for (const element of document.querySelectorAll("a[href], button, input, select, textarea, summary")) {
        if (!element.checkVisibility()) continue;
        // Links in a sentence are exempt, and a box is as large as its label.
        if (element.tagName === "A" && getComputedStyle(element).display === "inline") continue;
        const target = element.type === "checkbox" ? (element.closest("label") ?? element.closest(".field")) : element;
        const { width, height } = target.getBoundingClientRect();
        if (width < 43.9 || height < 43.9) found.push(`${element.outerHTML.slice(0, 80)}: ${width} × ${height}`);
      }
      return found;
    });
    assert.deepEqual(small, []);
  });
}

for (const deviceScaleFactor of [1, 2]) {
  journey(`canvases have ${deviceScaleFactor} device pixels per CSS pixel`, { deviceScaleFactor }, async ({ open }) => {
    const page = await open("#/explore?figures=heatmap,offset,rotation");
    for (const id of ["heatmap", "offset", "rotation"]) {
      const css = await canvas(page, id).evaluate((one) => [one.clientWidth, one.clientHeight]);
      const own = await pixels(page, id);
      assert.ok(Math.abs(own.width - css[0] * deviceScaleFactor) <= deviceScaleFactor, `${id}: ${own.width} for ${css[0]}`);
      assert.ok(Math.abs(own.height - css[1] * deviceScaleFactor) <= deviceScaleFactor, `${id}: ${own.height} for ${css[1]}`);
    }
  });
}

journey("the figures are drawn anew when the window changes", async ({ open }) => {
  const page = await open();
  const before = await pixels(page, "heatmap");
  await page.setViewportSize({ width: 700, height: 800 });
  await page.waitForTimeout(100);
  await ready(page);
  const after = await pixels(page, "heatmap");
  assert.notEqual(after.width, before.width);
  assert.ok(after.colours > 20);
  assert.ok(Math.abs(after.width - (await canvas(page, "heatmap").evaluate((one) => one.clientWidth))) <= 1);
});

journey("the figures are drawn anew when the density changes", async ({ open, context }) => {
  const page = await open();
  const before = await pixels(page, "offset");
  const session = await context.newCDPSession(page);
  // A window that comes to another screen changes its size by a little, too.
  await session.send("Emulation.setDeviceMetricsOverride", { width: 1281, height: 800, deviceScaleFactor: 2, mobile: false });
  await page.waitForTimeout(100);
  await ready(page);
  const after = await pixels(page, "offset");
  assert.ok(Math.abs(after.width - 2 * before.width) <= 4, `${before.width} became ${after.width}`);
});

/** The colour of the page, of its text, and of a canvas's corner where nothing is drawn. */
const look = (page) =>
  page.evaluate(() => {
    const style = getComputedStyle(document.body);
    const light = (css) => {
      const [r, g, b] = css.match(/[\d.]+/g).map(Number);
      return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
    };
    const ink = { light: 0, count: 0 };
    for (const id of ["heatmap", "offset"]) {
      // Words and axes: what is drawn left of the plot, over nothing.
      const canvas = document.querySelector(`[data-figure="${id}"] canvas`);
      const copy = new OffscreenCanvas(40, canvas.height).getContext("2d", { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, 40, canvas.height);
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] < 200) continue;
        ink.light += light(`${data[i]} ${data[i + 1]} ${data[i + 2]}`);
        ink.count += 1;
      }
    }
    return { paper: light(style.backgroundColor), ink: light(style.color), drawn: ink.light / Math.max(1, ink.count), count: ink.count };
  });

function dark(seen) {
  assert.ok(seen.paper < 0.2 && seen.ink > 0.7, `the page is dark: ${JSON.stringify(seen)}`);
  assert.ok(seen.count > 20 && seen.drawn > 0.4, `what is drawn on the paper is light: ${JSON.stringify(seen)}`);
}

function light(seen) {
  assert.ok(seen.paper > 0.9 && seen.ink < 0.3, `the page is light: ${JSON.stringify(seen)}`);
  assert.ok(seen.count > 20 && seen.drawn < 0.6, `what is drawn on the paper is dark: ${JSON.stringify(seen)}`);
}

journey("dark follows the system, at once", { colorScheme: "light" }, async ({ open }) => {
  const page = await open();
  light(await look(page));
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForTimeout(50);
  await ready(page);
  dark(await look(page));
});

journey("dark is chosen, against the system", { colorScheme: "light" }, async ({ open }) => {
  const page = await open();
  await page.getByLabel("Theme").selectOption("dark");
  await page.waitForTimeout(50);
  await ready(page);
  dark(await look(page));
  // It stays, where the link says nothing of it; a link that does is for the visit.
  dark(await look(await open()));
  light(await look(await open("#/?theme=light")));
  dark(await look(await open()));
});

journey("light is chosen, against the system, in the link", { colorScheme: "dark" }, async ({ open }) => {
  dark(await look(await open()));
  light(await look(await open("#/?theme=light")));
});

journey("the theme is there before anything is drawn", { colorScheme: "light" }, async ({ open }) => {
  const page = await open("#/?theme=dark", false);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
});

journey("200 % text, and forced colours", { viewport: { width: 640, height: 800 }, forcedColors: "active" }, async ({ open }) => {
  const page = await open("#/explore");
  await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
  await page.waitForTimeout(100);
  await ready(page);
  await fits(page, "with large text");
});
