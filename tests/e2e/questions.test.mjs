// Questions that people ask: that the figure behind each answer shows the numbers that the answer gives, and the page.

import assert from "node:assert/strict";
import { address, eventually, figure, followed, journey, number, overhang, readings, ready, stage, summary, table, visit } from "./help.mjs";

stage();

/** A table's column whose head fits, as numbers by the rows' heads. */
async function column(page, id, head) {
  const { head: heads, rows } = await table(page, id);
  const place = heads.findIndex((text, i) => i > 0 && head.test(text));
  assert.ok(place > 0, `no column ${head} in ${heads}`);
  return new Map(rows.filter((row) => row[place] !== "").map((row) => [row[0], number(row[place])]));
}

/** What `read` finds on each page of a table, from the one that has the cursor on. */
async function* pages(page, id, read) {
  const next = figure(page, id).getByRole("button", { name: "Next page" });
  for (;;) {
    yield await read();
    if (await next.isDisabled()) return;
    await next.click();
    await ready(page);
  }
}

/** How many dimensions the input of an embedding has. */
async function dimensions(page) {
  const seen = new Set();
  for await (const shown of pages(page, "embedding", () => table(page, "embedding"))) {
    for (const [dimension] of shown.rows) seen.add(dimension);
  }
  return seen.size;
}

/** Values at the cursor, by the words of their labels. */
async function reading(page, id, label) {
  const found = (await readings(page, id)).find(([text]) => label.test(text));
  assert.ok(found, `no reading ${label}`);
  return number(found[1].split(/ (?:±|turns|rad)/)[0]);
}

/** Fails unless a number that the answer gives is the figure's, rounded as it is there. */
function agrees(given, shown, what = "") {
  const decimals = (given.split(".")[1] ?? "").length;
  assert.ok(Math.abs(number(given) - shown) <= 0.5 * 10 ** -decimals + 1e-9, `${what}: ${given} in the answer, ${shown} in the figure`);
}

/** What a pattern finds in the answer; it fails where it finds nothing. */
function taken(answer, pattern) {
  const found = pattern.exec(answer);
  assert.ok(found, `${pattern} is not in “${answer}”`);
  return found.slice(1);
}

