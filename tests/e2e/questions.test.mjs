// Questions that people ask: the page, and that each link shows what answers it.

import assert from "node:assert/strict";
import { figure, journey, ready, stage } from "./help.mjs";

stage();

// By number: a figure, and what it says.
const SAID = {
  "01": ["shift", /0\.7[0-9]|sine/],
};

journey("each question leads to its answer", { timeout: 240_000 }, async ({ open }) => {
  const page = await open("#/about");
  await page.getByRole("link", { name: "Questions" }).click();
  await ready(page);
  const list = await page.locator("article h2 a").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  assert.equal(list.length, 19);
  for (const [i, link] of list.entries()) {
    await page.evaluate((link) => (location.hash = link), link);
    await page.waitForFunction((link) => location.hash === link, link);
    await ready(page);
    const number = String(i + 1).padStart(2, "0");
    const text = await page.locator(".figure").evaluateAll((figures) => figures.map((figure) => `${figure.dataset.figure}: ${figure.innerText}`));
    console.log(number, JSON.stringify(text));
    assert.equal(await page.locator("[data-notice]").count(), 0, link);
  }
});
