// The first script: chooses the theme before anything is drawn, starts the app, and never leaves the page blank.

const root = document.documentElement;
const element = (id) => document.getElementById(id);
const embedded = location.hash.startsWith("#/embed");
const address = (name) => document.querySelector(`link[data-asset="${name}"]`).href;

// A module with one SIMD instruction: what the app is compiled to.
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

function chooseTheme() {
  let theme = /(?:^|[?&])theme=(light|dark|system)(?:&|$)/.exec(location.hash)?.[1]
    ?? new URLSearchParams(location.search).get("theme");
  if (!theme) {
    try {
      theme = localStorage.getItem("placewise.theme");
    } catch {
      // A browser that stores nothing follows the system.
    }
  }
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
}

function supported() {
  try {
    return typeof WebAssembly === "object" && WebAssembly.validate(SIMD);
  } catch {
    return false;
  }
}

// Shows what happened, the link that led to it, and the way back. The first message is the cause; later ones are its echo.
function recover(message) {
  const section = element("recovery");
  if (!section || !section.hidden) return;
  // What the app had drawn is dead. The text that was there before it still reads.
  if (!element("app").querySelector(".first-screen")) element("app").hidden = true;
  element("recovery-link").value = location.href;
  element("recovery-detail").textContent = String(message);
  element("recovery-reload").href = location.href;
  section.hidden = false;
  root.dataset.failed = "";
  element("recovery-title").focus();
}

// An error of the page's extensions is none of ours: only what comes out of WebAssembly ends the app.
function fromWasm(error) {
  if (typeof WebAssembly !== "object" || !(error instanceof Error)) return false;
  return error instanceof WebAssembly.RuntimeError || /wasm-function|\.wasm\b/.test(error.stack ?? "");
}

// A panic of the built app is a trap without words: where it was is all that can be told.
function told(error) {
  const place = /[^/\s(]*\.wasm:[^\s)]+/.exec(error.stack ?? "")?.[0];
  return place ? `${error} (${place})` : error;
}

// A scheme, figure, page or control of an embed that the module of the first screens does not have: src/schemes.rs and src/figures/mod.rs, held together by a test.
const LATER = /#\/+(learn|about)|#.embed.*controls=(?!none)|(figures|schemes)=([^&#]*,)?(?!(sinusoidal|rope|none|heatmap|offset)?([,&#]|$))/;
const plain = (link) => link.replace(/%(25)*(..)/g, (_, twice, code) => String.fromCharCode(`0x${code}`)).replace(/\(.*?\)/g, "");
const needsWhole = () => LATER.test(plain(location.search + location.hash));

// A script that could not be fetched would fail again under the same name.
let failures = 0;
// The answer to a request that was made before it was needed; false where it will not be.
let ahead;
const fetched = (name) => fetch(address(`${name}.wasm`));

async function start(name) {
  const whole = name === "whole";
  try {
    const [{ default: init }, wasm] = await Promise.all([
      import(address(`${name}.js`) + (failures ? `?${failures}` : "")),
      (whole && ahead) || fetched(name),
    ]);
    if (!wasm.ok) throw new Error(`${wasm.status} ${wasm.url}`);
    // Another link was followed while it was on its way.
    if (!whole && needsWhole()) return start("whole");
    if (whole) ahead = false;
    await init({ module_or_path: wasm });
  } catch (error) {
    failures += 1;
    if (whole) ahead = undefined;
    throw error;
  }
}

// Who goes to a list of schemes or to the switch of a figure may choose one that only the whole app has, and only that
// moves figures.
element("app").addEventListener("focusin", ({ target }) => {
  if (ahead !== undefined || !/^(scheme|figure|model|move|share)-/.test(target.id)) return;
  ahead = fetched("whole");
  ahead.catch(() => (ahead = undefined));
});

// A handle is taken when it is pressed, not when it is let go; not every browser gives a button the focus by that.
addEventListener("pointerdown", ({ target }) => {
  if (target.id?.startsWith("move-")) target.focus(), target.click();
});

// Nor by a click: a dialog gives it back, and what comes later finds its place by it.
addEventListener("click", ({ target }) => target.closest("button")?.focus(), true);

// A file that is dropped never takes the page's place. It waits for the board of the whole app, which is brought for it.
for (const type of ["dragover", "drop"]) {
  addEventListener(type, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    if (type === "dragover" || embedded) return;
    globalThis.placewiseDropped = event.dataTransfer.files[0];
    const opener = element("model-config");
    if (!opener) location.hash = "#/explore?figures=spectrum";
    // In the whole app it is no button, and the board has heard of the file.
    else if (opener.type) opener.click();
  });
}

// The app with everything, in place of the one of the first screens. Where that is gone already, nobody else can say what happened.
globalThis.placewiseWhole = () => start("whole").catch((error) => {
  if (!globalThis.placewiseLeave) recover(told(error));
  throw error;
});
globalThis.placewiseRecover = recover;
addEventListener("error", ({ error }) => fromWasm(error) && recover(told(error)));
addEventListener("unhandledrejection", ({ reason }) => fromWasm(reason) && recover(told(reason)));
element("recovery-link").addEventListener("focus", ({ target }) => target.select());
element("recovery-reload").addEventListener("click", (event) => {
  event.preventDefault();
  location.reload();
});

chooseTheme();
// At once in another page's frame, and otherwise when nothing of it can be in the way.
if (embedded) element("app").textContent = "";
setTimeout(() => import(address("aside.js")), embedded ? 0 : 5e3);
if (supported()) {
  start(needsWhole() ? "whole" : "app").catch((error) => recover(error?.message ?? error));
} else {
  element("unsupported").hidden = false;
}
