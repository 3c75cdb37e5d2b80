// The edition of one file, as it lies on a disk.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SITE, development } from "../e2e/help.mjs";

/** Its address, what puts a page beside it, and what removes both; null where there is none: a development build has it only once it was asked for by `cargo xtask single-file --dev`. */
export async function single() {
  const answer = await fetch(`${SITE}placewise.html`);
  let page;
  if (answer.ok) page = await answer.text();
  else {
    assert.ok(await development(), "the site has the edition of one file");
    try {
      page = readFileSync("placewise.html", "utf8");
    } catch {
      console.log("NOT TESTED: there is no edition of one file; cargo xtask single-file --dev writes it");
      return null;
    }
  }
  const folder = mkdtempSync(join(tmpdir(), "placewise-single-"));
  // A folder that a teacher may have.
  const path = join(folder, "Lesson 1 – positions #2.html");
  writeFileSync(path, page);
  /** The address of another page in the same folder. */
  const beside = (html) => {
    const other = join(folder, "page.html");
    writeFileSync(other, html);
    return pathToFileURL(other).href;
  };
  return { page, address: pathToFileURL(path).href, beside, remove: () => rmSync(folder, { recursive: true }) };
}
