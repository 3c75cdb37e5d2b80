// What filling the table of 4,096 × 512 costs beside a plain fill of the same buffer, in WebAssembly, in the browser.

import { SITE, launch, quantile, ready, report } from "./lib/measure.mjs";

const browser = await launch();
let missed = false;
try {
  const page = await browser.newPage();
  // The whole app's page lists the lab's files.
  await page.goto(`${SITE}#/explore?figures=rotation`);
  await ready(page);
  for (const scheme of ["sinusoidal(d_model=512)", "sinusoidal(d_model=512,layout=concatenated)", "rope(head_dim=512)"]) {
    const times = await page.evaluate(async (scheme) => {
      const address = (name) => document.querySelector(`link[data-asset="${name}"]`).href;
      const lab = await import(address("lab.js"));
      await lab.default({ module_or_path: address("lab.wasm") });
      // Once to warm up: the engine compiles what is hot a second time.
      lab.measure_fill(scheme, 4096, 5);
      return [...lab.measure_fill(scheme, 4096, 40)];
    }, scheme);
    const plain = times.filter((_, i) => i % 2 === 0);
    const own = times.filter((_, i) => i % 2 === 1);
    // By turns: each is compared with the plain fill of its moment.
    const ratios = own.map((time, i) => time / plain[i]);
    console.log(`${scheme}: ${quantile(own, 0.5).toFixed(2)} ms, a plain fill ${quantile(plain, 0.5).toFixed(2)} ms`);
    missed |= report(`${scheme}, against a plain fill`, quantile(ratios, 0.5), 15, "times");
  }
} finally {
  await browser.close();
}
process.exitCode = missed ? 1 : 0;
