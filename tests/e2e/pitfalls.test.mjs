// Mistakes that real programs made: the page of them, that each link's figure says what settles it, and that a figure names
// those that it shows.

import assert from "node:assert/strict";
import { figure, journey, overhang, ready, stage, visit } from "./help.mjs";

stage();

journey("each mistake leads to a figure that says what settles it", { timeout: 240_000 }, async ({ open }) => {
  const page = await open("#/learn/pitfalls");
  const links = page.locator("article h2 a");
  const all = await links.evaluateAll((links) => links.map((link) => [link.getAttribute("href"), link.dataset.shows]));
  assert.ok(all.length >= 20, `${all.length}`);
  const reports = await page.locator("article p a").evaluateAll((links) => links.map((link) => link.href));
  assert.ok(reports.length >= all.length && reports.every((report) => /^https:\/\/github\.com\/[^/]+\/[^/]+\/issues\/\d+$/.test(report)));
  for (const [link, shows] of all) {
    await visit(page, link);
    const id = link.match(/figures=([a-z]+)/)[1];
    const said = (await figure(page, id).innerText()).replace(/\s+/g, " ");
    assert.ok(said.includes(shows.replace(/\s+/g, " ")), `${link}: not ${shows} in ${said}`);
    assert.equal(await page.locator("[data-notice]").count(), 0, link);
  }
});

journey("a figure names the failures that it shows", async ({ open }) => {
  const page = await open("#/explore?figures=precision&schemes=rope");
  const named = page.locator(".explore__about .about-scheme").last();
  assert.match(await named.innerText(), /Published failures: Angles in few bits/);
  await named.getByRole("link", { name: "Positions in bfloat16" }).click();
  await ready(page);
  assert.match(await figure(page, "precision").innerText(), /positions 256 to 257 are one and the same number/);
  await page.getByRole("link", { name: "All published failures" }).click();
  await ready(page);
  assert.match(await page.locator("h1").innerText(), /real programs/);
});

journey("the page fits a phone", { viewport: { width: 320, height: 700 } }, async ({ open }) => {
  const page = await open("#/learn/pitfalls");
  assert.equal(await overhang(page), 0);
});
