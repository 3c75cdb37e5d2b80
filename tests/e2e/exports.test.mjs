// Files that leave the page: pictures against the canvas, numbers against the table.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { PNG } from "pngjs";
import { SITE, canvas, figure, journey, ready, stage, table } from "./help.mjs";

stage();

const BOARD = "#/explore?figures=heatmap,offset&schemes=sinusoidal(d_model=20),rope&length=90&position=77";
/** What is around the figure in a picture, in CSS pixels: src/share/picture.rs. */
const [MARGIN, HEAD] = [16, 60];

/** Opens the dialog of a figure at its downloads. */
async function downloads(page, id) {
  await figure(page, id).locator(".figure__share").click();
  const dialog = page.locator("dialog.share");
  await dialog.getByRole("radio", { name: "Download", exact: true }).check({ force: true });
  return dialog;
}

/** The file behind a button, its name, and what was said. */
async function file(page, dialog, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name, exact: true }).click()]);
  await ready(page);
  return { bytes: readFileSync(await download.path()), name: download.suggestedFilename(), said: await dialog.locator(".share__said").innerText() };
}

/** A number as the page writes it. */
const number = (text) => Number(text.replaceAll("\u202f", "").replace("−", "-").replace(/×10(.*)/, (_, power) => `e${[...power].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c)).map((d) => (d < 0 ? "-" : d)).join("")}`));

/** What a canvas holds, from its data's address: a list of numbers would take a minute to come over. */
const pixels = (address) => PNG.sync.read(Buffer.from(address.split(",")[1], "base64"));

/** RFC 4180. */
function csv(text) {
  assert.ok(text.endsWith("\r\n"));
  return text.slice(0, -2).split("\r\n").map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain));
}

for (const dpr of [1, 2]) {
  journey(`the pixels of the figure in a PNG are those of the canvas, ${dpr} each`, { deviceScaleFactor: dpr }, async ({ open }) => {
    const page = await open(BOARD);
    for (const id of ["heatmap", "offset"]) {
      const seen = await canvas(page, id).evaluate((one) => {
        const copy = document.createElement("canvas");
        [copy.width, copy.height] = [one.width, one.height];
        const context = copy.getContext("2d");
        context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--paper");
        context.fillRect(0, 0, one.width, one.height);
        context.drawImage(one, 0, 0);
        return copy.toDataURL();
      }).then(pixels);
      const dialog = await downloads(page, id);
      await dialog.getByLabel("pixels of the picture").selectOption(String(dpr));
      const { bytes, name } = await file(page, dialog, "PNG");
      assert.equal(name, `placewise-${id}-sinusoidal-rope.png`);
      const picture = PNG.sync.read(bytes);
      assert.equal(picture.width, seen.width + 2 * MARGIN * dpr);
      assert.ok(picture.height > seen.height + HEAD * dpr);
      let others = 0;
      for (let y = 0; y < seen.height; y += 1) {
        for (let x = 0; x < seen.width; x += 1) {
          const here = 4 * ((y + HEAD * dpr) * picture.width + x + MARGIN * dpr);
          const there = 4 * (y * seen.width + x);
          if ([0, 1, 2].some((i) => Math.abs(picture.data[here + i] - seen.data[there + i]) > 2)) others += 1;
        }
      }
      assert.equal(others, 0, `${id}: pixels that differ`);
      // And there is something to see: title above, legend below.
      const inked = (from, to) => {
        let ink = 0;
        for (let i = 4 * from * picture.width; i < 4 * to * picture.width; i += 4) ink += picture.data[i] < 128;
        return ink;
      };
      assert.ok(inked(0, HEAD * dpr) > 100 && inked(seen.height + HEAD * dpr, picture.height) > 100, id);
      await page.keyboard.press("Escape");
    }
  });
}

