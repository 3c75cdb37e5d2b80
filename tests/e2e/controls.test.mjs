// Choosing, dragging, typing, undoing.

import assert from "node:assert/strict";
import { address, control, controls, eventually, figure, followed, journey, near, ready, sinusoid, stage, summary, table, type, typed, value } from "./help.mjs";

stage();

const undo = (page) => page.getByRole("button", { name: "Undo" });
const redo = (page) => page.getByRole("button", { name: "Redo" });

/** Drags a slider's thumb by a share of its track, in steps that rest so long. */
async function drag(page, key, share, rest = 0) {
  const slider = control(page, key);
  await slider.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await slider.boundingBox();
  const at = await slider.evaluate((input) => (input.value - input.min) / (input.max - input.min));
  // The thumb is 16 px wide, and its middle stays within the track.
  const from = x + 8 + at * (width - 16);
  await page.mouse.move(from, y + height / 2);
  await page.mouse.down();
  for (let i = 1; i <= 5; i += 1) {
    await page.mouse.move(from + (share * width * i) / 5, y + height / 2);
    if (rest) await page.waitForTimeout(rest);
  }
  await page.mouse.up();
  await ready(page);
}

journey("another scheme is chosen", async ({ open }) => {
  const page = await open("#/explore");
  await page.getByLabel("Scheme 1").selectOption("rope");
  await ready(page);
  assert.equal(await control(page, "scheme-0-rope_theta").count(), 1);
  assert.equal(await control(page, "scheme-0-base").count(), 0);
  assert.match(await summary(page, "heatmap"), /^RoPE/);
  await followed(page, "#/explore?schemes=rope");
  await page.getByLabel("Add a scheme").selectOption("sinusoidal");
  await ready(page);
  assert.equal(await page.locator(".schemes__slot").count(), 2);
  assert.match(await summary(page, "offset"), /RoPE.*Sinusoidal/);
  await page.getByRole("button", { name: "Remove RoPE" }).click();
  await ready(page);
  assert.equal(await page.locator(".schemes__slot").count(), 1);
  assert.match(await summary(page, "heatmap"), /^Sinusoidal/);
  await followed(page, "#/explore");
});

journey("at most four schemes, and the same twice", async ({ open }) => {
  const page = await open("#/explore");
  for (const id of ["sinusoidal", "rope", "none"]) {
    await page.getByLabel("Add a scheme").selectOption(id);
    await ready(page);
  }
  assert.equal(await page.locator(".schemes__slot").count(), 4);
  assert.ok(await page.getByLabel("Add a scheme").isHidden());
  await followed(page, "#/explore?schemes=sinusoidal,sinusoidal,rope,none");
});

journey("dragging a slider changes the figure; one drag is one step", async ({ open }) => {
  const page = await open("#/explore");
  const before = await table(page, "heatmap");
  assert.ok(await undo(page).isDisabled());
  // Slower than a run of keys: it is one gesture all the same.
  await drag(page, "scheme-0-base", -0.2, 300);
  const base = await value(page, "scheme-0-base");
  assert.ok(base < 10_000 && base > 1, `the base is ${base}`);
  const { rows } = await table(page, "heatmap");
  near(rows[12][5], sinusoid(12, Number(before.head[5].replace(/\D/g, "")), 32, base), "the table follows");
  // The address may have caught a rest in the midst of the drag; it ends with the value that is shown.
  await followed(page, new RegExp(`sinusoidal\\(base=${base}\\)`));
  await undo(page).click();
  await ready(page);
  assert.equal(await value(page, "scheme-0-base"), 10_000);
  assert.deepEqual(await table(page, "heatmap"), before);
  assert.ok(await undo(page).isDisabled(), "the whole drag was one step");
  await redo(page).click();
  await ready(page);
  assert.equal(await value(page, "scheme-0-base"), base);
  assert.ok(await redo(page).isDisabled());
});

