// A model's config.json: pasted, chosen, dropped; what is said of it, and what it puts on the board.

import assert from "node:assert/strict";
import { address, eventually, journey, ready, stage } from "./help.mjs";

stage();

const LLAMA = JSON.stringify(
  {
    model_type: "llama",
    hidden_size: 4096,
    num_attention_heads: 32,
    num_hidden_layers: 32,
    max_position_embeddings: 131072,
    rope_theta: 500000,
    rope_scaling: { type: "llama3", factor: 8, low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: 8192 },
    vocab_size: 128256,
  },
  null,
  2,
);
// With it the whole app is here, which reads configs.
const BOARD = "#/explore?figures=offset,spectrum&schemes=rope";
const panel = (page) => page.locator("details:has(#config-text)");

async function paste(page, text) {
  if (!(await panel(page).evaluate((details) => details.open))) await panel(page).locator("> summary").click();
  await page.locator("#config-text").fill(text);
}

journey("a config is pasted, and shown", async ({ open }) => {
  const page = await open(BOARD);
  await paste(page, LLAMA);
  const said = panel(page).locator("[role=status]");
  await eventually("it is read", async () => /Read as llama/.test(await said.innerText()));
  const text = await said.innerText();
  assert.match(text, /RoPE 32 layers: 0–31/);
  assert.match(text, /rope\(rope_theta=500000,rope_type=llama3,factor=8,original_max_position_embeddings=8192\)/);
  assert.match(text, /131\D072 tokens/);
  assert.match(text, /line 9/);
  assert.match(await said.locator("a").first().getAttribute("href"), /^https:\/\/github\.com\//);
  await said.getByRole("button", { name: "Show on the board" }).click();
  await ready(page);
  await eventually("the address says it", async () =>
    (await address(page)).startsWith("#/explore?figures=spectrum,offset&schemes=rope(rope_theta=500000,rope_type=llama3"));
  assert.match(await address(page), /length=131072/);
  assert.equal(await page.evaluate(() => scrollY), 0, "what has changed is in sight");
  // One step back is where we were.
  await page.keyboard.press("Control+z");
  await eventually("undone", async () => (await address(page)) === BOARD);
});

journey("the first module has a button that brings it", async ({ open }) => {
  const page = await open("#/explore");
  await page.locator("#model-config").click();
  await eventually("the whole app is here, and what was asked for lies open", () => page.locator("#config-text").isVisible());
  await ready(page);
  assert.equal(await page.evaluate(() => document.activeElement.id), "model-config");
  await paste(page, LLAMA);
  await eventually("it is read", async () => /Read as llama/.test(await panel(page).locator("[role=status]").innerText()));
});

/** Drops a file on a page; whether the browser was kept from opening it. */
const drop = (page, text, name) =>
  page.evaluate(({ text, name }) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], name));
    const kept = (type) => !document.querySelector("main, body").dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    return ["dragover", "drop"].map(kept);
  }, { text, name });