journey("a picture is as wide as was chosen, and SVG is XML that draws itself", async ({ open }) => {
  const page = await open(BOARD);
  for (const id of ["heatmap", "offset"]) {
    const dialog = await downloads(page, id);
    await dialog.getByLabel("width of the figure").selectOption("960");
    await dialog.getByLabel("pixels of the picture").selectOption("1");
    const png = PNG.sync.read((await file(page, dialog, "PNG")).bytes);
    assert.equal(png.width, 960 + 2 * MARGIN);
    const { bytes } = await file(page, dialog, "SVG");
    const seen = await page.evaluate(async (text) => {
      const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
      const root = parsed.documentElement;
      const own = {
        error: parsed.querySelector("parsererror")?.textContent ?? null,
        root: root.localName,
        size: [root.getAttribute("width"), root.getAttribute("height")].map(Number),
        texts: [...parsed.querySelectorAll("text")].map((one) => one.textContent),
        images: [...parsed.querySelectorAll("image")].map((one) => one.getAttribute("href").slice(0, 22)),
        lines: parsed.querySelectorAll("polyline").length,
        outside: [...parsed.querySelectorAll("[href]")].filter((one) => !one.getAttribute("href").startsWith("data:")).length,
        scripts: parsed.querySelectorAll("script, foreignObject").length,
      };
      const image = new Image();
      image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
      await image.decode();
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = own.size;
      const context = copy.getContext("2d");
      context.drawImage(image, 0, 0);
      return { ...own, data: copy.toDataURL() };
    }, bytes.toString("utf8"));
    const drawn = pixels(seen.data);
    assert.deepEqual([seen.error, seen.root, seen.outside, seen.scripts], [null, "svg", 0, 0]);
    assert.ok(seen.texts.includes(id === "heatmap" ? "Position × dimension" : "Score by offset"), seen.texts.join());
    // Its link, in as many lines as it takes.
    assert.ok(seen.texts.join("").includes(`${SITE}#/explore?figures=${id}&schemes=sinusoidal(d_model=20),rope&length=90&position=77`), seen.texts.join("|"));
    if (id === "heatmap") assert.ok(seen.images.length >= 2 && seen.images.every((data) => data === "data:image/png;base64,"));
    else assert.ok(seen.lines >= 2, "a curve for each scheme");
    // Drawn, it is the same picture: texts may stand a hair apart.
    assert.ok(Math.abs(seen.size[1] - png.height) <= 1);
    let others = 0;
    const height = Math.min(png.height, seen.size[1]);
    for (let i = 0; i < 4 * png.width * height; i += 4) {
      if ([0, 1, 2].some((j) => Math.abs(png.data[i + j] - drawn.data[i + j]) > 64)) others += 1;
    }
    assert.ok(others < 0.02 * png.width * height, `${id}: ${others} of ${png.width * height} pixels differ`);
    await page.keyboard.press("Escape");
  }
});