// By the number of the question: what the answer says, read in its figure.
const CHECKS = {
  "01": async (page, answer) => {
    const [share, offset] = taken(answer, /only (\S+) % of the sine (\d+) tokens on/);
    const explained = await column(page, "shift", /explained/);
    agrees(share, 100 * explained.get("0"));
    assert.ok(Math.abs(explained.get("0") - Math.cos(Number(offset)) ** 2) < 1e-3, "cos² of the shift");
  },
  "02": async (page) => {
    assert.match(await summary(page, "shift"), /takes PE\(30\) to PE\(40\).*does not change as the position moves/);
    assert.ok((await reading(page, "shift", /largest error/)) < 1e-15);
  },
  "03": async (page, answer) => {
    const [self, long, middle, short] = taken(answer, /product of (\d+) with .* still (\S+) with base 10000, but (\S+) with base 100 and (\S+) with base 20/);
    for (const [base, at44] of [["10000", long], ["100", middle], ["20", short]]) {
      const shown = await column(page, "offset", new RegExp(`base ${base}\\)`));
      agrees(at44, shown.get("44"), base);
      agrees(self, shown.get("0"), base);
    }
  },
  "04": async (page, answer) => {
    const [side, alone, word, position, longWord, longPosition] = taken(
      answer,
      /cost (\d+) dimensions in the place of (\d+).*word \((\S+)\).*position \((\S+)\).*has \((\S+) and (\S+)\)/,
    );
    agrees(longWord, await reading(page, "embedding", /cosine with the word/));
    agrees(longPosition, await reading(page, "embedding", /cosine with the position/));
    assert.equal(await dimensions(page), Number(side));
    // The other way is in the figure's options.
    await page.locator("details.board__options summary").click();
    await page.locator("#field-embedding-combine").selectOption("add");
    await ready(page);
    agrees(word, await reading(page, "embedding", /cosine with the word/));
    agrees(position, await reading(page, "embedding", /cosine with the position/));
    assert.equal(await dimensions(page), Number(alone));
  },
  "05": async (page, answer) => {
    const [word, position, drowned] = taken(answer, /cosine of (\S+) with the word and of (\S+) with the position.*falls to (\S+)\. /);
    agrees(word, await reading(page, "embedding", /cosine with the word/));
    agrees(position, await reading(page, "embedding", /cosine with the position/));
    await page.locator("details.board__options summary").click();
    await page.locator("#field-embedding-scale").selectOption("none");
    await ready(page);
    agrees(drowned, await reading(page, "embedding", /cosine with the word/));
  },
  "06": async (page, answer) => {
    const [by, score] = taken(answer, /by (\d+) tokens, and the score stays (\S+?)\. /);
    agrees(score, await reading(page, "rotation", /score measured here/));
    agrees(score, await reading(page, "rotation", new RegExp(`both shifted by ${by}$`)));
    agrees(score, await reading(page, "offset", /offset 12/));
  },
  "07": async (page, answer) => {
    const [score, offset, wrong] = taken(answer, /here (\S+) at offset (\d+)\. .* score is then (\S+), and/);
    agrees(score, await reading(page, "layout", /score, half-split$/));
    agrees(score, await reading(page, "layout", /score, interleaved after the permutation/));
    const { rows } = await table(page, "layout");
    assert.deepEqual(rows[1].slice(1, 3), ["1", "17"], "half-split: k with k + d/2");
    // Code that turns other pairs is in the figure's options.
    await page.locator("details.board__options summary").click();
    await page.locator("#field-layout-show").selectOption("unpermuted");
    await ready(page);
    agrees(wrong, await reading(page, "layout", /score by this code/));
    const [at, from] = (await figure(page, "layout").locator(".figure__readings math").first().textContent()).match(/\d+/g);
    assert.equal(at - from, Number(offset), "query and key in the formula");
  },
  "08": async (page, answer) => {
    const [offset, draws, mean, spread] = taken(answer, /at offset (\d+) the mean of (\d+) draws is (\S+), .* spread of (\S+), /);
    const value = (await readings(page, "offset"))[0][1].split(" ± ").map(number);
    agrees(mean, value[0]);
    agrees(spread, value[1]);
    assert.match(await summary(page, "offset"), new RegExp(`at offset ${offset}: .* in the mean of ${draws} draws.*flat mean`));
    for (const [at, value] of await column(page, "offset", /RoPE/)) assert.ok(Math.abs(value) < Number(spread), `${at}: ${value}`);
  },
  "09": async (page, answer) => {
    const [rows, last] = taken(answer, /there are (\d+), the last is row (\d+)/);
    assert.equal(Number(rows), Number(last) + 1);
    assert.match(await summary(page, "heatmap"), new RegExp(`no row for position ${rows}: its rows are the whole positions from 0 to ${last}`));
    assert.match(await figure(page, "heatmap").locator(".figure__legend").innerText(), /hatched rows look as if reached by no text/);
  },
  10: async (page, answer) => {
    const [position, last] = taken(answer, /Position (\d+) has a row in the sinusoid.*ends with row (\d+)/);
    assert.match(await summary(page, "heatmap"), new RegExp(`Sinusoidal at position ${position}.*no row for position ${position}: .* to ${last}`));
    const sine = (await column(page, "heatmap", /Sinusoidal, dim 0$/)).get(position);
    assert.ok(Math.abs(sine - Math.sin(Number(position))) < 1e-5, `${sine}`);
  },
  11: async (page, answer) => {
    const [heads, end, ninth] = taken(answer, /With (\d+) heads the first eight end at (\S+) and the ninth has (\S+?): /);
    const [eight, twelve] = [await column(page, "bias", /num_heads 8/), await column(page, "bias", new RegExp(`num_heads ${heads}`))];
    for (let head = 0; head < 8; head += 1) {
      assert.equal(eight.get(`${head}`), 2 ** -(head + 1));
      assert.equal(twelve.get(`${head}`), eight.get(`${head}`));
    }
    assert.equal(Number(end), eight.get("7"));
    assert.equal(Number(end), 1 / Number(taken(answer, /down to 1\/(\d+)/)[0]));
    agrees(ninth, twelve.get("8"));
    assert.ok(twelve.get("8") > twelve.get("0"));
  },
  12: async (page, answer) => {
    const [offset, low, high, from, to] = taken(answer, /offset (\d+) shares its bucket with (\d+) to (\d+) there, and with (\d+) to (\d+) in/);
    for (const [kind, first, last] of [["true", low, high], ["false", from, to]]) {
      const shown = await column(page, "bias", new RegExp(`bidirectional ${kind}\\), head 0`));
      const share = [...shown.keys()].filter((at) => shown.get(at) === shown.get(offset)).map(Number);
      // The page of the table may begin within the bucket.
      assert.equal(Math.max(...share), Number(last), kind);
      assert.equal(Math.min(...share), Math.max(Number(first), Math.min(...[...shown.keys()].map(Number))), kind);
    }
  },
  13: async (page, answer) => {
    const [plane, linear, ntk, dynamic] = taken(answer, /slows plane (\d+) by (\S+) like .* NTK by (\S+), .* dynamic NTK by (\S+), /);
    const [yarn] = taken(answer, new RegExp(`plane ${plane} by (\\S+)\\.$`));
    for (const [method, divisor] of Object.entries({ linear, ntk, dynamic, yarn })) {
      const slower = await column(page, "spectrum", new RegExp(`${method}\\).*slower`));
      agrees(divisor, slower.get(plane), method);
      // The fastest plane: slowed by all that go by a common factor, and by no other.
      agrees(method === "linear" ? linear : "1", slower.get("0"), method);
    }
  },
  14: async (page, answer) => {
    const [positions, mask] = taken(answer, /change by up to (\S+), .* by up to (\S+), and/);
    const change = await column(page, "shuffle", /greatest change of an output/);
    const mean = await column(page, "shuffle", /greatest change of the mean/);
    assert.ok(change.get("No positions, no mask") < 1e-15 && mean.get("No positions, no mask") < 1e-15);
    agrees(positions, change.get("Sinusoidal, no mask"));
    agrees(mask, change.get("No positions, causal mask"));
    assert.ok(mean.get("No positions, causal mask") > 0.1);
  },
  15: async (page, answer) => {
    const [one, other] = taken(answer, /rows of “the” in this sentence, (\d) and (\d), /);
    const { rows } = await table(page, "attention");
    assert.deepEqual(rows[one].slice(1), rows[other].slice(1), "the two words attend alike");
    assert.notDeepEqual(rows[one].slice(1), rows[1].slice(1));
    assert.match(await summary(page, "shuffle"), new RegExp(`rows of “the”, at ${one} and ${other}, are the same to the last bit: No positions`));
  },
  16: async (page, answer) => {
    const [changed] = taken(answer, /change by up to (\S+), where/);
    const change = await column(page, "shuffle", /greatest change of an output/);
    agrees(changed, change.get("No positions, causal mask"));
    assert.ok(change.get("No positions, no mask") < 1e-15);
  },
  17: async (page, answer) => {
    const [raster, plane] = taken(answer, /cosine of (\S+); in .* with (\S+)\. /);
    agrees(raster, await reading(page, "patches", /^Sinusoidal, row 6, column 6 with row 5, column 6/));
    agrees(plane, await reading(page, "patches", /^2-D sinusoidal, row 6, column 6 with row 5, column 6/));
    assert.match(await figure(page, "patches").locator(".figure__legend").innerText(), /learned grid is made up here/);
  },
  18: async (page, answer) => {
    const [width, start, least, before, rise, first] = taken(
      answer,
      /at d = (\d+) falls from (\S+) at offset 0 to (\S+) at (\d+), .* to (\S+) at (\d+)\. /,
    );
    const [last, rises, steps] = taken(answer, /Up to offset (\d+) it rises in (\d+) of (\d+) steps/);
    const shown = new Map();
    for await (const rows of pages(page, "offset", () => column(page, "offset", /Sinusoidal/))) {
      for (const [at, value] of rows) shown.set(Number(at), value);
    }
    const rising = [...shown.keys()].filter((at) => at > 0 && shown.get(at) > shown.get(at - 1));
    assert.deepEqual([shown.size, rising.length], [Number(last) + 1, Number(rises)]);
    assert.equal(Number(steps), Number(last));
    assert.deepEqual([Math.min(...rising), Number(before)], [Number(first), Number(first) - 1]);
    assert.equal(shown.get(0), Number(width) / 2);
    for (const [given, at] of [[start, 0], [least, before], [rise, first]]) agrees(given, shown.get(Number(at)));
  },
  19: async (page, answer) => {
    const [position, score, by] = taken(answer, /At (\S+) each hand.*alone: (\S+) here, .* by (\d+)\. /);
    assert.match(await summary(page, "rotation"), new RegExp(`positions ${position} and 8\\.5`));
    agrees(score, await reading(page, "rotation", /product measured here/));
    agrees(score, await reading(page, "rotation", new RegExp(`both shifted by ${by}$`)));
    const plane = await reading(page, "heatmap", /dimension 4/);
    assert.ok(Math.abs(plane - Math.sin(Number(position) * 10_000 ** (-4 / 32))) < 1e-5, "a row between two rows");
  },
};

