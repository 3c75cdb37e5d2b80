// Lighthouse with its defaults for a phone, on the first screen.

import lighthouse from "lighthouse";
import { free } from "../lib/port.mjs";
import { SITE, launch, report } from "./lib/measure.mjs";

const port = await free();
const browser = await launch([`--remote-debugging-port=${port}`]);
let missed = false;
try {
  const { lhr } = await lighthouse(SITE, { port, output: "json", logLevel: "error" });
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
  for (const { id, title, score, auditRefs } of Object.values(lhr.categories)) {
    missed |= report(`${title} (${id})`, (score ?? 0) * 100, 95, "of 100", { least: true });
    for (const { id: audit, weight } of auditRefs) {
      const { title, score, displayValue, scoreDisplayMode } = lhr.audits[audit];
      if (score !== null && score < 0.9 && (weight > 0 || scoreDisplayMode === "metricSavings")) {
        console.log(`         ${audit}: ${title} ${displayValue ?? ""} (weight ${weight}, score ${score})`);
      }
    }
  }
} finally {
  await browser.close();
}
process.exitCode = missed ? 1 : 0;
