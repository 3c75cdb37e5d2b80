// Questions that people ask: the page, and that each link shows what answers it.

import assert from "node:assert/strict";
import { journey, ready, stage, summary } from "./help.mjs";

stage();

// A figure, and what its sentence says.
const SAID = [
  ["shift", /explains 70\.\d+\s% of the sine 10 tokens on/],
  ["shift", /PE\(30\) to PE\(40\), off by at most \d\.\d×10⁻¹⁶/],
  ["offset", /base 10000\) at offset 44: 34\.66 .*base 20\) at offset 44: −7\.2/],
  ["embedding", /cosine of 0\.78\d* with the word/],
  ["embedding", /cosine of 0\.8\d* with the word/],
  ["rotation", /query at 200, key at 188.*wherever the pair stands/],
  ["heatmap", /half\).*sine −0\.6077, cosine −0\.7942.*interleaved\).*sine −0\.6077, cosine −0\.7942/],
  ["offset", /Independent random q and k give a flat mean/],
  ["heatmap", /no row for position 512: its rows are the whole positions from 0 to 511/],
  ["heatmap", /Sinusoidal at position 600.*Learned table has no row for position 600/],
  ["bias", /num_heads 12\), head 0, offset 4: −2/],
  ["bias", /bidirectional true\), head 0, offset 40.*bidirectional false\), head 0, offset 40/],
  ["spectrum", /linear\).* 4 times slower.*yarn\).* 1\.405 times slower/],
  ["shuffle", /No positions: outputs only move .*Sinusoidal: outputs change/],
  ["shuffle", /are the same to the last bit: No positions/],
  ["shuffle", /No positions: outputs only move .*; with a causal mask outputs change/],
  ["patches", /Sinusoidal: .*0\.611 \(cosine\).*2-D sinusoidal: .*0\.97\d* \(cosine\)/],
  ["offset", /at offset 44: 134\.8/],
  ["rotation", /query at 12\.5, key at 8\.5/],
];

journey("each question leads to its answer", { timeout: 240_000 }, async ({ open }) => {
  const page = await open("#/about");
  await page.getByRole("link", { name: "Questions" }).click();
  await ready(page);
  const links = await page.locator("article h2 a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  assert.equal(links.length, SAID.length);
  for (const [i, link] of links.entries()) {
    await page.goto(page.url().replace(/#.*/, link));
    await ready(page);
    const [id, said] = SAID[i];
    assert.match((await summary(page, id)).replaceAll("\u00a0", " "), said, link);
    assert.equal(await page.locator("[data-notice]").count(), 0, link);
  }
});
