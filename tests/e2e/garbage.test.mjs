// Links that nobody should write, and somebody will.

import assert from "node:assert/strict";
import { SITE, figure, journey, ready, stage, typed, visit } from "./help.mjs";

stage();

const DEEP = "(".repeat(5000);

// A link, and the key that the notice names.
const LINKS = [
  ["#/explore?length=abc", "length"],
  ["#/explore?length=", "length"],
  ["#/explore?length=NaN", "length"],
  ["#/explore?length=1e999", "length"],
  ["#/explore?length=-5", "length"],
  ["#/explore?length=0", "length"],
  ["#/explore?length=99999999999999999999999999", "length"],
  ["#/explore?position=-1", "position"],
  ["#/explore?position=1e300", "position"],
  ["#/explore?position=NaN", "position"],
  ["#/explore?offset=9223372036854775808", "offset"],
  ["#/explore?plane=-3", "plane"],
  ["#/explore?plane=2047", "plane"],
  ["#/explore?seed=🙂", "seed"],
  ["#/explore?theme=pink", "theme"],
  ["#/explore?palette=<script>alert(1)</script>", "palette"],
  ["#/explore?lang=xx", "lang"],
  ["#/explore?play=perhaps", "play"],
  ["#/explore?nothing=here", "nothing"],
  ["#/explore?__proto__=1", "__proto__"],
  ["#/explore?figures=nonsense", "figures"],
  ["#/explore?figures=heatmap,heatmap", "figures"],
  ["#/explore?schemes=nonsense", "schemes"],
  ["#/explore?schemes=rope(rope_theta=-1)", "rope_theta"],
  ["#/explore?schemes=rope(rope_theta=0)", "rope_theta"],
  ["#/explore?schemes=rope(head_dim=7)", null],
  ["#/explore?schemes=rope(head_dim=1e9)", "head_dim"],
  ["#/explore?schemes=rope(nothing=1)", "nothing"],
  ["#/explore?schemes=sinusoidal(d_model=999999999)", "d_model"],
  ["#/explore?schemes=sinusoidal(d_model=0)", "d_model"],
  ["#/explore?schemes=sinusoidal(d_model=1)", null],
  ["#/explore?schemes=rope(rope_theta=5", null],
  [`#/explore?schemes=rope${DEEP}`, null],
  ["#/explore?schemes=rope,rope,rope,rope,rope,rope", "schemes"],
  ["#/explore?schemes=)(", null],
  ["#/explore?heatmap.cells=%00", "heatmap.cells"],
  ["#/explore?heatmap.nothing=1", "heatmap.nothing"],
  ["#/explore?nothing.cells=1", "nothing.cells"],
  ["#/explore?heatmap.first_position=99999999&heatmap.positions=3", null],
  ["#/explore?heatmap.dims=-1", "heatmap.dims"],
  ["#/explore?offset.aim=1e400", "offset.aim"],
  ["#/explore?offset.draws=1000000", "offset.draws"],
  [`#/explore?figures=rotation&rotation.planes=${"9:".repeat(3000)}`, "rotation.planes"],
  ["#/explore?figures=rotation&rotation.planes=5000", "rotation.planes"],
  ["#/explore?text=%E0%A4%A", "text"],
  ["#/explore?%=%&%%=%%", null],
  ["#/explore?a&b&c&=&==&&&", null],
  ["#/explore?length=%FF%FE", "length"],
  ["#/explore?text=<img src=x onerror=alert(1)>", ""],
  [`#/explore?text=${"x".repeat(9000)}`, "text"],
  [`#/explore?text=${"%F0%9F%99%82".repeat(4000)}`, ""],
  [`#/explore?${"length=5&".repeat(20_000)}`, "link"],
  [`#/explore?${Array.from({ length: 1000 }, (_, i) => `k${i}=1`).join("&")}`, "k0"],
  [`#/explore?text=${"a".repeat(1_000_000)}`, "link"],
  [`#/${"x".repeat(1_000_000)}`, "link"],
  ["#/nonsense", "page"],
  ["#/learn/../../etc/passwd", "page"],
  ["#/explore/../about", "page"],
  ["#/<script>alert(1)</script>", "page"],
  ["#//evil.example/", "page"],
  ["#/embed?figures=<b>&controls=nonsense", "figures"],
  ["?length=abc&text=%FF#/explore", "length"],
  ["#/explore?length=1&position=5&offset=5", "position"],
  ["#%2Fexplore%3Flength%3D5", ""],
];

