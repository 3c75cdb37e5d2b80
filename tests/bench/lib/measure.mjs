// What the benches share.

export { SITE, launch, ready } from "../../e2e/help.mjs";

/** The value below which this share of the list lies. */
export function quantile(list, share) {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
}

/** Prints a figure against its limit (the most, or with `least` the least); whether it was missed. */
export function report(what, value, limit, unit, { least = false } = {}) {
  const missed = !(least ? value >= limit : value <= limit);
  const bound = `${least ? "at least" : "at most"} ${limit}`;
  console.log(`${missed ? "MISSED" : "ok    "} ${what}: ${value.toFixed(2)} ${unit} (${bound})`);
  return missed;
}