journey("two drags are two steps", async ({ open }) => {
  const page = await open("#/explore");
  await drag(page, "scheme-0-base", -0.2);
  const first = await value(page, "scheme-0-base");
  await drag(page, "scheme-0-base", -0.1);
  await undo(page).click();
  await ready(page);
  assert.equal(await value(page, "scheme-0-base"), first);
  await undo(page).click();
  await ready(page);
  assert.equal(await value(page, "scheme-0-base"), 10_000);
});

journey("a number is typed", async ({ open }) => {
  const page = await open("#/explore");
  await type(page, "length", "128");
  assert.equal(await value(page, "length"), 128);
  await followed(page, "#/explore?length=128");
  await type(page, "length", "2k");
  assert.equal(await value(page, "length"), 2000);
  await type(page, "length", "10,000");
  assert.equal(await value(page, "length"), 10_000);
  await type(page, "position", "17.25");
  assert.equal(await value(page, "position"), 17.25);
  assert.match(await summary(page, "heatmap"), /17\.25/);
});

journey("commas, and lists with ranges", async ({ open }) => {
  const page = await open("#/explore?figures=rotation&schemes=rope");
  const complaint = page.locator("#field-position-complaint");
  await type(page, "position", "7,5");
  assert.equal(await value(page, "position"), 7.5);
  assert.ok(await complaint.isHidden());
  await type(page, "length", "4096");
  await type(page, "position", "1,500");
  assert.equal(await value(page, "position"), 1500);
  assert.match(await complaint.innerText(), /Read as 1500/);
  await page.locator(".board__options summary").click();
  const planes = control(page, "rotation-planes");
  for (const [text, list, said] of [
    ["0-3, 9", "0:1:2:3:9", null],
    ["0-15", "0:1:2:3:4:5:6:7:8:9:10:11:12:13:14:15", null],
    ["1 2 99", "1:2", /99/],
    ["1, two", "1", /1:two/],
  ]) {
    await planes.fill(text);
    await planes.press("Enter");
    await ready(page);
    assert.equal(await planes.inputValue(), list, text);
    const notices = await page.locator('[data-notice="rotation.planes"]').allInnerTexts();
    if (said) assert.match(notices.join(), said);
  }
});

journey("what is automatic says what is used, and the formula follows", async ({ open }) => {
  const page = await open("#/explore?schemes=rope");
  const formula = () => page.locator(".about-scheme__formula").textContent();
  assert.doesNotMatch(await formula(), /γ/);
  await control(page, "scheme-0-rope_type").selectOption("yarn");
  await ready(page);
  await type(page, "scheme-0-factor", "4");
  await eventually("0.1·ln 4 + 1", async () => /1\.13863/.test(await formula()));
  assert.match(await formula(), /γ/);
  const used = page.locator('.field[data-key="attention_factor"] .field__used');
  assert.match(await used.innerText(), /1\.13863/);
  await type(page, "scheme-0-attention_factor", "2");
  assert.ok(await used.isHidden());
});

journey("what is for odd widths is offered for these", async ({ open }) => {
  const page = await open("#/explore");
  assert.equal(await control(page, "scheme-0-odd").count(), 0);
  await type(page, "scheme-0-d_model", "33");
  assert.ok(await control(page, "scheme-0-odd").isVisible());
});

journey("what is no number is said, and the value kept", async ({ open }) => {
  const page = await open("#/explore?length=100");
  const complaint = page.locator("#field-length-complaint");
  for (const garbage of ["abc", "", "1e999", "NaN", "--4", "0x10", "🙂", "1 2 3 x", "inf", "<b>"]) {
    await type(page, "length", garbage);
    assert.equal(await value(page, "length"), 100, `after “${garbage}”`);
    assert.ok(await complaint.isVisible(), `“${garbage}” is complained of`);
    assert.match(await complaint.innerText(), /not a number/);
  }
  assert.equal(await address(page), "#/explore?length=100");
  await type(page, "length", "0");
  assert.equal(await value(page, "length"), 1);
  assert.match(await complaint.innerText(), /From 1 to/);
  await type(page, "length", "99999999999");
  assert.equal(await value(page, "length"), 10_000_000);
  await type(page, "length", "50");
  assert.ok(await complaint.isHidden(), "a good value ends the complaint");
});

