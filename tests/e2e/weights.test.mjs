// A model's weights: dropped or chosen, what is said of them, and the table on the board.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { closeSync, ftruncateSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { address, box, canvas, control, eventually, followed, journey, near, number, pixels, readings, ready, stage, summary, table, value, visit } from "./help.mjs";

stage();

// With it the whole app is here.
const BOARD = "#/explore?figures=offset,spectrum&schemes=rope";
const panel = (page) => page.locator("details:has(#config-text)");
const said = (page) => page.locator(".tensors__said");
const folder = mkdtempSync(join(tmpdir(), "placewise-weights-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A safetensors file: names, types and shapes with the bytes of their numbers. */
function safetensors(tensors) {
  let at = 0;
  const header = {};
  for (const [name, dtype, shape, data] of tensors) {
    header[name] = { dtype, shape, data_offsets: [at, (at += data.length)] };
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...tensors.map(([, , , data]) => data)]);
}

function npy(descr, shape, data) {
  const dictionary = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape.join(", ")}${shape.length === 1 ? "," : ""}), }`;
  const header = `${dictionary.padEnd(117)}\n`;
  return Buffer.concat([Buffer.from([0x93]), Buffer.from("NUMPY"), Buffer.from([1, 0, 118, 0]), Buffer.from(header), data]);
}

const floats = (numbers) => Buffer.from(new Float32Array(numbers).buffer);
/** The upper halves of the numbers' bits. */
const brains = (numbers) => Buffer.from(new Uint16Array([...new Uint32Array(new Float32Array(numbers).buffer)].map((bits) => bits >>> 16)).buffer);

/** MiniLM's table, as the site has it: bytes with a scale for each row. */
function minilm() {
  const file = readFileSync(new URL("../../static/data/learned-minilm.bin", import.meta.url));
  const [rows, columns] = [file.readUInt32LE(8), file.readUInt32LE(12)];
  const numbers = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const scale = file.readFloatLE(16 + 4 * row);
    for (let column = 0; column < columns; column++) {
      numbers[row * columns + column] = scale * file.readInt8(16 + 4 * rows + row * columns + column);
    }
  }
  return { rows, columns, numbers };
}

const waves = (rows, columns) => Array.from({ length: rows * columns }, (_, i) => Math.sin(Math.floor(i / columns) / (1 + (i % columns))));

/** Chooses a file by the button. Larger ones come from the disk. */
async function choose(page, name, bytes) {
  if (typeof bytes === "string") await page.locator("#config-file").setInputFiles(bytes);
  else await page.locator("#config-file").setInputFiles({ name, mimeType: "application/octet-stream", buffer: bytes });
}

/** Drops a file on a figure. */
function drop(page, name, bytes) {
  return page.evaluate(
    ({ name, bytes }) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
      for (const type of ["dragover", "drop"]) {
        document.querySelector(".figure").dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      }
    },
    { name, bytes: [...bytes] },
  );
}

const says = (page, pattern) => eventually(String(pattern), async () => pattern.test(await said(page).innerText()));

journey("a real table is dropped, shown, and the same as the one of the site", async ({ open }) => {
  const page = await open(BOARD);
  const { rows, columns, numbers } = minilm();
  const file = safetensors([
    ["embeddings.LayerNorm.weight", "F32", [2], floats([1, 1])],
    ["embeddings.position_embeddings.weight", "F32", [rows, columns], Buffer.from(numbers.buffer)],
  ]);
  await drop(page, "model.safetensors", file);
  await says(page, /model\.safetensors has 2 tensors.* 1 of them/);
  await says(page, /From model\.safetensors: embeddings\.position_embeddings\.weight · F32 · 512 × 384/);
  await ready(page);
  await followed(page, /^#\/explore\?figures=heatmap,similarity&schemes=learned\(table=yours\)&length=512/);
  assert.equal(await value(page, "length"), 512);
  const own = await pixels(page, "heatmap");
  assert.ok(own.colours > 50, `${own.colours} colours`);
  const sentence = await summary(page, "heatmap");
  // One step back is where we were.
  await page.keyboard.press("Control+z");
  await followed(page, BOARD);
  await page.keyboard.press("Control+y");
  await ready(page);
  await visit(page, "#/explore?figures=heatmap,similarity&schemes=learned(table=minilm)&length=512");
  assert.deepEqual(await pixels(page, "heatmap"), own);
  assert.equal(await summary(page, "heatmap"), sentence);
});

journey("it is still there after a reload, and gone when it is forgotten", async ({ open }) => {
  const page = await open(BOARD);
  await choose(page, "table.npy", npy("<f4", [24, 8], floats(waves(24, 8))));
  await says(page, /From table\.npy: without a name · F32 · 24 × 8/);
  await ready(page);
  const before = await pixels(page, "heatmap");
  await followed(page, /schemes=learned\(table=yours\)/);
  await page.reload();
  await ready(page);
  await says(page, /From table\.npy/);
  await followed(page, /schemes=learned\(table=yours\)/);
  assert.deepEqual(await pixels(page, "heatmap"), before);
  assert.equal(await page.locator("[data-notice]").count(), 0);
  await page.getByRole("button", { name: "Beside sines and cosines" }).click();
  await ready(page);
  await followed(page, /schemes=learned\(table=yours\),sinusoidal\(d_model=8\)/);
  await page.getByRole("button", { name: "Forget it" }).click();
  await ready(page);
  await followed(page, /schemes=sinusoidal\(d_model=8\)/);
  await page.reload();
  await ready(page);
  assert.doesNotMatch(await said(page).innerText(), /table\.npy/);
});

journey("what a table of one's own has learned: numbers, keys, pointer, list, reload", async ({ open }) => {
  const page = await open(BOARD);
  const { rows, columns, numbers } = minilm();
  await drop(page, "model.safetensors", safetensors([["bert.embeddings.position_embeddings.weight", "F32", [rows, columns], Buffer.from(numbers.buffer)]]));
  await says(page, /From model\.safetensors/);
  await ready(page);
  await visit(page, "#/explore?figures=table&schemes=learned(table=yours)&length=512&position=100&offset=2");
  // What NumPy found in the same table: tests/vectors of the crate.
  assert.match(await summary(page, "table"), /share 0\.49 .* about 14\.3 of 384 .*Sines and cosines of the same size: a share 1\b/);
  const reading = async (part) => (await readings(page, "table")).find(([label]) => label.includes(part))?.[1];
  const cosine = (a, b) => {
    const row = (place) => numbers.subarray(place * columns, (place + 1) * columns);
    const dot = (x, y) => x.reduce((sum, value, i) => sum + value * y[i], 0);
    return dot(row(a), row(b)) / Math.sqrt(dot(row(a), row(a)) * dot(row(b), row(b)));
  };
  const mean = (apart) => Array.from({ length: rows - apart }, (_, place) => cosine(place, place + apart)).reduce((a, b) => a + b) / (rows - apart);
  near((await reading("at distance 2")).split(" ")[0], mean(2), "distance 2");
  assert.match(await reading("of position 100"), /^(99, 101|101, 99)/);
  // A key, and the pointer, move the shared cursor.
  await canvas(page, "table").focus();
  await page.keyboard.press("ArrowRight");
  await followed(page, /offset=3/);
  near((await reading("at distance 3")).split(" ")[0], mean(3), "distance 3");
  const { x, y, width, height } = await box(page, "table");
  await page.mouse.click(x + width / 2, y + height / 2);
  await ready(page);
  const offset = await value(page, "offset");
  assert.ok(offset > 200 && offset < 300, `${offset}`);
  const list = await table(page, "table");
  near(list.rows.find(([distance]) => number(distance) === offset)[1], mean(offset), `distance ${offset}`);
  // Components: what is drawn is told and listed, too.
  const drawn = await pixels(page, "table");
  await page.getByText("Options of this figure").click();
  await control(page, "table-show").selectOption("components");
  await ready(page);
  assert.notEqual((await pixels(page, "table")).hash, drawn.hash);
  assert.match(await summary(page, "table"), /4 components explain 43\.\d % .*periods/);
  const components = await table(page, "table");
  assert.deepEqual([components.head.length, components.head[0]], [5, "position"]);
  const shown = components.rows.find(([position]) => position === "100");
  assert.equal(await reading("component 1 at position 100"), shown[1]);
  // After a reload within the tab it is the same, with the pointer away from it: there it would hover.
  await page.mouse.move(0, 0);
  await ready(page);
  const before = await pixels(page, "table");
  await page.reload();
  await ready(page);
  await eventually("the same picture", async () => (await pixels(page, "table")).hash === before.hash);
  assert.equal(await page.locator("[data-notice]").count(), 0);
  assert.match(await page.locator(".tensors").innerText(), /A link cannot carry it/);
});

journey("another table takes its place at once", async ({ open }) => {
  const page = await open(BOARD);
  await choose(page, "one.npy", npy("<f4", [24, 8], floats(waves(24, 8))));
  await says(page, /one\.npy/);
  await ready(page);
  const one = await pixels(page, "heatmap");
  await choose(page, "two.npy", npy("<f4", [24, 8], floats(waves(24, 8).map((x) => -x * x))));
  await says(page, /From two\.npy/);
  await ready(page);
  await eventually("another picture", async () => (await pixels(page, "heatmap")).hash !== one.hash);
});

journey("a link to it says elsewhere what it does not carry", async ({ open }) => {
  const page = await open("#/explore?schemes=learned(table=yours),t5(table=yours)&figures=heatmap");
  const notices = await page.locator("[data-notice]").allInnerTexts();
  assert.ok(notices.some((notice) => /No table from a file of yours.*RXNMapper/.test(notice)), notices.join("\n"));
  await followed(page, /schemes=learned,t5/);
  assert.ok((await pixels(page, "heatmap")).colours > 20);
});

journey("bf16, rows that stand for no position, rows of no numbers", async ({ open }) => {
  const page = await open(BOARD);
  const numbers = waves(66, 4);
  numbers.fill(NaN, 4 * 12, 4 * 14);
  await choose(page, "opt.safetensors", safetensors([["model.decoder.embed_positions.weight", "BF16", [66, 4], brains(numbers)]]));
  await says(page, /BF16 · 66 × 4 · a row for each position/);
  const text = await said(page).innerText();
  assert.match(text, /first 2 rows stand for no position/);
  assert.match(text, /8 of its numbers are no numbers/);
  await ready(page);
  assert.equal(await value(page, "length"), 64);
  // Row 10 of the table is row 12 of the tensor.
  await visit(page, "#/explore?figures=heatmap&schemes=learned(table=yours)&length=64&position=9&plane=0");
  const row = await page.locator("[data-figure=heatmap] .reading__value").first().innerText();
  assert.ok(Math.abs(number(row) - Math.sin(11)) < 0.005, row);
});

journey("T5's bias is shown as a bias, a grid as a grid, frequencies as a rotation", async ({ open }) => {
  const page = await open(BOARD);
  const file = safetensors([
    ["encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", "F32", [32, 4], floats(waves(32, 4))],
    ["model.layers.0.self_attn.rotary_emb.inv_freq", "F32", [32], floats(Array.from({ length: 32 }, (_, k) => 500000 ** (-k / 32)))],
    ["vit.embeddings.position_embeddings", "F32", [1, 26, 6], floats(waves(26, 6))],
    ["words.weight", "F32", [5, 3], floats(waves(5, 3))],
  ]);
  await choose(page, "many.safetensors", file);
  await says(page, /a row for each patch of 5 × 5/);
  await ready(page);
  await followed(page, /figures=patches&schemes=learned2d\(table=yours\)&length=25/);
  assert.ok((await pixels(page, "patches")).colours > 20);
  const list = page.locator("#tensors-choice");
  const options = await list.locator("option").allInnerTexts();
  assert.equal(options.length, 5);
  await list.selectOption(options.find((option) => /buckets/.test(option)));
  await says(page, /From many\.safetensors: encoder\..*encoder’s/s);
  await ready(page);
  await followed(page, /figures=bias,offset&schemes=t5\(table=yours\)/);
  await list.selectOption(options.find((option) => /words/.test(option)));
  await says(page, /From many\.safetensors: words\.weight/);
  await ready(page);
  await followed(page, /schemes=learned\(table=yours\)&length=5/);
  await list.selectOption(options.find((option) => /inv_freq/.test(option)));
  await says(page, /rope_theta = 500\D000 in heads of 64: plane \d+ is furthest off, by .*⁻⁸ of itself/);
  await ready(page);
  await followed(page, /schemes=rope\(head_dim=64,rope_theta=500000\)/);
  // The spectrum has them beside the scheme's own, also after a reload.
  assert.match(await summary(page, "spectrum"), /inv_freq of many\.safetensors is that of RoPE/);
  await visit(page, "#/explore?figures=spectrum&schemes=rope(head_dim=64)&plane=31");
  assert.match(await summary(page, "spectrum"), /is not that of RoPE: they differ most in plane 31/);
  // A scheme that turns as many planes stays, whatever its frequencies are.
  await list.selectOption(options.find((option) => /words/.test(option)));
  await says(page, /From many\.safetensors: words\.weight/);
  await ready(page);
  await followed(page, /schemes=learned/);
  await visit(page, "#/explore?figures=spectrum&schemes=rope(head_dim=64)&plane=31");
  await list.selectOption(options.find((option) => /inv_freq/.test(option)));
  await eventually("they stand beside it", async () => /is not that of RoPE/.test(await summary(page, "spectrum")));
  assert.equal(await address(page), "#/explore?figures=spectrum&schemes=rope(head_dim=64)&plane=31");
  await page.reload();
  await ready(page);
  const { head, rows } = await table(page, "spectrum");
  near(rows[31][head.findIndex((text) => text.startsWith("inv_freq of many"))], 2 * Math.PI * 500000 ** (31 / 32), "plane 31");
});

journey("odd files are told in words, and nothing is lost", async ({ open }) => {
  const page = await open(BOARD);
  const jpeg = Buffer.from("ffd8ffe000104a46494600010100000100010000", "hex");
  const zip = Buffer.from("504b0304140000000000", "hex");
  for (const [name, bytes, wanted] of [
    ["empty.safetensors", Buffer.alloc(0), /the file is empty/],
    ["photo.npy", jpeg, /this is a picture/],
    ["photo.jpg", jpeg, /this is a picture/],
    ["model.pt", zip, /a zip archive/],
    ["model.bin", Buffer.from("80027d7100", "hex"), /a Python pickle/],
    ["model.gguf", Buffer.from("GGUF\u0003\0\0\0\0"), /GGUF/],
    ["one.npy", npy("<f4", [4], floats([1, 2, 3, 4])), /rows and columns, and this has the shape 4/],
    ["three.npy", npy("<f4", [2, 2, 2], floats(waves(4, 2))), /the shape 2 × 2 × 2/],
    ["whole.npy", npy("<i8", [2, 2], Buffer.alloc(32)), /of the type <i8/],
    ["cut.npy", npy("<f4", [4, 4], floats([1])), /ends too early/],
    ["cut.safetensors", safetensors([["wpe", "F32", [4, 4], floats(waves(4, 4))]]).subarray(0, 100), /ends too early/],
    ["huge.safetensors", Buffer.from("ffffffffffffffff7b7d", "hex"), /no real file has as many/],
    ["none.safetensors", safetensors([]), /has 0 tensors/],
  ]) {
    await choose(page, name, bytes);
    await says(page, new RegExp(`${name.replace(".", "\\.")}.*${wanted.source}`, "s"));
  }
  assert.equal(await address(page), BOARD);
  await choose(page, "good.npy", npy("<f4", [4, 4], floats(waves(4, 4))));
  await says(page, /From good\.npy/);
});

journey("of a file of 8 GB the table is shown within 2 s, and little of it is in memory", { timeout: 180_000 }, async ({ open, browser }) => {
  const [vocabulary, positions, width] = [2_796_202, 1024, 768];
  const words = vocabulary * width * 4;
  const header = Buffer.from(
    JSON.stringify({
      "wte.weight": { dtype: "F32", shape: [vocabulary, width], data_offsets: [0, words] },
      "wpe.weight": { dtype: "F32", shape: [positions, width], data_offsets: [words, words + positions * width * 4] },
    }),
  );
  const path = join(folder, "large.safetensors");
  const file = openSync(path, "w");
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  writeSync(file, length);
  writeSync(file, header);
  const begin = 8 + header.length + words;
  writeSync(file, floats(waves(positions, width)), 0, positions * width * 4, begin);
  ftruncateSync(file, begin + positions * width * 4);
  closeSync(file);
  const page = await open(BOARD);
  // The lab is here, as after any first use of it: what is measured is the file.
  await choose(page, "small.npy", npy("<f4", [4, 4], floats(waves(4, 4))));
  await says(page, /From small\.npy/);
  await ready(page);
  const before = await memory(browser);
  await choose(page, "", path);
  const begun = Date.now();
  await says(page, /From large\.safetensors: wpe\.weight · F32 · 1024 × 768/);
  await ready(page);
  const took = Date.now() - begun;
  assert.ok((await pixels(page, "heatmap")).colours > 50);
  const grown = (await memory(browser)) - before;
  console.log(`8 GB: ${took} ms, ${(grown / 2 ** 20).toFixed(1)} MB`);
  assert.ok(took < 2000, `${took} ms`);
  assert.ok(grown < 64 * 2 ** 20, `${grown} bytes`);
});

/** Bytes that the pages' processes hold, their workers' among them. */
async function memory(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const pages = processInfo.filter(({ type }) => type === "renderer");
  const held = ({ id }) => Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1]) * 1024;
  return pages.reduce((sum, page) => sum + held(page), 0);
}

journey("nobody is shut out", async ({ open }) => {
  const page = await open(BOARD);
  await choose(page, "table.npy", npy("<f4", [24, 8], floats(waves(24, 8))));
  await says(page, /From table\.npy/);
  await ready(page);
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  const found = await page.evaluate(() => globalThis.axe.run(".explore__controls"));
  assert.deepEqual(found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), []);
});
