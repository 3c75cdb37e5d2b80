// Clock hands: playing, pausing, stepping, less motion, and the angle that stays.

import assert from "node:assert/strict";
import { address, canvas, eventually, figure, followed, journey, near, number, pixels, readings, ready, stage, table, type, value } from "./help.mjs";

stage();

const CLOCKS = "#/explore?figures=rotation,offset&schemes=rope(head_dim=64)&length=4096&position=200&offset=12";
const button = (page, name) => figure(page, "rotation").getByRole("button", { name, exact: true });

/** How many different pictures of the clocks are seen within so many milliseconds. */
async function pictures(page, time) {
  const seen = new Set();
  const end = Date.now() + time;
  while (Date.now() < end) {
    seen.add((await pixels(page, "rotation")).hash);
    await page.waitForTimeout(40);
  }
  return seen.size;
}

/** Waits until the clocks have been seen in several pictures: how long each takes is the machine's affair. */
async function moves(page) {
  const seen = new Set();
  await eventually("the hands move", async () => seen.add((await pixels(page, "rotation")).hash).size >= 3);
}

journey("play moves the hands, pause stops them and keeps the position", async ({ open }) => {
  const page = await open(CLOCKS);
  const link = await address(page);
  assert.equal(await pictures(page, 300), 1, "at rest at first");
  await button(page, "Play").click();
  await moves(page);
  assert.equal(await address(page), link, "playing is not in the link");
  assert.equal(await value(page, "position"), 200, "nor in the state");
  await button(page, "Pause").click();
  await ready(page);
  assert.equal(await pictures(page, 300), 1, "the hands rest");
  const position = await value(page, "position");
  assert.ok(position > 200 && position < 260, `it was paused at ${position}`);
  await followed(page, new RegExp(`position=${position}\\b`));
  await page.getByRole("button", { name: "Undo" }).click();
  await ready(page);
  assert.equal(await value(page, "position"), 200, "one playback, one step");
});

journey("step on and back, to whole tokens", async ({ open }) => {
  const page = await open(CLOCKS.replace("position=200", "position=200.4"));
  for (const [name, wanted] of [
    ["Forward", 201],
    ["Forward", 202],
    ["Back", 201],
    ["Back", 200],
  ]) {
    await button(page, name).click();
    await ready(page);
    assert.equal(await value(page, "position"), wanted, name);
  }
});

journey("the speed is a choice", async ({ open }) => {
  const page = await open(CLOCKS);
  const speed = figure(page, "rotation").getByLabel("Speed");
  const run = async (tokens) => {
    await speed.selectOption(tokens);
    const from = await value(page, "position");
    await button(page, "Play").click();
    await page.waitForTimeout(1000);
    await button(page, "Pause").click();
    await ready(page);
    return (await value(page, "position")) - from;
  };
  const [slow, fast] = [await run("0.5"), await run("64")];
  assert.ok(slow > 0.05 && slow < 2, `${slow} tokens in a second at 0.5`);
  assert.ok(fast > 8 * slow, `${fast} tokens in a second at 64`);
});

journey("Space plays and pauses on the figure", async ({ open }) => {
  const page = await open(CLOCKS);
  await canvas(page, "rotation").focus();
  await page.keyboard.press("Space");
  await button(page, "Pause").waitFor();
  await page.keyboard.press("Space");
  await button(page, "Play").waitFor();
});

journey("a link that plays, plays", async ({ open }) => {
  const page = await open(`${CLOCKS}&play=true`);
  await button(page, "Pause").waitFor();
  await moves(page);
  assert.equal(await value(page, "position"), 200, "nothing was kept of it by itself");
  assert.ok(await page.getByRole("button", { name: "Undo" }).isDisabled());
});

journey("with reduced motion nothing moves by itself", { reducedMotion: "reduce" }, async ({ open }) => {
  const page = await open(`${CLOCKS}&play=true`);
  await button(page, "Play").waitFor();
  assert.equal(await pictures(page, 500), 1);
  // It can be played by hand.
  await button(page, "Play").click();
  await moves(page);
});

journey("shift both: the score stays, the position changes", async ({ open }) => {
  const page = await open(CLOCKS);
  const scores = async () => (await readings(page, "rotation")).filter(([label]) => /score/.test(label)).map(([, text]) => text);
  const before = await scores();
  assert.equal(before.length, 2, "measured here, and shifted");
  near(before[1], number(before[0]), "both shifted by 100");
  const hands = await pixels(page, "rotation");
  for (const position of ["201", "777", "3000.5"]) {
    await type(page, "position", position);
    const now = await scores();
    now.forEach((text) => near(text, number(before[0]), `at ${position}`));
    assert.notEqual((await pixels(page, "rotation")).hash, hands.hash, "the hands turned");
  }
  await type(page, "offset", "13");
  assert.notEqual((await scores())[0], before[0], "another distance, another score");
});

journey("the table is the planes", async ({ open }) => {
  const page = await open(CLOCKS);
  const { head, rows } = await table(page, "rotation");
  assert.equal(rows.length, 32);
  assert.equal(head.length, 5);
  let score = 0;
  for (const [k, frequency, wavelength, , share] of rows) {
    const w = 10_000 ** (-number(k) / 32);
    near(frequency, w, `the frequency of plane ${k}`);
    near(wavelength, (2 * Math.PI) / w, `the wavelength of plane ${k}`);
    // All ones: each plane of the score is twice a cosine, over √64.
    score += (2 * Math.cos(12 * w)) / 8;
    assert.ok(Number.isFinite(number(share)));
  }
  const shares = rows.reduce((sum, row) => sum + number(row[4]), 0);
  const [[, measured]] = (await readings(page, "rotation")).filter(([label]) => /measured/.test(label));
  near(measured, score, "the score");
  assert.ok(Math.abs(shares - score) < 1e-4, `the shares add to the score: ${shares}, ${score}`);
});

journey("a scheme that does not turn is said not to", async ({ open }) => {
  const page = await open("#/explore?figures=rotation&schemes=none");
  await eventually("the summary says so", async () => /no place is marked/.test(await figure(page, "rotation").innerText()));
  const mixed = await open("#/explore?figures=rotation&schemes=rope,learned,alibi");
  assert.match(await figure(mixed, "rotation").innerText(), /Learned table has no planes that turn\..*ALiBi adds nothing to the vectors|ALiBi adds nothing to the vectors.*Learned table has no planes that turn\./);
});

journey("a page that is left ends the playback", async ({ open }) => {
  const page = await open(CLOCKS);
  await button(page, "Play").click();
  await page.waitForTimeout(300);
  await page.evaluate(() => (location.hash = "#/about"));
  await page.getByRole("heading", { name: "About Placewise" }).waitFor();
  await page.waitForTimeout(300);
  await page.goBack();
  await ready(page);
  assert.equal(await pictures(page, 300), 1);
});
