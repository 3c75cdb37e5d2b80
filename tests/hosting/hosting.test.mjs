// The configurations in hosting/, in the servers that they are for: what kind a file is of, how it is packed, how long it
// is kept, and what the page may do.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { free } from "../lib/port.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");
const policy = /CSP: &str = "([^;]*;(?:[^"\\]|\\\n\s*)*)"/.exec(readFileSync(join(ROOT, "crates/xtask/src/serve/mod.rs"), "utf8"))[1].replaceAll(/\\\n\s*/g, "");

const FILES = {
  "index.html": "<!doctype html>",
  "placewise.html": "<!doctype html>",
  "embed.js": "let a;",
  "sw.js": "let b;",
  "app.0123456789ab.js": "let c;",
  "app.0123456789ab.wasm": "\0asm",
  "icons/icon.0123456789ab.svg": "<svg/>",
  "placewise.0123456789ab.css": "a {}",
};

/** A folder as the build leaves it. */
function site() {
  const folder = mkdtempSync(join(tmpdir(), "placewise-host-"));
  for (const [name, content] of Object.entries(FILES)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content.repeat(40));
    writeFileSync(`${path}.gz`, gzipSync(content.repeat(40)));
    writeFileSync(`${path}.br`, brotliCompressSync(content.repeat(40)));
  }
  return folder;
}

/** The answer as it comes, packed as it is. */
const get = (port, path, encoding = "identity") =>
  new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path, headers: { "accept-encoding": encoding } }, (answer) => {
      answer.resume().on("end", () => resolve({ status: answer.statusCode, ...answer.headers }));
    });
    asked.on("error", reject).end();
  });

async function up(port, child) {
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  for (let i = 0; i < 200; i += 1) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${said}`);
    const answer = await get(port, "/").catch(() => null);
    if (answer) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`it does not answer: ${said}`);
}

const SERVERS = {
  nginx(program, folder, port) {
    const brotli = process.env.PLACEWISE_NGINX_BROTLI;
    let config = readFileSync(join(ROOT, "hosting/nginx.conf"), "utf8").replace("listen 80;", `listen 127.0.0.1:${port};`).replace("root /srv/placewise;", `root ${folder};`);
    if (brotli) config = config.replace("# brotli_static on;", "brotli_static on;");
    const work = mkdtempSync(join(tmpdir(), "placewise-nginx-"));
    writeFileSync(
      join(work, "nginx.conf"),
      `${process.getuid?.() === 0 ? "user root;" : ""} ${brotli ? `load_module ${brotli};` : ""} daemon off; master_process off; pid ${work}/pid; error_log stderr; events {} http { access_log off; ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${work}/${name};`).join(" ")} ${config} }`,
    );
    return spawn(program, ["-p", work, "-e", "stderr", "-c", join(work, "nginx.conf")], { stdio: ["ignore", "ignore", "pipe"] });
  },
  caddy(program, folder, port) {
    const work = mkdtempSync(join(tmpdir(), "placewise-caddy-"));
    const env = { ...process.env, HOME: work, XDG_DATA_HOME: work, XDG_CONFIG_HOME: work, PLACEWISE_ADDRESS: `http://127.0.0.1:${port}`, PLACEWISE_ROOT: folder };
    return spawn(program, ["run", "--adapter", "caddyfile", "--config", join(ROOT, "hosting/Caddyfile")], { env, stdio: ["ignore", "ignore", "pipe"] });
  },
};

for (const [name, start] of Object.entries(SERVERS)) {
  const program = process.env[`PLACEWISE_${name.toUpperCase()}`];
  describe(name, { skip: program ? false : `NOT TESTED: there is no ${name} on this machine` }, () => {
    let folder;
    let port;
    let child;
    before(async () => {
      folder = site();
      port = await free();
      child = start(program, folder, port);
      await up(port, child);
    });
    after(async () => {
      const ended = new Promise((resolve) => child.once("close", resolve));
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true });
    });

    test("kinds of files", async () => {
      const kinds = { "/": "text/html", "/embed.js": "text/javascript", "/app.0123456789ab.wasm": "application/wasm", "/icons/icon.0123456789ab.svg": "image/svg+xml", "/placewise.0123456789ab.css": "text/css" };
      for (const [path, kind] of Object.entries(kinds)) {
        const answer = await get(port, path);
        assert.deepEqual([answer.status, answer["content-type"]?.split(";")[0]], [200, kind], path);
        assert.equal(answer["x-content-type-options"], "nosniff", path);
      }
      assert.equal((await get(port, "/nothing")).status, 404);
    });

    test("files are packed as the reader can unpack them", async () => {
      const packed = name === "nginx" && !process.env.PLACEWISE_NGINX_BROTLI ? ["gzip"] : ["br", "gzip"];
      for (const path of ["/", "/app.0123456789ab.wasm", "/app.0123456789ab.js", "/embed.js"]) {
        for (const coding of packed) {
          const answer = await get(port, path, coding);
          assert.equal(answer["content-encoding"], coding, `${path} as ${coding}`);
          assert.match(answer.vary ?? "", /accept-encoding/i, path);
        }
        assert.equal((await get(port, path))["content-encoding"], undefined, path);
      }
      assert.equal((await get(port, "/app.0123456789ab.wasm", packed[0]))["content-type"], "application/wasm");
    });

    test("what carries its content in its name is kept, all else asked for anew", async () => {
      for (const path of ["/app.0123456789ab.wasm", "/app.0123456789ab.js", "/icons/icon.0123456789ab.svg"]) {
        assert.equal((await get(port, path))["cache-control"], "public, max-age=31536000, immutable", path);
      }
      for (const path of ["/", "/index.html", "/embed.js", "/sw.js", "/placewise.html"]) {
        assert.equal((await get(port, path))["cache-control"], "no-cache", path);
      }
    });

    test("policies", async () => {
      const page = await get(port, "/");
      assert.equal(page["content-security-policy"], policy, "as the page says it of itself");
      assert.equal((await get(port, "/placewise.html"))["content-security-policy"], undefined);
      assert.equal(page["x-frame-options"], undefined, "any page may show a figure");
      assert.equal(page["access-control-allow-origin"], "*");
      assert.equal(page["cross-origin-resource-policy"], "cross-origin");
      assert.equal(page["cross-origin-embedder-policy"], "require-corp");
      assert.equal(page["referrer-policy"], "no-referrer");
    });
  });
}

test("the workflow runs what there is, and uploads what the build writes", () => {
  const workflow = readFileSync(join(ROOT, ".github/workflows/pages.yml"), "utf8");
  const main = readFileSync(join(ROOT, "crates/xtask/src/main.rs"), "utf8");
  const commands = [...workflow.matchAll(/cargo xtask (\S+)/g)].map(([, command]) => command);
  assert.ok(commands.includes("build"));
  for (const command of commands) assert.ok(main.includes(`"${command}" =>`), command);
  assert.match(workflow, /path: dist\n/);
  assert.doesNotMatch(workflow, /\t/);
});