/** Follows a link to its end; what is wrong with it throws. */
async function follow(page, link, key) {
  let dialogs = 0;
  page.on("dialog", (dialog) => {
    dialogs += 1;
    dialog.dismiss();
  });
  await page.goto(SITE + link);
  await ready(page, { timeout: 30_000 });
  assert.equal(dialogs, 0);
  assert.ok(await page.locator("[data-figure]").count(), "a figure is shown");
  assert.ok(await page.locator("#recovery").isHidden());
  assert.equal(await page.locator("#app script, #app img").count(), 0);
  const notices = await page
    .locator("[data-notice]")
    .evaluateAll((all) => all.map((one) => [one.dataset.notice, one.textContent]));
  if (key === "") assert.deepEqual(notices, []);
  else if (key !== null) {
    const own = notices.find(([named]) => named === key);
    assert.ok(own, `a notice names ${key}: ${JSON.stringify(notices)}`);
    assert.ok(own[1].length < 300, "it is short");
  }
  // A link that was repaired is written in order: followed again, nothing is wrong with it.
  await page.waitForTimeout(600);
  const written = await page.evaluate(() => location.hash);
  assert.ok(written.length < 64 * 1024, `${written.length} characters were written`);
  await page.reload();
  await ready(page);
  const left = await page.locator("[data-notice]").evaluateAll((all) => all.map((one) => one.textContent));
  assert.deepEqual(left, [], `the link that was written is in order: ${written.slice(0, 200)}`);
}

journey("every one shows a page, says what is wrong, and ends in order", { timeout: 600_000 }, async ({ context, problems }) => {
  const waiting = [...LINKS];
  const failures = [];
  // A few at a time; each in a tab of its own.
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [link, key] = next;
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      const begin = Date.now();
      const known = problems.length;
      try {
        await follow(page, link, key);
        assert.ok(Date.now() - begin < 20_000, `it took ${Date.now() - begin} ms`);
      } catch (error) {
        failures.push(`${link.slice(0, 100)} (${link.length} characters): ${error.message} ${problems.slice(known)}`);
      }
      await page.close();
    }
  };
  await Promise.all([work(), work(), work()]);
  assert.equal(failures.length, 0, failures.join("\n"));
});

journey("a notice is said in a live region and can be dismissed", async ({ open }) => {
  const page = await open("#/explore?length=abc&nothing=1");
  const region = page.locator("[aria-live=polite]:has([data-notice])").first();
  assert.equal(await region.locator("[data-notice]").count(), 2);
  await page.getByRole("button", { name: "Dismiss" }).click();
  assert.equal(await page.locator("[data-notice]").count(), 0);
});

journey("the largest of everything does not hang the page", async ({ open }) => {
  const page = await open(
    "#/explore?length=10000000&figures=heatmap,offset,rotation&schemes=rope(head_dim=1024),sinusoidal(d_model=4096),rope,none",
    false,
  );
  await figure(page, "offset").locator(".reading").first().waitFor();
  // It may go on computing, in slices: whoever asks for something else is heard at once.
  const begin = Date.now();
  await visit(page, "#/explore?length=33");
  assert.ok(Date.now() - begin < 5000, `the next link took ${Date.now() - begin} ms`);
  assert.equal(await typed(page, "length").inputValue(), "33");
});

journey("garbage while the page is open", async ({ open }) => {
  const page = await open("#/explore");
  for (const [link] of LINKS.filter(([link]) => link.startsWith("#/") && link.length < 10_000)) {
    await page.evaluate((link) => (location.hash = link), link);
  }
  await visit(page, "#/explore?length=33");
  assert.equal(await typed(page, "length").inputValue(), "33");
});
