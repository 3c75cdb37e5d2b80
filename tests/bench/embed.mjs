// Figures in another page: how soon the first is drawn, and what ten cost beside one.

import { TEN, host } from "../lib/host.mjs";
import { launch, quantile, report } from "./lib/measure.mjs";

const pages = await host();
const browser = await launch();
let missed = false;

/** Opens an article with these figures in a browser that has nothing yet, and goes through it. Its bytes, and when the first figure was drawn. */
async function read(links) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  // Frames of another site have a session of their own: all are listened to.
  let bytes = 0;
  const count = async (target) => {
    const session = await context.newCDPSession(target);
    await session.send("Network.enable");
    session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  };
  await count(page);
  page.on("frameattached", (frame) => count(frame).catch(() => {})); // a frame of the same process is the page's
  await page.goto(pages.own(links));
  const ready = (place) => page.waitForFunction((place) => heard.find((one) => one.place === place && one.data.type === "ready")?.at, place, { timeout: 60_000, polling: 20 });
  const first = await (await ready(0)).jsonValue();
  for (let place = 1; place < links.length; place += 1) {
    await page.evaluate((place) => frames10()[place].scrollIntoView(), place);
    await ready(place);
  }
  await page.waitForTimeout(500);
  await context.close();
  return { bytes, first };
}

try {
  await read(TEN.slice(0, 1)); // starts the browser's processes
  const times = [];
  for (let i = 0; i < 5; i += 1) times.push((await read(TEN.slice(0, 1))).first);
  missed |= report("the first figure of an article is drawn: median of 5", quantile(times, 0.5), 1000, "ms");
  for (const [what, link] of [["of the first module", TEN[0]], ["of the whole app", TEN[2]]]) {
    const one = (await read([link])).bytes;
    const ten = (await read(Array(10).fill(link))).bytes;
    console.log(`${what}: one figure ${one} bytes, ten ${ten}`);
    missed |= report(`ten figures ${what}, against one`, ten / one, 1.2, "times");
  }
  console.log(`ten figures of both kinds: ${(await read(TEN)).bytes} bytes`);
} finally {
  await browser.close();
  await pages.close();
}
process.exitCode = missed ? 1 : 0;
