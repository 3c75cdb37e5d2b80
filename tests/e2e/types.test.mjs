// The types of the element, as they are on the site, in a page of TypeScript.

import assert from "node:assert/strict";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import ts from "typescript";
import { SITE } from "./help.mjs";

test("a page in TypeScript compiles with the element's types, and mistakes in it do not", async () => {
  const folder = await mkdtemp(join(tmpdir(), "placewise-types-"));
  try {
    const page = join(folder, "consumer.ts");
    await copyFile(new URL("consumer.ts", import.meta.url), page);
    await writeFile(join(folder, "embed.d.ts"), await (await fetch(`${SITE}embed.d.ts`)).text());
    const program = ts.createProgram([page], {
      strict: true,
      noEmit: true,
      noUnusedLocals: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
      types: [],
    });
    const found = ts.getPreEmitDiagnostics(program);
    const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => folder, getNewLine: () => "\n" };
    assert.equal(ts.formatDiagnostics(found, host), "");
    // It was the file of the site that was read.
    assert.ok(program.getSourceFiles().some(({ fileName }) => fileName.endsWith("/embed.d.ts")));
  } finally {
    await rm(folder, { recursive: true });
  }
});