journey("keys on a slider", async ({ open }) => {
  const page = await open("#/explore");
  const slider = control(page, "position");
  await slider.focus();
  for (const [key, wanted] of [
    ["ArrowRight", 13],
    ["ArrowUp", 14],
    ["ArrowLeft", 13],
    ["ArrowDown", 12],
    ["PageUp", 22],
    ["PageDown", 12],
    ["End", 63],
    ["Home", 0],
  ]) {
    await page.keyboard.press(key);
    await ready(page);
    assert.equal(await value(page, "position"), wanted, key);
  }
  // On a logarithmic slider too.
  await control(page, "length").focus();
  let last = 64;
  for (const key of ["ArrowRight", "ArrowRight", "PageUp"]) {
    await page.keyboard.press(key);
    await ready(page);
    const now = await value(page, "length");
    assert.ok(now > last, `${key}: ${now} follows ${last}`);
    last = now;
  }
  await typed(page, "position").focus();
  await page.keyboard.press("ArrowUp");
  await ready(page);
  assert.equal(await value(page, "position"), 1);
});

journey("a double click brings the default back", async ({ open }) => {
  const page = await open("#/explore?position=40&schemes=sinusoidal(base=77)");
  await control(page, "position").dblclick();
  await ready(page);
  assert.equal(await value(page, "position"), 12);
  await control(page, "scheme-0-base").dblclick();
  await ready(page);
  assert.equal(await value(page, "scheme-0-base"), 10_000);
  await followed(page, "#/explore");
  // The two presses of the double click are no steps of their own that lead somewhere else.
  await undo(page).click();
  await ready(page);
});

journey("undo and redo by keys, and reset", async ({ open }) => {
  const page = await open("#/explore");
  await type(page, "length", "100");
  await type(page, "position", "50");
  const changed = await controls(page);
  await page.locator("h2").first().click();
  await page.keyboard.press("Control+z");
  await ready(page);
  assert.equal(await value(page, "position"), 12);
  await page.keyboard.press("Control+z");
  await ready(page);
  assert.equal(await value(page, "length"), 64);
  await page.keyboard.press("Control+Shift+Z");
  await page.keyboard.press("Control+Shift+Z");
  await ready(page);
  assert.deepEqual(await controls(page), changed);
  await followed(page, "#/explore?length=100&position=50");
  await page.getByRole("button", { name: "Reset" }).click();
  await ready(page);
  assert.equal(await value(page, "length"), 64);
  await followed(page, "#/explore");
  await undo(page).click();
  await ready(page);
  assert.deepEqual(await controls(page), changed, "a reset can be undone");
  // A new change ends what could be redone.
  await undo(page).click();
  await type(page, "offset", "9");
  assert.ok(await redo(page).isDisabled());
});

journey("in a text field, Ctrl+Z is the text's", async ({ open }) => {
  const page = await open("#/explore");
  await type(page, "length", "100");
  const text = control(page, "text");
  await text.focus();
  await page.keyboard.type("x");
  await page.keyboard.press("Control+z");
  await ready(page);
  assert.equal(await value(page, "length"), 100);
});

journey("a shorter sequence moves the cursor, and says so once", async ({ open }) => {
  const page = await open("#/explore?position=50&length=64");
  await type(page, "length", "20");
  assert.equal(await value(page, "position"), 19);
  await page.keyboard.press("Escape");
  await undo(page).click();
  await ready(page);
  assert.equal(await value(page, "position"), 50);
  assert.equal(await value(page, "length"), 64);
});

journey("figures are put on the board and taken off", async ({ open }) => {
  const page = await open("#/explore");
  const box = (name) => page.getByRole("checkbox", { name });
  // It comes with the whole app, and is ticked when it is there.
  await box("Clock hands").click();
  await eventually("the figure is there", async () => (await figure(page, "rotation").count()) === 1);
  await ready(page);
  assert.ok(await box("Clock hands").isChecked());
  await box("Position × dimension").uncheck();
  await box("Score by offset").uncheck();
  await ready(page);
  assert.equal(await page.locator("[data-figure]").count(), 1);
  assert.ok(await box("Clock hands").isDisabled(), "the last one stays");
  await followed(page, "#/explore?figures=rotation");
});

