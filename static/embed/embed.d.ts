/** `<placewise-figure link="…">`, defined by `embed.js`. */
export interface PlacewiseFigure extends HTMLElement {
  /** What is shown: a link's part from `#/embed` on. Any link of Placewise can be set. */
  link: string;
  /** Shows another link. */
  set(link: string): void;
}

/** The reader changed something: `detail.link` is what is shown now, from `#/embed` on. */
export type PlacewiseChangeEvent = CustomEvent<{ link: string }>;

declare global {
  interface HTMLElementTagNameMap {
    "placewise-figure": PlacewiseFigure;
  }

  interface HTMLElementEventMap {
    "placewise-change": PlacewiseChangeEvent;
  }
}
