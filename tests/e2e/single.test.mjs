// The edition of one file, opened from a disk, without a network.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { single } from "../lib/single.mjs";
import { address, canvas, control, eventually, journey, pixels, ready, stage, summary } from "./help.mjs";

const file = await single();
if (file) {
  stage();
  after(() => file.remove());
}

/** Nothing is asked for that is not inside. */
const prepare = async (context) => {
  await context.setOffline(true);
  context.on("request", (request) => {
    const { protocol } = new URL(request.url());
    if (!["blob:", "data:"].includes(protocol) && !request.isNavigationRequest()) throw new Error(`it asks for ${request.url()}`);
  });
};
const alone = (name, act) =>
  file === null ? test(name, { skip: "NOT TESTED: there is no edition of one file" }) : journey(name, { prepare, trouble: true }, async ({ context, problems }) => {
    const open = async (link) => {
      const page = await context.newPage();
      await page.goto(file.address + link);
      await ready(page);
      return page;
    };
    await act(open);
    // The page itself is no request of the site's.
    assert.deepEqual(problems.filter((problem) => !problem.startsWith("a request off the origin: file:")), []);
  });

if (file) {
  test("it names no other file, and says what it may do", () => {
    assert.doesNotMatch(file.page, /(?:src|href)="(?!data:|\.\/"|#)[^"]/);
    assert.match(file.page, /script-src 'sha256-[^']+' 'wasm-unsafe-eval' blob:;/);
    assert.ok(file.page.length < 8e6 || file.page.includes("\n  "), `${file.page.length} bytes`);
  });
}

alone("the first screen, a heatmap, a slider", async (open) => {
  const page = await open("");
  assert.ok((await pixels(page, "heatmap")).colours > 20);
  const explore = await open("#/explore?figures=heatmap,offset&schemes=rope");
  const before = await pixels(explore, "heatmap");
  await control(explore, "scheme-0-rope_theta").press("ArrowRight");
  await ready(explore);
  assert.notEqual((await pixels(explore, "heatmap")).hash, before.hash);
  await eventually("the address follows", async () => (await address(explore)).includes("rope_theta="));
});

alone("figures of the whole app, tables of weights, lessons' words", async (open) => {
  const page = await open("#/explore?figures=bias,rotation&schemes=alibi,rope,learned");
  assert.ok(await canvas(page, "bias").isVisible());
  assert.ok((await pixels(page, "rotation")).colours > 10);
  await page.locator("#scheme-0").selectOption("t5");
  await ready(page);
  assert.match(await summary(page, "bias"), /T5/);
  assert.ok(await page.locator(".explore__about math").count(), "the words and formulas are there");
});

alone("a job of the lab, in its worker", async (open) => {
  const page = await open("#/explore?figures=offset&schemes=rope(head_dim=64)&length=200&offset.vectors=independent&offset.draws=4");
  await eventually("the answer", async () => /mean of 4 draws/.test(await summary(page, "offset")), 30_000);
});

alone("what only some pages have", async (open) => {
  for (const link of ["#/about", "#/learn/questions", "#/embed?figures=offset"]) {
    const page = await open(link);
    assert.ok((await page.locator("#app").innerText()).length > 100, link);
    await page.close();
  }
});

alone("what it shares works beside it, and names no folder", async (open) => {
  const page = await open("#/explore?figures=offset&schemes=rope");
  await page.locator("[data-figure=offset] .figure__share").click();
  const dialog = page.locator("dialog.share");
  await dialog.getByText("a file on this machine").waitFor();
  assert.equal(await dialog.locator(".share__text").first().inputValue(), `${file.address}#/explore?figures=offset&schemes=rope`);
  assert.equal(await dialog.getByRole("img", { name: "QR code" }).count(), 0);
  const part = (name) => dialog.getByRole("radio", { name, exact: true }).check({ force: true });
  await part("Code");
  const name = file.address.slice(file.address.lastIndexOf("/") + 1);
  assert.ok((await dialog.locator("textarea").inputValue()).includes(`\n# ${name}#/explore?figures=offset&schemes=rope\n`));
  await part("Embed");
  // Without a site there is no script for the element.
  assert.deepEqual(await dialog.getByLabel("for", { exact: true }).locator("option").evaluateAll((all) => all.map(({ value }) => value)), ["iframe", "markdown"]);
  const preview = dialog.frameLocator("iframe");
  await preview.locator("[data-figure=offset] canvas").waitFor();
  const snippet = await dialog.locator("textarea").inputValue();
  assert.ok(snippet.startsWith(`<iframe src="${name}#/embed?`), snippet);
  // Pasted into a page in the same folder.
  const beside = await page.context().newPage();
  await beside.goto(file.beside(`<!doctype html><title>x</title>${snippet}`));
  await beside.frameLocator("iframe").locator("[data-figure=offset] canvas").waitFor();
});