journey("the figure behind each answer shows its numbers, and opens in the explorer", { timeout: 300_000 }, async ({ open }) => {
  const page = await open("#/learn/questions");
  const numbers = await page.locator(".question button[id]").evaluateAll((all) => all.map((one) => one.id.slice("question-".length)));
  assert.deepEqual(numbers, Object.keys(CHECKS).sort());
  const failures = [];
  for (const asked of numbers) {
    await visit(page, `#/learn/questions/${asked}`);
    assert.equal(await page.locator("[data-live]").count(), 1, "only what is open is live");
    const answer = await page.locator(`#question-${asked}-answer > p`).innerText();
    assert.equal(answer.match(/[.!?](?= |$)/g).length, 3, `three sentences: ${answer}`);
    const explore = page.getByRole("link", { name: "Open in the explorer" });
    const link = await explore.getAttribute("href");
    try {
      await CHECKS[asked](page, answer.replaceAll("\u00a0", " "));
    } catch (error) {
      failures.push(`question ${asked}: ${error.message}`);
    }
    assert.equal(await page.locator("[data-notice]").count(), 0, link);
    assert.ok((await overhang(page)) <= 0, `question ${asked} can be scrolled sideways`);
    // Where the figure is touched, the link follows.
    const moved = await explore.getAttribute("href");
    assert.equal(moved === link, !["04", "05", "07"].includes(asked), `question ${asked}: ${moved}`);
  }
  assert.deepEqual(failures, []);
});