journey("a picture has the theme and the palette that were chosen, and the page keeps its own", async ({ open }) => {
  const page = await open("#/explore?figures=heatmap&schemes=sinusoidal");
  const dialog = await downloads(page, "heatmap");
  const before = await page.evaluate(() => [document.documentElement.dataset.theme ?? null, getComputedStyle(document.body).backgroundColor]);
  const ground = async (theme, palette) => {
    await dialog.getByLabel("theme").selectOption(theme);
    await dialog.getByLabel("palette").selectOption(palette);
    const picture = PNG.sync.read((await file(page, dialog, "PNG")).bytes);
    const seen = new Set();
    for (let i = 0; i < picture.data.length; i += 4) seen.add(picture.data.subarray(i, i + 3).join());
    const svg = (await file(page, dialog, "SVG")).bytes.toString("utf8");
    assert.ok(svg.includes(theme === "dark" ? "#16171a" : "#fff"), `${theme}: the ground of the SVG`);
    const link = svg.match(/#\/explore\?[^<]*/)[0];
    return { corner: picture.data.subarray(0, 3).join(), seen, link };
  };
  const dark = await ground("dark", "grey");
  assert.equal(dark.corner, "22,23,26");
  assert.match(dark.link, /theme=dark&amp;palette=grey$/);
  const light = await ground("light", "viridis");
  assert.equal(light.corner, "255,255,255");
  // The upper end of viridis; in grey there is nothing so yellow.
  const yellow = ({ seen }) => [...seen].some((rgb) => { const [r, g, b] = rgb.split(",").map(Number); return r > 230 && g > 210 && b < 90; });
  assert.deepEqual([yellow(light), yellow(dark)], [true, false]);
  assert.equal((await ground("system", "auto")).corner, "255,255,255");
  assert.deepEqual(await page.evaluate(() => [document.documentElement.dataset.theme ?? null, getComputedStyle(document.body).backgroundColor]), before);
});

journey("CSV, JSON and .npy have every number of the table, and more digits", async ({ open }) => {
  const page = await open(BOARD.replace("heatmap,offset", "heatmap"));
  await figure(page, "heatmap").locator(".figure__toggle").click();
  await ready(page);
  const shown = await table(page, "heatmap");
  const dialog = await downloads(page, "heatmap");
  const comma = await file(page, dialog, "CSV");
  const rows = csv(comma.bytes.toString("utf8"));
  const columns = 20 + 128;
  assert.deepEqual([rows.length, rows[0].length], [91, columns + 1]);
  assert.match(comma.said, /90 rows, 148 columns/);
  assert.ok(rows.every((row) => row.length === rows[0].length));
  // Every cell of the page's table, with its row and column, to the digits that are shown.
  let compared = 0;
  for (const line of shown.rows) {
    const row = rows[1 + parseInt(line[0], 10)];
    for (let i = 1; i < line.length; i += 1) {
      const column = rows[0].indexOf(shown.head[i]);
      assert.ok(column > 0, shown.head[i]);
      const [a, b] = [number(line[i]), Number(row[column])];
      assert.ok(Math.abs(a - b) <= 1e-5 * Math.max(Math.abs(a), 1e-5), `${shown.head[i]} at ${line[0]}: ${a}, ${b}`);
      compared += 1;
    }
  }
  assert.ok(compared > 200, String(compared));
  // The formula itself, to the last bits.
  for (const position of [0, 1, 89]) {
    for (let k = 0; k < 10; k += 1) {
      const angle = position / 10000 ** ((2 * k) / 20);
      assert.ok(Math.abs(Number(rows[1 + position][1 + 2 * k]) - Math.sin(angle)) < 1e-14);
      assert.ok(Math.abs(Number(rows[1 + position][2 + 2 * k]) - Math.cos(angle)) < 1e-14);
    }
  }
  const json = JSON.parse((await file(page, dialog, "JSON")).bytes.toString("utf8"));
  assert.deepEqual(json.columns, rows[0]);
  assert.deepEqual(json.rows.map((row) => row.map(String)), rows.slice(1).map((row) => row.map((cell) => String(Number(cell)))));
  assert.deepEqual([json.schemes, json.cut], [["sinusoidal(d_model=20)", "rope"], false]);
  assert.ok(json.link.startsWith(`${SITE}#/explore?figures=heatmap`));
  for (const [choice, kind, size] of [["f64", "<f8", 8], ["f32", "<f4", 4]]) {
    await dialog.getByLabel("numbers of .npy").selectOption(choice);
    const { bytes } = await file(page, dialog, ".npy (NumPy)");
    assert.equal(bytes.subarray(0, 8).toString("latin1"), "\x93NUMPY\x01\x00");
    const begin = 10 + bytes.readUInt16LE(8);
    assert.equal(begin % 64, 0);
    assert.match(bytes.subarray(10, begin).toString("latin1"), new RegExp(`^\\{'descr': '${kind}', 'fortran_order': False, 'shape': \\(90, ${columns}\\), \\} *\\n$`));
    assert.equal(bytes.length, begin + 90 * columns * size);
    for (const [row, column] of [[0, 0], [33, 7], [89, 147]]) {
      const at = begin + (row * columns + column) * size;
      const value = size === 8 ? bytes.readDoubleLE(at) : bytes.readFloatLE(at);
      const exact = Number(rows[1 + row][1 + column]);
      assert.equal(value, size === 8 ? exact : Math.fround(exact));
    }
  }
});

journey("a table of a million rows is cut, and that is said", async ({ open }) => {
  const page = await open("#/explore?figures=heatmap&length=1000000&schemes=sinusoidal(d_model=64)");
  const dialog = await downloads(page, "heatmap");
  const { said, bytes } = await file(page, dialog, ".npy (NumPy)");
  assert.match(said, /cut after \d+ rows/);
  assert.ok(bytes.length < 17e6, String(bytes.length));
});
