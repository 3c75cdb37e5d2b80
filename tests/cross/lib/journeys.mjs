// What is tried in every browser beside Chromium: that the app loads, draws, and answers hands. What it says is tried in tests/e2e.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { address, controls, eventually, followed, overhang, ready } from "../../e2e/help.mjs";
import { STRANGER, TEN, attack, host, read } from "../../lib/host.mjs";

const DESK = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };
// As many as a board holds.
const FOUR = "#/explore?figures=similarity,offset,rotation,bias&schemes=sinusoidal,learned,rope,alibi";

/** Canvases of figures, by the figures' ids: their size in pixels, how many colours there are, and a number for all pixels. */
async function drawn(page) {
  // A list: WebKit's driver keeps no order in an object.
  const figures = await page.evaluate(() =>
    [...document.querySelectorAll("[data-figure]")].map((figure) => {
      const canvas = figure.querySelector("canvas");
      const { width, height } = canvas;
      const copy = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d", { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const pixels = new Uint32Array(copy.getImageData(0, 0, width, height).data.buffer);
      const hash = pixels.reduce((hash, pixel) => Math.imul(hash ^ pixel, 16777619), 2166136261);
      return [figure.dataset.figure, { width, height, colours: new Set(pixels).size, hash }];
    }),
  );
  return Object.fromEntries(figures);
}

/** Fails unless these figures are on the page, and all are drawn. */
async function shows(page, wanted) {
  const figures = await drawn(page);
  assert.deepEqual(Object.keys(figures), wanted);
  for (const [id, { width, height, colours }] of Object.entries(figures)) {
    assert.ok(width > 200 && height > 80 && colours > 20, `${id}: ${width} × ${height} pixels in ${colours} colours`);
  }
  return figures;
}

/** Where an element is on screen, scrolled into sight. */
const place = (page, selector) =>
  page.evaluate((selector) => {
    const element = document.querySelector(selector);
    element.scrollIntoView({ block: "center", behavior: "instant" });
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x, y, width, height };
  }, selector);

const middle = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });
const click = async (page, selector) => page.drag([middle(await place(page, selector))]);
const focus = (page, selector) => page.evaluate((selector) => document.querySelector(selector).focus(), selector);
const text = (page, selector) => page.evaluate((selector) => document.querySelector(selector)?.innerText ?? "", selector);

/** What a number field beside a slider says. */
const value = (page, key) =>
  page.evaluate((key) => Number(document.querySelector(`#field-${key} ~ input`).value.replaceAll(/[^\d.-]/g, "")), key);

/** Chooses in a list as the browser does when a person has chosen. */
const choose = (page, selector, value) =>
  page.evaluate(
    ({ selector, value }) => {
      const list = document.querySelector(selector);
      list.focus();
      list.value = value;
      list.dispatchEvent(new Event("input", { bubbles: true }));
      list.dispatchEvent(new Event("change", { bubbles: true }));
    },
    { selector, value },
  );

/** A journey ended because the browser's own engine broke. */
class Broken extends Error {
  constructor(cause) {
    super("the browser broke", { cause });
  }
}

