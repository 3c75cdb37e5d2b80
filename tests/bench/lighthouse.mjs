// Lighthouse with its defaults for a phone, on the first screen.

import { createServer } from "node:net";
import lighthouse from "lighthouse";
import { SITE, launch, report } from "./lib/measure.mjs";

/** A port that is free at this moment. */
function free() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

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
