// The module worker: loads lab's WebAssembly and passes messages on. The messages are described in src/protocol.rs:
//
//   to the worker    {kind: "init", script, module}   once and first: addresses of lab.js and its WebAssembly
//                    {kind: "run", id, text, file?, values?}    a request, e.g. "band?scheme=rope&length=1000000",
//                                                     and what it works on: a Blob, a Float32Array
//                    {kind: "cancel", id}             its answer is no longer wanted
//   from the worker  {kind: "ready"}
//                    {kind: "progress", id, done, total}
//                    {kind: "answer", id, names, arrays, notes, text}    arrays are Float32Arrays, transferred
//                    {kind: "cancelled", id}
//                    {kind: "failed", id, message}    id is null when the worker itself failed: it answers no more
//
// A request ends with exactly one of answer, cancelled and failed, unless the worker fails as a whole.

let lab;
let started = false;
let broken = false;
const early = [];

// Between two slices the messages that have come in meanwhile are read: a cancel among them.
const clock = new MessageChannel();
let ticking = false;

function post(message) {
  if (!message) return;
  const buffers = (message.arrays ?? []).map(({ buffer }) => buffer);
  postMessage(message, buffers);
}

function fail(error) {
  if (broken) return;
  broken = true;
  early.length = 0;
  post({ kind: "failed", id: null, message: String(globalThis.labPanic ?? error?.message ?? error) });
}

function tick() {
  if (ticking || broken || !lab.busy) return;
  ticking = true;
  clock.port2.postMessage(null);
}

clock.port1.onmessage = () => {
  ticking = false;
  if (broken) return;
  try {
    post(lab.step());
    tick();
  } catch (error) {
    // WebAssembly that has panicked is not to be called again.
    fail(error);
  }
};

async function init({ script, module }) {
  if (started) return;
  started = true;
  const { default: load, Lab } = await import(script);
  await load({ module_or_path: module });
  lab = new Lab();
  post({ kind: "ready" });
  for (const message of early.splice(0)) handle(message);
}

function handle(message) {
  const { kind, id, text, file, values } = message ?? {};
  if (kind === "init") {
    init(message).catch(fail);
  } else if (kind === "run" || kind === "cancel") {
    if (!Number.isInteger(id) || id < 0 || id > 0xffff_ffff) {
      fail(new Error(`a request whose id is no whole number: ${String(id)}`));
    } else if (!lab) {
      early.push(message);
    } else if (kind === "run") {
      post(lab.run(id, String(text), file, values));
      tick();
    } else {
      post(lab.cancel(id));
    }
  } else {
    fail(new Error(`a message of no known kind: ${String(kind)}`));
  }
}

addEventListener("message", ({ data }) => {
  if (broken) return;
  try {
    handle(data);
  } catch (error) {
    fail(error);
  }
});
addEventListener("error", (event) => fail(event.error ?? event.message));
addEventListener("unhandledrejection", ({ reason }) => fail(reason));