journey("a file that is dropped before the whole app is here waits for it", async ({ open }) => {
  for (const link of ["#/explore", "", "#/about"]) {
    const page = await open(link);
    assert.deepEqual(await drop(page, LLAMA, "config.json"), [true, true], link);
    await eventually("it is read", async () => /Read as llama/.test(await panel(page).locator("[role=status]").innerText()));
    await ready(page);
    assert.match(await address(page), /^#\/explore/, link);
    // One that comes later is read, too.
    await drop(page, '{"model_type": "bloom", "n_head": 12}', "config.json");
    await eventually("the other", async () => /Read as bloom/.test(await panel(page).locator("[role=status]").innerText()));
    await page.close();
  }
});

journey("in a narrow page what a dropped file is lies open", { viewport: { width: 360, height: 740 } }, async ({ open }) => {
  const page = await open("#/explore");
  await drop(page, LLAMA, "config.json");
  await eventually("it is seen", () => panel(page).getByText("Read as llama").isVisible());
});

journey("a page in another's frame keeps a dropped file from being opened", async ({ open }) => {
  const page = await open("#/embed?figures=offset");
  assert.deepEqual(await drop(page, LLAMA, "config.json"), [true, true]);
  assert.equal(await address(page), "#/embed?figures=offset");
});

journey("it stands beside what is there, and is still there after a reload", async ({ open }) => {
  const page = await open(BOARD);
  await paste(page, LLAMA);
  await panel(page).getByRole("button", { name: "Add beside what is there" }).click();
  await eventually("two schemes", async () => /schemes=rope,rope\(rope_theta=500000/.test(await address(page)));
  await page.reload();
  await ready(page);
  assert.equal(await page.locator("#config-text").inputValue(), LLAMA);
  assert.match(await panel(page).locator("[role=status]").innerText(), /Read as llama/);
  await panel(page).getByRole("button", { name: "Clear" }).click();
  await page.reload();
  await ready(page);
  assert.equal(await page.locator("#config-text").inputValue(), "");
});

journey("two models stand side by side, and both are there after a reload", async ({ open }) => {
  const page = await open(BOARD);
  await paste(page, LLAMA);
  await panel(page).getByRole("button", { name: "Keep it, and read another" }).click();
  assert.equal(await page.locator("#config-text").inputValue(), "");
  await paste(page, '{"model_type": "bloom", "n_head": 112, "seq_length": 2048}');
  const both = async () => {
    const said = await panel(page).innerText();
    return /Read as llama/.test(said) && /Read as bloom/.test(said) && /112 heads are no power of two/.test(said);
  };
  await eventually("both are told", both);
  const cells = await panel(page).locator(".config__compare tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText.trim())));
  assert.deepEqual(cells[0].slice(1), ["llama", "bloom"]);
  const served = cells.find(([head]) => head === "tokens it can serve");
  assert.match(served[1], /^131\D072$/);
  assert.equal(served[2], "–", "nothing ends a bias");
  // Each can be shown: the second beside the first.
  const buttons = panel(page).getByRole("button", { name: "Add beside what is there" });
  await buttons.nth(1).click();
  await eventually("the kept one", async () => /schemes=rope,rope\(rope_theta=500000/.test(await address(page)));
  await buttons.nth(0).click();
  await eventually("and the other", async () => /,alibi\(num_heads=112/.test(await address(page)));
  await page.reload();
  await ready(page);
  await eventually("both are there again", both);
  await panel(page).getByRole("button", { name: "Forget it" }).click();
  await eventually("one is gone", async () => !/Read as llama/.test(await panel(page).innerText()));
});

journey("what cannot be read says where, and nothing is lost", async ({ open }) => {
  const page = await open(BOARD);
  await paste(page, '{\n  "rope_theta": "much"\n}');
  const said = panel(page).locator("[role=status]");
  await eventually("it is said", async () => /line 2: rope_theta = "much": it must be a number/.test(await said.innerText()));
  for (const [odd, wanted] of [["{", /line 1.*ends too early/], ["[1]", /in braces/], ["\u0000\ud83d", /cannot be read/], ["{}", /Nothing in it says where tokens stand/]]) {
    await page.locator("#config-text").fill(odd);
    await eventually(odd, async () => wanted.test(await said.innerText()));
  }
  assert.equal(await address(page), BOARD);
  // What is far too long is not taken: what was there stays.
  await page.evaluate((long) => {
    const field = document.querySelector("#config-text");
    field.value = " ".repeat(long);
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }, 50 << 20);
  await eventually("it is too long", async () => /52\D428\D800 characters/.test(await said.innerText()));
  assert.equal(await page.locator("#config-text").inputValue(), "{}");
});

journey("a file is chosen or dropped anywhere", async ({ open }) => {
  const page = await open(BOARD);
  await page.locator("#config-file").setInputFiles({ name: "config.json", mimeType: "application/json", buffer: Buffer.from(LLAMA) });
  const said = panel(page).locator("[role=status]");
  await eventually("it is read", async () => /Read as llama/.test(await said.innerText()));
  await drop(page, '{"model_type": "bloom", "n_head": 12}', "config.json");
  await eventually("the other", async () => /Read as bloom/.test(await said.innerText()));
  assert.match(await said.innerText(), /12 heads are no power of two/);
  await drop(page, " ".repeat(5 << 20), "weights.json");
  await eventually("too large", async () => /weights\.json is too large/.test(await said.innerText()));
  assert.match(await page.locator("#config-text").inputValue(), /bloom/);
});
