// <placewise-figure link="…">: a live figure of Placewise in any page. Not a library: this one file, no dependency.
//
// Attributes: link (any link of Placewise), theme ("light" or "dark"; otherwise what the page around looks like),
// title (what the frame is called), height (in CSS pixels, until the figure tells its own). Event: placewise-change, with
// detail.link. Method: set(link). What is inside the element is shown where the figure cannot be.

const VERSION = 1;
const HOME = new URL("./", document.currentScript?.src ?? [...document.scripts].find(({ src }) => /\/embed\.js(\?|$)/.test(src)).src);
const ORIGIN = HOME.origin === "null" ? "*" : HOME.origin;
/** How far off the window a figure begins to load. */
const NEAR = "800px";
/** A figure that has said nothing after this long, in milliseconds, will not come. */
const PATIENCE = 30_000;
/** Higher than any board of figures, in CSS pixels. */
const HIGHEST = 20_000;

const sheet = new CSSStyleSheet();
sheet.replaceSync(":host{display:block}:host([hidden]){display:none}iframe{display:block;width:100%;border:0}");

/** Whether text of this colour stands on a dark ground. */
function isLight(colour) {
  const [a, b, c] = colour.match(/(?<![\w-])[\d.]+/g).map(Number);
  // The lightness comes first in lab() and its like; color() goes to 1, rgb() to 255.
  const light = /^(ok)?l/.test(colour) ? a : 0.3 * a + 0.6 * b + 0.1 * c;
  return light > (colour[0] === "l" ? 60 : colour[0] === "r" ? 127 : 0.5);
}

/** All that are on the page. */
const figures = new Set();
const looks = new MutationObserver(dress);
function dress() {
  for (const figure of figures) figure.dress();
}

class PlacewiseFigure extends HTMLElement {
  static observedAttributes = ["link", "theme", "title"];
  static version = VERSION;

  #frame;
  #link = "#/embed";
  #ready;
  #near = new IntersectionObserver((seen) => seen.some((entry) => entry.isIntersecting) && this.#load(), { rootMargin: NEAR });

  get link() {
    return this.#link;
  }

  set link(link) {
    this.setAttribute("link", link);
  }

  /** Shows another link. */
  set(link) {
    // Of whatever is given only the query of its fragment counts: no other address is ever opened.
    const fragment = String(link).replace(/^[^#]*#/, "");
    this.#link = fragment.includes("=") ? fragment.replace(/^([^?=]*\?)?/, "#/embed?") : "#/embed";
    if (this.#ready) this.#say({ type: "set", link: this.#link });
  }

  connectedCallback() {
    if (!this.shadowRoot) this.attachShadow({ mode: "open" }).adoptedStyleSheets = [sheet];
    this.#place();
    this.#near.observe(this);
    figures.add(this);
    // Pages change their looks by a class, by an attribute, with the system, and slowly.
    for (const element of [document.documentElement, document.body]) looks.observe(element, { attributes: true });
  }

  disconnectedCallback() {
    this.#near.disconnect();
    figures.delete(this);
  }

  attributeChangedCallback(name, _, value) {
    if (name === "link") this.set(value ?? "");
    else if (name === "theme") this.dress();
    else if (this.#frame && value) this.#frame.title = value;
  }

  /** The place of the frame, so that nothing moves when it comes. One that is put back begins anew, with what was set. */
  #place() {
    const frame = (this.#frame = document.createElement("iframe"));
    frame.style.height = `${parseInt(this.getAttribute("height")) || 480}px`;
    frame.title = this.title || "Placewise";
    // Its name, which says how the page looks, counts when it is put in.
    this.dress();
    this.shadowRoot.replaceChildren(frame);
    this.#ready = false;
  }

  #load() {
    const frame = this.#frame;
    this.#near.disconnect();
    frame.style.opacity = 0;
    // Its address is set while it is out of the page: where a frame in the page is given one, Firefox ESR 140 counts a
    // step, and the reader's Back stays on the page.
    frame.remove();
    frame.src = HOME.href + this.#link;
    this.shadowRoot.append(frame);
    setTimeout(() => frame.style.opacity && frame.replaceWith(document.createElement("slot")), PATIENCE);
  }

  /** As the page around looks now. */
  dress() {
    const frame = this.#frame;
    if (!frame) return;
    const own = /[?&]theme=(light|dark)/.exec(this.#link)?.[1] ?? this.getAttribute("theme");
    const theme = /^(light|dark)$/.test(own) ? own : isLight(getComputedStyle(this).color) ? "dark" : "light";
    if (frame.style.colorScheme === theme) return;
    // A frame is transparent where its colour scheme is that of the page in it.
    frame.style.colorScheme = theme;
    frame.name = `placewise:${theme}`;
    this.#say({ type: "theme", theme });
  }

  #say(message) {
    if (this.#frame.src) this.#frame.contentWindow.postMessage({ placewise: VERSION, ...message }, ORIGIN);
  }

  /** A message to the page. */
  hear({ source, origin, data }) {
    const frame = this.#frame;
    if (source !== frame.contentWindow || origin !== HOME.origin || data?.placewise !== VERSION) return;
    const { type, height, title, link } = data;
    if (type === "here") {
      this.#say({ type: "hello" });
    } else if (type === "height" && height > 0) {
      frame.style.height = `${Math.min(height, HIGHEST)}px`;
      frame.style.opacity = "";
    } else if (type === "ready") {
      if (!this.title) frame.title = String(title);
      this.#ready = true;
      // What was set before there was anybody to hear it.
      if (link !== this.#link) this.set(this.#link);
    } else if (type === "change" && /^#\/embed(\?|$)/.test(link)) {
      this.#link = link;
      this.dispatchEvent(new CustomEvent("placewise-change", { bubbles: true, composed: true, detail: { link } }));
    }
  }
}

if (!customElements.get("placewise-figure")) {
  customElements.define("placewise-figure", PlacewiseFigure);
  addEventListener("message", (event) => {
    for (const figure of figures) figure.hear(event);
  });
  addEventListener("transitionend", dress);
  matchMedia("(prefers-color-scheme: dark)").onchange = dress;
}
