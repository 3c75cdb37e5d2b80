// Never a blank page: what a reader sees when something is missing or breaks.

import assert from "node:assert/strict";
import { SITE, address, control, figure, journey, pixels, ready, stage, table, value } from "./help.mjs";

stage();

const recovery = (page) => page.locator("#recovery");

/** Breaks what no program expects to be broken, and asks for something that needs it. */
async function breakIt(page) {
  await page.evaluate(() => {
    const broken = () => {
      throw new Error("broken on purpose");
    };
    document.createElement = broken;
    document.createElementNS = broken;
    Node.prototype.cloneNode = broken;
  });
  await control(page, "scheme-0-spacing").selectOption("random");
}

journey("a panic: the link, what happened, a way back", { trouble: true }, async ({ open, problems }) => {
  const page = await open("#/explore?length=77&schemes=sinusoidal(base=500)");
  await breakIt(page);
  await recovery(page).waitFor();
  assert.ok(problems.some((one) => /panicked|unreachable/.test(one)), "the console has it too");
  assert.match(await recovery(page).innerText(), /Something went wrong/);
  const link = await page.locator("#recovery-link").inputValue();
  assert.ok(link.startsWith(`${SITE}#/explore?`) && link.includes("length=77"), link);
  assert.ok((await page.locator("#recovery-detail").textContent()).length > 10);
  assert.equal(await page.evaluate(() => document.activeElement.id), "recovery-title");
  assert.ok(await page.locator("#app").isHidden(), "what is dead is not shown");
  await page.locator("#recovery-reload").click();
  await ready(page);
  assert.equal(await value(page, "length"), 77);
});

// `(module (func (export "t") unreachable))`
const TRAP = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 116, 0, 0, 10, 5, 1, 3, 0, 0, 11];
const PLACES = {
  "an event's listener": (trap) => {
    document.body.addEventListener("ping", trap);
    document.body.dispatchEvent(new Event("ping"));
  },
  "an animation frame": (trap) => requestAnimationFrame(trap),
  "a timer": (trap) => setTimeout(trap),
  "a microtask": (trap) => queueMicrotask(trap),
  "a promise": (trap) => void Promise.resolve().then(() => trap()),
  "an observer": (trap) => new ResizeObserver(trap).observe(document.body),
};
for (const [place, put] of Object.entries(PLACES)) {
  journey(`a trap in ${place} shows the recovery screen`, { trouble: true }, async ({ open }) => {
    const page = await open("#/explore?length=77");
    await page.evaluate(
      `(${put})(new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array([${TRAP}]))).exports.t)`,
    );
    await recovery(page).waitFor();
    assert.match(await page.locator("#recovery-detail").textContent(), /unreachable/);
  });
}

journey("after a panic, “start fresh” is the first screen", { trouble: true }, async ({ open }) => {
  const page = await open("#/explore?length=77");
  await breakIt(page);
  await recovery(page).waitFor();
  await page.locator("#recovery-fresh").click();
  await ready(page);
  assert.ok(await recovery(page).isHidden());
  assert.equal(await page.locator("[data-figure]").count(), 2);
  assert.ok(["", "#/"].includes(await address(page)));
});

journey("without WebAssembly the page reads", { prepare: (context) => context.addInitScript("delete globalThis.WebAssembly") }, async ({ open }) => {
  const page = await open("#/explore", false);
  await page.locator("#unsupported").waitFor();
  assert.match(await page.locator("#unsupported").innerText(), /Chrome/);
  assert.ok(await recovery(page).isHidden());
  assert.match(await page.locator("#app").innerText(), /See how a transformer knows where/);
  assert.ok((await page.locator("#app").innerText()).length > 600);
});

journey("without SIMD the page reads", { prepare: (context) => context.addInitScript("WebAssembly.validate = () => false") }, async ({ open }) => {
  const page = await open("", false);
  await page.locator("#unsupported").waitFor();
});

journey("without JavaScript the page reads", { javaScriptEnabled: false }, async ({ open }) => {
  const page = await open("", false);
  const text = await page.locator("body").innerText();
  assert.match(text, /See how a transformer knows where/);
  assert.match(text, /JavaScript and WebAssembly, which are switched off/);
  assert.ok(await page.locator("#recovery").isHidden());
});

for (const file of [/app\.[0-9a-f]+\.wasm/, /app\.[0-9a-f]+\.js/]) {
  journey(`${file} does not come: the page reads, with the way back`, { trouble: true, prepare: (context) => context.route(file, (route) => route.abort()) }, async ({ open }) => {
    const page = await open("#/explore?length=77", false);
    await recovery(page).waitFor();
    assert.match(await page.locator("#app").innerText(), /See how a transformer knows where/);
    assert.match(await page.locator("#recovery-link").inputValue(), /length=77/);
  });
}

journey("a module that is nonsense: the page reads", { trouble: true, prepare: (context) => context.route(/app\.[0-9a-f]+\.wasm/, (route) => route.fulfill({ status: 200, contentType: "application/wasm", body: "nonsense" })) }, async ({ open }) => {
  const page = await open("", false);
  await recovery(page).waitFor();
  assert.ok((await page.locator("#app").innerText()).length > 600);
});

journey("blocked storage is no error", {
  prepare: (context) =>
    context.addInitScript(() => {
      Object.defineProperty(globalThis, "localStorage", {
        get() {
          throw new DOMException("blocked", "SecurityError");
        },
      });
    }),
}, async ({ open }) => {
  const page = await open("#/explore");
  await page.getByLabel("Theme").selectOption("dark");
  await ready(page);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
});

journey("no canvas: words and the table, not a crash", {
  prepare: (context) => context.addInitScript(() => (HTMLCanvasElement.prototype.getContext = () => null)),
}, async ({ open }) => {
  const page = await open("#/explore?figures=heatmap,offset,rotation");
  for (const id of ["heatmap", "offset", "rotation"]) {
    assert.ok(await figure(page, id).getByText("gives no canvas").isVisible(), `${id} says so`);
    assert.ok((await table(page, id)).rows.length > 10, `${id} has its table`);
  }
  assert.ok(await recovery(page).isHidden());
});

journey("an error of somebody else's script does not end the app", { trouble: true }, async ({ open }) => {
  const page = await open("#/explore");
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error("an extension's");
    });
    Promise.reject(new Error("an extension's promise"));
  });
  await page.waitForTimeout(200);
  assert.ok(await recovery(page).isHidden());
  assert.ok((await pixels(page, "heatmap")).colours > 20);
});
