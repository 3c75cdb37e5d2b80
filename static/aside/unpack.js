// In the one file everything is inside, packed: each file becomes a blob, and its address goes where the app looks
// addresses up. Only the edition of one file has this script.

async function unpack(element) {
  const packed = Uint8Array.from(atob(element.textContent), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const blob = new Blob([await new Response(stream).arrayBuffer()], { type: element.dataset.type });
  const href = URL.createObjectURL(blob);
  for (const name of element.dataset.names.split(" ")) {
    const link = Object.assign(document.createElement("link"), { rel: "x-asset", href });
    link.dataset.asset = name;
    // Before all others: the first of a name counts.
    document.head.prepend(link);
  }
  element.remove();
}

try {
  await Promise.all([...document.querySelectorAll("script[data-names]")].map(unpack));
  await import(document.querySelector("link[data-asset='boot.js']").href);
} catch {
  document.getElementById("unsupported").hidden = false;
}