journey("the words are changed", async ({ open }) => {
  const page = await open("#/explore");
  const text = control(page, "text");
  await text.fill("one two three");
  await text.blur();
  await ready(page);
  const { rows } = await table(page, "heatmap");
  assert.equal(rows[1][0], "1 two");
  assert.equal(rows[3][0], "3");
  await followed(page, "#/explore?text=one%20two%20three");
  await text.fill("");
  await text.blur();
  await ready(page);
  await eventually("the first text is back", async () => (await text.inputValue()).startsWith("Alice"));
  await followed(page, "#/explore");
});

journey("the theme is chosen and kept", async ({ open }) => {
  const page = await open("#/explore");
  await page.getByLabel("Theme").selectOption("dark");
  await ready(page);
  await followed(page, "#/explore?theme=dark");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  assert.equal(await page.evaluate(() => localStorage.getItem("placewise.theme")), "dark");
});

journey("a real model's settings are taken, and said where they were read", async ({ open }) => {
  const page = await open("#/explore?schemes=rope");
  // The first module has no list of models: its button brings it, and is what the list then is.
  await page.locator("#model-0").click();
  const list = page.locator("select#model-0");
  await list.waitFor();
  await ready(page);
  const about = page.locator(".field:has(#model-0) .field__used");
  assert.match(await about.innerText(), /The same settings: /, "many models have the defaults of RoPE");
  await list.selectOption({ label: "Llama 3.1, 3.3" });
  await ready(page);
  assert.equal(await value(page, "scheme-0-rope_theta"), 500_000);
  assert.equal(await value(page, "scheme-0-factor"), 8);
  assert.match(await about.innerText(), /^Verified\. Trained on 8192 tokens, serves 131.072/);
  assert.equal(await list.inputValue(), "llama-3.1");
  await page.getByRole("button", { name: "Undo" }).click();
  await ready(page);
  assert.equal(await value(page, "scheme-0-rope_theta"), 10_000);
  await list.selectOption({ label: "Mistral Nemo" });
  await ready(page);
  assert.match(await about.innerText(), /^Trained on .*Not verified|^Serves .*Not verified/);
  await type(page, "scheme-0-rope_theta", "123");
  assert.equal(await list.inputValue(), "", "settings of one's own");
  assert.ok(await about.isHidden());
});

journey("what is said follows a slider that moves from frame to frame", async ({ open }) => {
  const page = await open("#/explore?figures=heatmap,offset&schemes=rope,rope(rope_theta=500000)&length=64");
  const said = await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const input = document.getElementById("field-scheme-0-rope_theta");
    const texts = new Set();
    for (let i = 0; i < 40; i += 1) {
      input.dispatchEvent(new KeyboardEvent("keydown", { key: i < 20 ? "ArrowLeft" : "ArrowUp", bubbles: true, cancelable: true }));
      await frame();
      texts.add(document.querySelector(".figure__readings").textContent);
    }
    return texts.size;
  });
  assert.ok(said > 3, `while it moves, values are written now and then: ${said} times`);
  await page.locator("#field-scheme-0-rope_theta").press("ArrowLeft");
  await ready(page);
  const theta = (await page.locator("#field-scheme-0-rope_theta").getAttribute("aria-valuetext")).replaceAll(/\s/g, "");
  const name = `RoPE (rope_theta ${theta})`;
  for (const figure of await page.locator("[data-figure]").all()) {
    for (const part of [".figure__legend", ".figure__readings", ".figure__summary"]) {
      const text = await figure.locator(part).innerText();
      assert.ok(text.includes(name), `${part} says ${name}: ${text}`);
    }
  }
  assert.equal(await page.locator(".reading__math--stale").count(), 0, "the formulas are those of the last step");
});
