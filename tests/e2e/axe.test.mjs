// WCAG 2.2 AA, as far as a machine can see.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { figure, journey, ready, stage } from "./help.mjs";

stage();

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// A table's rows are alike: a thousand cells would take longer than all the rest of the page.
const MORE_ROWS = "tbody tr:nth-child(n + 4)";

const EVERY_RULE = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

async function check(page, what, runOnly, failures) {
  await page.evaluate(AXE);
  const found = await page.evaluate(
    ({ runOnly, exclude }) => globalThis.axe.run({ exclude }, { runOnly, resultTypes: ["violations"] }),
    { runOnly, exclude: [MORE_ROWS] },
  );
  for (const { id, help, nodes } of found.violations) {
    const where = nodes.slice(0, 3).map((node) => `${node.target.join(" ")} ${node.any.map((one) => one.message).join("; ")}`);
    failures.push(`${what}: ${id}, ${help} (${nodes.length}): ${where.join(" | ")}`);
  }
}

const SCREENS = [
  ["first screen", "", ["heatmap", "offset"]],
  ["heatmap", "#/explore?figures=heatmap", ["heatmap"]],
  ["offset, four schemes", "#/explore?figures=offset&schemes=sinusoidal,rope,none,rope(rope_theta=500000)", ["offset"]],
  ["rotation", "#/explore?figures=rotation&schemes=rope,sinusoidal", ["rotation"]],
  ["spectrum, models", "#/explore?figures=spectrum&schemes=rope(rope_type=yarn,factor=4),rope,fourier,learned", ["spectrum"]],
  ["similarity", "#/explore?figures=similarity&schemes=learned,sinusoidal,rope,alibi&length=600&position=505", ["similarity"]],
  ["bias, heads", "#/explore?figures=bias&schemes=alibi,t5,none", ["bias"]],
  ["bias, attention", "#/explore?figures=bias&schemes=alibi,t5,none&bias.show=softmax", ["bias"]],
  ["costs", "#/explore?figures=cost&schemes=rope(rope_type=dynamic,factor=2),alibi,learned,none&length=4096", ["cost"]],
  ["shift", "#/explore?figures=shift&schemes=sinusoidal,sinusoidal(d_model=7),sinusoidal(layout=concatenated)", ["shift"]],
  ["attention", "#/explore?figures=attention&schemes=rope,alibi,shaw,none", ["attention"]],
  ["shuffle", "#/explore?figures=shuffle&schemes=none,sinusoidal", ["shuffle"]],
  ["patches", "#/explore?figures=patches&schemes=sinusoidal,sincos2d,rope2d,learned2d", ["patches"]],
  ["embedding", "#/explore?figures=embedding&schemes=sinusoidal,learned", ["embedding"]],
  ["layout", "#/explore?figures=layout&schemes=rope,xpos,sinusoidal&layout.show=mixed-join", ["layout"]],
  ["precision", "#/explore?figures=precision&schemes=rope,sinusoidal,learned", ["precision"]],
  ["notices", "#/explore?length=abc&nothing=1&schemes=nonsense", []],
  ["nothing to draw", "#/explore?figures=heatmap&schemes=none", []],
  ["embed", "#/embed?figures=heatmap,offset,rotation", ["offset"]],
  ["list of lessons", "#/learn", []],
  ["about", "#/about", []],
  ["pitfalls", "#/learn/pitfalls", []],
  ["questions", "#/learn/questions?find=rope", []],
  ["a question open", "#/learn/questions/06", ["rotation", "offset"]],
];

/** Opens whatever a reader can open. */
async function unfold(page, tables) {
  for (const id of tables) await figure(page, id).locator(".figure__toggle").click();
  const sheet = page.getByRole("button", { name: "Controls", exact: true });
  if (await sheet.isVisible()) await sheet.click();
  for (const summary of await page.locator("details:is(.board__options, .settings):visible > summary").all()) {
    await summary.evaluate((one) => one.click());
  }
  await ready(page);
}

// The dark theme changes colours and nothing else. On a phone the sheet of controls covers what is behind it.
const LOOKS = [
  { name: "light, 360 px", options: { colorScheme: "light", viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }, closed: true },
  { name: "light, 1280 px", options: { colorScheme: "light", viewport: { width: 1280, height: 800 } } },
  { name: "dark, 1280 px", options: { colorScheme: "dark", viewport: { width: 1280, height: 800 } }, rules: ["color-contrast"] },
];

for (const { name, options, closed = false, rules = EVERY_RULE } of LOOKS) {
  journey(`no violations, ${name}`, { timeout: 240_000, ...options }, async ({ open }) => {
    const failures = [];
    for (const [screen, link, tables] of SCREENS) {
      const page = await open(link);
      if (closed) await check(page, screen, rules, failures);
      await unfold(page, tables);
      await check(page, `${screen}, everything open`, rules, failures);
      await page.close();
    }
    assert.deepEqual(failures, []);
  });
}