journey("questions are looked for, opened and left with the keyboard", async ({ open }) => {
  const page = await open("#/about");
  await page.getByRole("link", { name: "Learn", exact: true }).click();
  await page.getByRole("link", { name: "Questions" }).click();
  await page.locator(".questions").waitFor();
  await ready(page);
  const visible = () => page.locator(".question:visible").evaluateAll((all) => all.map((one) => one.querySelector("button").id));
  assert.equal((await visible()).length, 19);
  assert.match(await page.locator(".questions [role=status]").innerText(), /19 of 19/);
  await page.getByRole("textbox", { name: "Look for a question" }).focus();
  await page.keyboard.type("INTERLEAVED rope");
  await ready(page);
  assert.deepEqual(await visible(), ["question-07"]);
  assert.match(await page.locator(".questions [role=status]").innerText(), /1 of 19/);
  assert.equal(await followed(page, /find=/), "#/learn/questions?find=INTERLEAVED%20rope");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await ready(page);
  assert.ok(await figure(page, "layout").isVisible());
  assert.match(await page.locator("#question-07").getAttribute("aria-expanded"), /true/);
  await followed(page, "#/learn/questions/07?find=INTERLEAVED%20rope");
  // What is set in the figure stays in it, and is undone there.
  const explore = page.getByRole("link", { name: "Open in the explorer" });
  const before = await explore.getAttribute("href");
  await figure(page, "layout").locator("canvas").focus();
  await page.keyboard.press("ArrowRight");
  await eventually("the link follows", async () => /position=13/.test(await explore.getAttribute("href")));
  assert.doesNotMatch(await address(page), /position/);
  await page.getByRole("button", { name: "As it was" }).click();
  await eventually("as it was", async () => (await explore.getAttribute("href")) === before);
  await explore.click();
  await ready(page);
  assert.match(await address(page), /^#\/explore\?figures=layout&schemes=rope\(head_dim=32\)/);
  await page.goBack();
  await ready(page);
  assert.match(await address(page), /^#\/learn\/questions\/07\?find=/);
  await page.locator("#question-07").press("Enter");
  await ready(page);
  assert.equal(await page.locator("[data-live]").count(), 0);
  await page.getByRole("textbox", { name: "Look for a question" }).fill("zyx");
  await ready(page);
  assert.deepEqual(await visible(), []);
  assert.match(await page.locator(".questions [role=status]").innerText(), /No question has all of these words/);
});

journey("a number that no question has is said, and nothing is lost", async ({ open }) => {
  const page = await open("#/learn/questions/77");
  assert.match(await page.locator(".questions [role=status]").innerText(), /no question 77/);
  assert.equal(await page.locator(".question:visible").count(), 19);
});

for (const [where, link, id] of [["a lesson", "#/learn/clocks", "rotation"], ["a question", "#/learn/questions/06", "rotation"]]) {
  journey(`what is shared of ${where} is its figure as it is seen`, async ({ open, context }) => {
    const page = await open(link);
    const shown = page.locator(`[data-figure="${id}"]`).first();
    await shown.locator("canvas").focus();
    const before = await shown.locator(".figure__summary").innerText();
    await page.keyboard.press("ArrowRight");
    await eventually("it moved", async () => (await shown.locator(".figure__summary").innerText()) !== before);
    await ready(page);
    const said = await shown.locator(".figure__summary").innerText();
    await shown.locator(".figure__share").click();
    const dialog = page.locator("dialog[open]");
    await dialog.waitFor();
    await ready(page);
    const shared = await dialog.locator(".share__text").inputValue();
    await page.keyboard.press("Escape");
    await eventually("the focus is back", () => shown.locator(".figure__share").evaluate((button) => button === document.activeElement));
    const other = await context.newPage();
    await other.goto(shared);
    await ready(other);
    assert.equal(await other.locator("[data-figure]").count(), 1);
    assert.equal(await summary(other, id), said);
  });
}
