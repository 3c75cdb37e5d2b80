// A page of somebody else's, as TypeScript sees it: what `embed.d.ts` says of the element must let this pass, and must
// refuse what stands below each `@ts-expect-error`.

import type { PlacewiseChangeEvent, PlacewiseFigure } from "./embed";

// Found or made by its name, it is the element.
const found: PlacewiseFigure | null = document.querySelector("placewise-figure");
const figure = document.createElement("placewise-figure");
figure.set("#/explore?figures=offset&schemes=rope");
figure.link = figure.link.replace("rope", "alibi");
figure.title = "RoPE by offset";
document.body.append(figure, ...(found ? [found] : []));

// It tells what the reader made of it; the event bubbles.
figure.addEventListener("placewise-change", (event) => {
  const link: string = event.detail.link;
  figure.set(link);
});
const heard = (event: PlacewiseChangeEvent): string => event.detail.link;
document.body.addEventListener("placewise-change", heard);

// @ts-expect-error a link is a text
figure.set(7);
// @ts-expect-error there is nothing else that it can be told
figure.play();
// @ts-expect-error the event has a link and no address
figure.addEventListener("placewise-change", (event) => event.detail.href);
// @ts-expect-error no element has another name
const other: PlacewiseFigure = document.createElement("placewise-figures");
export { other };