/** All journeys through a browser that `launch` starts. */
export function journeys(launch) {
  let browser;
  let pages;
  before(async () => {
    pages = await host();
    browser = await launch();
    console.log(browser.name);
  });
  after(async () => {
    await browser?.close();
    await pages?.close();
  });

  // Fails where the page is in trouble, too. What `broke` says of it comes first: a page whose engine broke fails in many ways.
  const walk = async (act, size) => {
    const pages = [];
    const open = async (link) => {
      const page = await browser.open(link, size);
      pages.push(page);
      await ready(page);
      return page;
    };
    const troubles = async () => (await Promise.all(pages.map((page) => page.problems()))).flat();
    try {
      await act(open);
      assert.deepEqual(await troubles(), [], "the browser reported trouble");
    } catch (error) {
      const told = await troubles().catch((lost) => [String(lost)]);
      throw browser.broke?.([String(error), ...told]) ? new Broken(error) : error;
    } finally {
      for (const page of pages) await page.close().catch(() => {}); // a page that crashed is closed
    }
  };

  const journey = (name, act, size = DESK) =>
    test(name, { timeout: 240_000 }, async () => {
      try {
        await walk(act, size);
      } catch (error) {
        if (!(error instanceof Broken)) throw error;
        console.log(`${browser.name} broke in "${name}" and is started anew, once: ${error.cause}`);
        await browser.close().catch(() => {}); // the driver of a page that crashed has nothing left to close
        browser = await launch();
        await walk(act, size);
      }
    });

  test("trouble is seen", async () => {
    const page = await browser.open("#/about", DESK);
    await page.evaluate(() => {
      console.error("said");
      setTimeout(() => {
        throw new Error("thrown");
      });
      Promise.reject(new Error("rejected"));
    });
    const wanted = ["said", "thrown", "rejected"];
    const seen = async () => (await page.problems()).filter((problem) => wanted.some((word) => problem.includes(word)));
    await eventually("three problems", async () => (await seen()).length === 3);
    await page.close();
  });

  journey("the first screen is drawn", async (open) => {
    const page = await open("");
    await shows(page, ["heatmap", "offset"]);
    assert.equal(await page.evaluate(() => document.getElementById("recovery").hidden), true);
  });

  journey("the board is drawn, each pixel by itself", async (open) => {
    const page = await open("#/explore");
    const figures = await shows(page, ["heatmap", "offset"]);
    const wanted = await page.evaluate(() => {
      const { width } = document.querySelector("[data-figure=offset] canvas").getBoundingClientRect();
      return Math.round(width * devicePixelRatio);
    });
    assert.ok(Math.abs(figures.offset.width - wanted) <= 1, `${figures.offset.width} and not ${wanted} pixels wide`);
  });

  journey("a slider is dragged", async (open) => {
    const page = await open("#/explore");
    const [before, link] = [await drawn(page), await address(page)];
    const seen = Number(await page.evaluate(() => document.documentElement.dataset.ready));
    const { x, y, width, height } = await place(page, "#field-position");
    const share = (await value(page, "position")) / 63;
    const along = (share) => ({ x: x + 8 + share * (width - 16), y: y + height / 2 });
    await page.drag([along(share), along(0.4), along(0.5), along(0.6)]);
    await ready(page, { after: seen });
    const position = await value(page, "position");
    assert.ok(Math.abs(position - 38) <= 3, `position ${position}`);
    assert.notEqual((await drawn(page)).heatmap.hash, before.heatmap.hash, "the cursor is drawn elsewhere");
    await eventually("the address says it", async () => (await address(page)) !== link);
    await followed(page, `#/explore?position=${position}`);
  });

  journey("a slider is moved with keys", async (open) => {
    const page = await open("#/explore");
    const before = await drawn(page);
    await focus(page, "#field-scheme-0-base");
    const base = await value(page, "scheme-0-base");
    await page.press("ArrowLeft");
    await page.press("ArrowLeft");
    await ready(page);
    assert.ok((await value(page, "scheme-0-base")) < base);
    const after = await drawn(page);
    for (const id of ["heatmap", "offset"]) assert.notEqual(after[id].hash, before[id].hash, id);
  });

  journey("keys on a figure move the cursor", async (open) => {
    const page = await open("#/explore");
    await focus(page, "[data-figure=heatmap] canvas");
    for (const [key, wanted] of [["ArrowDown", 13], ["ArrowUp", 12], ["PageDown", 18], ["End", 63], ["Home", 0]]) {
      await page.press(key);
      await ready(page);
      assert.equal(await value(page, "position"), wanted, key);
    }
    await followed(page, "#/explore?position=0");
    await focus(page, "[data-figure=offset] canvas");
    await page.press("PageUp");
    await ready(page);
    assert.equal(await value(page, "offset"), 14);
  });

  journey("dragging on a figure moves the cursor", async (open) => {
    const page = await open("#/explore");
    const { x, y, width, height } = await place(page, "[data-figure=heatmap] canvas");
    const at = (across, down) => ({ x: x + across * width, y: y + down * height });
    await page.drag([at(0.5, 0.3), at(0.5, 0.5), at(0.5, 0.8)]);
    await ready(page);
    const position = await value(page, "position");
    assert.ok(position > 40 && position < 63, `position ${position}`);
  });

  journey("the whole app takes over for a scheme and for a figure", async (open) => {
    const page = await open("#/explore?length=48");
    await choose(page, "#scheme-0", "alibi");
    await eventually("ALiBi is chosen", () => page.evaluate(() => document.getElementById("scheme-0").value === "alibi"));
    await ready(page);
    assert.match(await text(page, "[data-figure=offset] .figure__summary"), /ALiBi/);
    await click(page, "#figure-bias");
    await eventually("the figure is there", () => page.evaluate(() => document.querySelector("[data-figure=bias]") !== null));
    await ready(page);
    await shows(page, ["heatmap", "offset", "bias"]);
    assert.equal(await value(page, "length"), 48);
    assert.equal(await page.evaluate(() => document.querySelectorAll(".header").length), 1, "one app is on the page");
    await followed(page, "#/explore?figures=heatmap,offset,bias&schemes=alibi&length=48");
  });

  journey("a board that needs the whole app", async (open) => {
    const page = await open("#/explore?figures=bias,similarity&schemes=alibi,t5,learned");
    const before = await shows(page, ["bias", "similarity"]);
    await focus(page, "[data-figure=bias] canvas");
    await page.press("]");
    await ready(page);
    assert.equal(await value(page, "head"), 1);
    assert.notEqual((await drawn(page)).bias.hash, before.bias.hash, "another head is drawn");
  });

  journey("four figures and four schemes", async (open) => {
    const page = await open(FOUR);
    const before = await shows(page, ["similarity", "offset", "rotation", "bias"]);
    await focus(page, "#field-scheme-2-rope_theta");
    await page.press("ArrowRight");
    await ready(page);
    const after = await drawn(page);
    for (const id of ["similarity", "offset", "rotation"]) assert.notEqual(after[id].hash, before[id].hash, id);
    assert.equal(after.bias.hash, before.bias.hash, "no bias of RoPE's is on screen");
  });

  journey("the worker answers", async (open) => {
    const page = await open("#/explore?figures=offset&schemes=rope(head_dim=64)&length=200&offset.vectors=independent&offset.draws=4");
    assert.match(await text(page, "[data-figure=offset] .figure__summary"), /mean of 4 draws/);
    await shows(page, ["offset"]);
  });

  journey("a value that is not legal gets a notice", async (open) => {
    const page = await open("#/explore?length=many&schemes=rope(rope_theta=-3)");
    await shows(page, ["heatmap", "offset"]);
    assert.match(await text(page, "[data-notice]"), /length = many/);
    assert.ok(Object.keys(await controls(page)).includes("field-scheme-0-rope_theta"));
  });

  journey("ten figures in another page: heights, titles, looks", async (open) => {
    const page = await open(pages.own());
    const steps = await page.evaluate(() => history.length);
    const figures = await page.evaluate(read);
    assert.equal(figures.length, TEN.length);
    for (const { link, title, heights, settled, height, inside, scheme, seen } of figures) {
      assert.ok(Math.abs(height - inside) <= 1 && height > 200, `${link}: ${height} for ${inside}`);
      assert.ok(settled <= 200, `${link}: ${heights} within ${settled} ms`);
      assert.deepEqual([...heights], [...heights].sort((a, b) => a - b), `${link}: ${heights}`);
      assert.match(title, / · Placewise$/);
      assert.deepEqual([scheme, seen], ["light", "1"]);
    }
    // A narrow column, and the wide one again: heights follow, and are told a few times at most.
    for (const width of ["20rem", "44rem"]) {
      const count = await page.evaluate((width) => ((document.body.style.maxWidth = width), heard.length), width);
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1500)));
      const [fit, told] = await page.evaluate((count) => {
        const fit = frames10().map((frame) => Math.abs(frame.getBoundingClientRect().height - frame.contentDocument.getElementById("main").getBoundingClientRect().height));
        return [Math.max(...fit), heard.slice(count).filter(({ data }) => data?.type === "height").length];
      }, count);
      assert.ok(fit <= 1, `${width}: ${fit} pixels off`);
      assert.ok(told >= 1 && told <= 3 * TEN.length, `${told} heights were told at ${width}`);
    }
    assert.equal(await page.evaluate(() => history.length), steps);
  });

  // Of the site's origin a page can be asked what is in the figure; of another one it is as hosts are.
  for (const [whose, where] of [["the site's origin", "own"], ["another origin", "other"]]) {
    journey(`strangers in a page of ${whose} change nothing and hear nothing`, async (open) => {
      const page = await open(pages[where](TEN.slice(0, 1)));
      const [{ height, title }] = await page.evaluate(read);
      const bad = pages.serve(STRANGER);
      // Once of the one origin, once of the other.
      const given = { plain: `${pages.site}#/embed?figures=offset`, strangers: [bad, bad.replace("localhost", "127.0.0.1")] };
      const { changes, stolen, ...seen } = await page.evaluate(attack, given);
      assert.deepEqual([changes.length, stolen.join("\n")], [0, ""]);
      const link = "#/embed?figures=offset&schemes=rope";
      assert.deepEqual([seen.height, seen.title, seen.link], [height, title, link]);
      if (where === "other") return;
      const inside = () => page.evaluate(() => [frames10()[0], document.querySelector("iframe[title=plain]")].map(({ contentDocument, contentWindow }) => [contentWindow.location.hash, contentDocument.documentElement.dataset.theme]));
      const [own, plain] = await inside();
      assert.deepEqual([...own], [link, "light"]);
      assert.equal(plain[0], "#/embed?figures=offset");
      // It still hears its own page.
      await page.evaluate(() => document.getElementById("figure-0").set("#/embed?figures=offset&offset=30"));
      await eventually("it hears its own page", async () => (await inside())[0][0] === "#/embed?figures=offset&offset=30");
    });
  }

  journey("a figure in a page of another origin: the link, the wheel, Tab", async (open) => {
    const page = await open(pages.other(TEN.slice(0, 1)));
    await page.evaluate(read);
    // The link is set, and told only where the reader changed something.
    await page.evaluate(() => document.getElementById("figure-0").set("#/embed?figures=offset&schemes=rope&offset=20"));
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1000)));
    assert.deepEqual(await page.evaluate(() => changes), []);
    assert.equal(await page.evaluate(() => document.getElementById("figure-0").link), "#/embed?figures=offset&schemes=rope&offset=20");
    assert.ok((await page.evaluate(() => frames10()[0].getBoundingClientRect().height)) > 200);
    // The wheel over the figure scrolls the page.
    await page.evaluate(() => (document.body.append(Object.assign(document.createElement("div"), { style: "height: 3000px" })), scrollTo(0, 0)));
    const middle = await page.evaluate(() => {
      const { x, y, width, height } = frames10()[0].getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    });
    await page.wheel(middle, 200);
    await eventually("the page scrolls", () => page.evaluate(() => scrollY > 60));
    // Tab goes through the figure and leaves it.
    await page.evaluate(() => (scrollTo(0, 0), document.getElementById("before").focus()));
    let inside = false;
    let left = false;
    for (let i = 0; i < 20 && !left; i += 1) {
      await page.press("Tab");
      const focused = await page.evaluate(() => document.activeElement.id);
      inside ||= focused === "figure-0";
      left = focused === "after";
    }
    assert.ok(inside && left, `Tab went in: ${inside}, and out: ${left}`);
  });

  for (const link of ["", "#/explore", FOUR]) {
    journey(
      `360 pixels are wide enough: ${link || "the first screen"}`,
      async (open) => {
        const page = await open(link);
        assert.equal(await page.evaluate(() => innerWidth), PHONE.width);
        assert.equal(await overhang(page), 0);
        const figures = await drawn(page);
        assert.ok(Object.keys(figures).length >= 2);
        for (const [id, { colours }] of Object.entries(figures)) assert.ok(colours > 20, `${id}: ${colours} colours`);
      },
      PHONE,
    );
  }
}
