// From the module of the first screens to the whole app.

import assert from "node:assert/strict";
import { SITE, address, eventually, figure, journey, ready, stage, summary } from "./help.mjs";

stage();

/** The modules that a page has fetched. */
function modules(page) {
  const fetched = [];
  page.on("request", (request) => {
    const name = /\/(app|whole|lab)\.[0-9a-f]+\.wasm/.exec(request.url())?.[1];
    if (name) fetched.push(name);
  });
  return fetched;
}

const shown = (page) =>
  page.locator("[data-figure]").evaluateAll((all) => all.map((figure) => figure.dataset.figure).join());
const focused = (page) => page.evaluate(() => document.activeElement.id);
const picked = (page) => page.locator(".schemes__head select").evaluateAll((all) => all.map((list) => list.value).join());

journey("the first screen fetches the first module alone; a scheme that it lacks brings the whole", async ({ open, context }) => {
  const page = await context.newPage();
  const fetched = modules(page);
  await page.goto((await open("#/about")).url().replace(/#.*/, "#/explore"));
  await ready(page);
  assert.deepEqual(fetched, ["app"]);

  // A step to undo, made in the first module.
  await page.locator("#field-length").focus();
  await page.keyboard.press("ArrowRight");
  await ready(page);
  const length = await page.locator("#field-length").inputValue();
  assert.deepEqual(fetched, ["app"], "a slider needs nothing more");
  await page.locator("#scheme-0").focus();
  await eventually("the whole app comes while the list is open", () => fetched.includes("whole"));
  await page.locator("#scheme-0").selectOption("alibi");
  await eventually("ALiBi is chosen", async () => (await picked(page)) === "alibi");
  await ready(page);
  assert.match(await summary(page, "offset"), /ALiBi/);
  assert.equal(await page.locator("#field-length").inputValue(), length);
  assert.equal(await page.locator(".header").count(), 1, "one app is on the page");
  assert.equal(await page.locator("[data-whole]").isVisible(), false);
  assert.equal(await focused(page), "scheme-0");

  // Undo reaches back over the change of modules, and redo forward again.
  await page.keyboard.press("Control+z");
  await ready(page);
  assert.equal(await picked(page), "sinusoidal");
  await page.keyboard.press("Control+z");
  await ready(page);
  assert.notEqual(await page.locator("#field-length").inputValue(), length);
  await page.keyboard.press("Control+y");
  await page.keyboard.press("Control+y");
  await ready(page);
  assert.equal(await picked(page), "alibi");
  await eventually("the address says it", async () => /schemes=alibi/.test(await address(page)));
  assert.deepEqual(fetched, ["app", "whole"]);
});

journey("a figure that the first module lacks, chosen with the keyboard, keeps the focus", async ({ open }) => {
  const page = await open("#/explore?length=100");
  const fetched = modules(page);
  await page.locator("#figure-similarity").focus();
  await page.keyboard.press("Space");
  await eventually("the figure is there", async () => (await shown(page)) === "heatmap,offset,similarity");
  await ready(page);
  assert.equal(await focused(page), "figure-similarity");
  assert.equal(await page.locator("#figure-similarity").isChecked(), true);
  assert.deepEqual(fetched, ["whole"]);
});

journey("a link that needs the whole app fetches only that", async ({ open, context }) => {
  const about = await open("#/about");
  const page = await context.newPage();
  const fetched = modules(page);
  await page.goto(about.url().replace(/#.*/, "#/embed?figures=bias&schemes=t5"));
  await ready(page);
  assert.deepEqual(fetched, ["whole"]);
  assert.ok(await figure(page, "bias").isVisible());
});

journey("so does a link to a page of learning, typed or followed", async ({ open, context }) => {
  const about = await open("#/about");
  for (const [link, name] of [["#/learn/questions", "Questions"], ["#/learn", "Learn"], ["#%2Flearn%2Fquestions%2F03", "Questions"]]) {
    const page = await context.newPage();
    const fetched = modules(page);
    await page.goto(about.url().replace(/#.*/, link));
    await ready(page);
    assert.ok(await page.getByRole("heading", { level: 1, name }).isVisible(), link);
    assert.deepEqual(fetched, ["whole"], link);
    await page.close();
  }
  const page = await context.newPage();
  const fetched = modules(page);
  await page.goto(about.url().replace(/#.*/, ""));
  await ready(page);
  await page.getByRole("link", { name: "Learn", exact: true }).click();
  await eventually("the page is there", () => page.getByRole("heading", { level: 1, name: "Learn" }).isVisible());
  assert.deepEqual(fetched, ["app", "whole"]);
  await page.goBack();
  await ready(page);
  assert.ok(await figure(page, "heatmap").isVisible());
});

// Followed while it is fetched, or while it is compiled.
for (const [when, prepare] of [
  ["fetched", (page, follow) => page.route(/\/app\.\w+\.wasm/, async (route) => (await page.evaluate(follow), route.continue()))],
  [
    "compiled",
    (page, follow) =>
      page.addInitScript(`const real = WebAssembly.instantiateStreaming;
        WebAssembly.instantiateStreaming = async (...given) => {
          const module = await real(...given);
          WebAssembly.instantiateStreaming = real;
          ${follow};
          return module;
        };`),
  ],
]) {
  journey(`so does a link that is followed while the first module is ${when}`, async ({ context }) => {
    for (const [link, look] of [
      ["#/explore?figures=rotation,similarity&schemes=rope", async (page) => assert.equal(await shown(page), "rotation,similarity")],
      ["#/learn/order", async (page) => assert.match(await page.locator("h1").innerText(), /forgets order/)],
    ]) {
      const page = await context.newPage();
      await prepare(page, `location.hash = ${JSON.stringify(link)}`);
      await page.goto(SITE);
      await eventually("the whole app has it", async () => {
        await ready(page);
        return (await address(page)).startsWith(link) && (await page.locator(".header").count()) === 1 && (await page.locator("[data-figure]").count()) && !(await page.locator("[data-whole]:visible").count());
      });
      await look(page);
      assert.equal(await page.locator("[data-notice]").count(), 0);
      assert.ok((await address(page)).startsWith(link), await address(page));
      await page.close();
    }
  });
}

journey("so does one whose commas and brackets are encoded, once or twice", async ({ open, context }) => {
  const about = await open("#/about");
  for (const [link, schemes, module] of [
    ["#/explore?schemes=rope%2Calibi", "rope,alibi", "whole"],
    ["#/explore?schemes=rope%28%29%2Ct5%28%29", "rope,t5", "whole"],
    ["#%2Fexplore%3Fschemes%3Drope%252Calibi", "rope,alibi", "whole"],
    ["#/explore?schemes=rope&text=the%20alibi", "rope", "app"],
    ["#/explore?schemes=rope%28rope_type%3Dyarn%2Cfactor%3D4%29,none&figures=offset", "rope,none", "app"],
  ]) {
    const page = await context.newPage();
    const fetched = modules(page);
    await page.goto(about.url().replace(/#.*/, link));
    await ready(page);
    assert.equal(await picked(page), schemes, link);
    assert.deepEqual(await page.locator("[data-notice]").allInnerTexts(), [], link);
    assert.deepEqual(fetched, [module], link);
    await page.close();
  }
});

journey("what was shown stays until the whole app has drawn, and so do the place on the page, the words and the notices", async ({ open }) => {
  const page = await open("#/explore?length=many");
  await page.setViewportSize({ width: 1280, height: 500 });
  await ready(page);
  await page.evaluate(() => {
    scrollTo(0, 300);
    // Every frame, when all is laid out and before it is painted.
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.cssText = "position: fixed; height: 1px";
    window.frames_seen = [];
    const app = document.getElementById("app");
    const pad = Object.assign(document.createElement("canvas"), { width: 64, height: 64 }).getContext("2d", { willReadFrequently: true });
    new ResizeObserver(() => {
      const canvases = [...app.querySelectorAll("canvas")].filter((canvas) => canvas.checkVisibility({ visibilityProperty: true }));
      const drawn = (canvas) => {
        pad.clearRect(0, 0, 64, 64);
        if (canvas.width) pad.drawImage(canvas, 0, 0, 64, 64);
        return pad.getImageData(0, 0, 64, 64).data.some((byte) => byte);
      };
      window.frames_seen.push({
        figures: canvases.length,
        drawn: canvases.filter(drawn).length,
        said: app.querySelector(".explore__about").innerText.length,
        scroll: scrollY,
      });
    }).observe(probe);
    let wide = 0;
    (function frame() {
      probe.style.width = `${(wide = 1 - wide) + 1}px`;
      requestAnimationFrame(frame);
    })();
    document.getElementById("figure-similarity").focus({ preventScroll: true });
    document.getElementById("figure-similarity").click();
  });
  await eventually("the figure is there", async () => (await shown(page)) === "heatmap,offset,similarity");
  await ready(page);
  const seen = await page.evaluate(() => window.frames_seen);
  const top = seen.at(-1).scroll;
  assert.ok(top > 200, `scrolled to ${top}`);
  for (const frame of seen) {
    assert.ok(frame.figures >= 2 && frame.drawn === frame.figures && frame.said > 500, JSON.stringify(frame));
    // A line of words above may move what is below it by its height.
    assert.ok(Math.abs(frame.scroll - top) < 60, JSON.stringify(frame));
  }
  assert.deepEqual([seen[0].figures, seen.at(-1).figures], [2, 3]);
  assert.match((await page.locator("[data-notice]").allInnerTexts()).join(), /length = many/);
});

/** Holds the whole module back until the function that is given is called. */
async function held(context) {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  await context.route(/whole\.[0-9a-f]+\.wasm/, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

journey("while the whole app is on its way everything goes on, and the last choice counts", async ({ open, context }) => {
  const page = await open("#/explore");
  const release = await held(context);
  await page.locator("#scheme-0").selectOption("alibi");
  await eventually("it is said", async () => /on its way/.test(await page.locator("[data-whole]").innerText()));
  await page.locator("#field-length").press("ArrowRight");
  const length = await page.locator("#field-length").inputValue();
  await page.locator("#figure-bias").click();
  await page.locator("#scheme-0").selectOption("t5");
  assert.equal(await picked(page), "sinusoidal");
  release();
  await eventually("T5 is chosen", async () => (await picked(page)) === "t5");
  await ready(page);
  assert.equal(await shown(page), "heatmap,offset,bias");
  assert.equal(await page.locator("#field-length").inputValue(), length);
  await page.keyboard.press("Control+z");
  await ready(page);
  assert.equal(await picked(page), "sinusoidal");
  assert.equal(await page.locator("#field-length").inputValue(), length);
});

journey("a link that is opened while the whole app is on its way takes the place of the choice", async ({ open, context }) => {
  const page = await open("#/explore");
  const release = await held(context);
  await page.evaluate(() => (location.hash = "#/explore?schemes=alibi"));
  await eventually("it is said", async () => (await page.locator("[data-whole]:visible").count()) === 1);
  await page.evaluate(() => (location.hash = "#/explore?schemes=rope&length=99"));
  await eventually("RoPE is chosen", async () => (await picked(page)) === "rope");
  release();
  await eventually("the whole app is there", async () => (await page.locator("[data-whole]:visible").count()) === 0);
  await ready(page);
  assert.equal(await picked(page), "rope");
  assert.match(await address(page), /schemes=rope&length=99/);
});

journey("a link typed into the address line", async ({ open }) => {
  const page = await open("#/explore?length=77");
  await page.evaluate(() => (location.hash = "#/explore?figures=rotation&schemes=rope&length=55"));
  await eventually("the figure is there", async () => (await shown(page)) === "rotation");
  await ready(page);
  assert.match(await address(page), /figures=rotation&schemes=rope&length=55/);
  await page.keyboard.press("Control+z");
  await eventually("undo shows the board before", async () => (await shown(page)) === "heatmap,offset");
});

journey("where the whole app cannot be had, everything stays, and a second try works", { trouble: true }, async ({ open, context }) => {
  const page = await open("#/explore?length=77");
  await context.route(/whole\.[0-9a-f]+\./, (route) => route.abort());
  await page.locator("#figure-bias").click();
  await eventually("it is said", async () => /could not be fetched/.test(await page.locator("[data-whole]").innerText()));
  await ready(page);
  assert.equal(await page.locator("#figure-bias").isChecked(), false);
  assert.equal(await page.locator("#recovery").isVisible(), false);
  await page.locator("#field-length").press("ArrowRight");
  await ready(page);
  await context.unroute(/whole\.[0-9a-f]+\./);
  await page.locator(".schemes__head select").selectOption("t5");
  await eventually("T5 is chosen", async () => (await picked(page)) === "t5");
  await ready(page);
  assert.notEqual(await page.locator("#field-length").inputValue(), "77");
});

journey("the whole app dies as it takes over: the recovery screen has the link", { trouble: true }, async ({ open, context }) => {
  const page = await open("#/explore");
  let broken = false;
  await context.route(/whole\.[0-9a-f]+\.js/, async (route) => {
    const response = await route.fetch();
    const script = await response.text();
    // Right after the module has started.
    const body = script.replace(/,((\w+)\.\w+\(\)),\2\}async/, ",$1,(()=>{throw new WebAssembly.RuntimeError('unreachable')})(),$2}async");
    broken = body !== script;
    await route.fulfill({ response, body });
  });
  await page.locator("#scheme-0").selectOption("alibi");
  await eventually("the recovery screen is there", () => page.locator("#recovery").isVisible());
  assert.ok(broken);
  assert.match(await page.locator("#recovery-link").inputValue(), /schemes=alibi/);
  assert.equal(await page.locator("#app").isVisible(), false);
});

journey("a crash after the whole app has taken over", { trouble: true }, async ({ open }) => {
  const page = await open("#/explore");
  await page.locator("#scheme-0").selectOption("alibi");
  await eventually("ALiBi is chosen", async () => (await picked(page)) === "alibi");
  await ready(page);
  await page.evaluate(() => setTimeout(() => { throw new WebAssembly.RuntimeError("unreachable"); }));
  await eventually("the recovery screen is there", () => page.locator("#recovery").isVisible());
  assert.match(await page.locator("#recovery-link").inputValue(), /schemes=alibi/);
});
