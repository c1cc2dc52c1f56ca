// A box that scrolls sideways where its table is too wide, by keyboard too.

import { type Child, h } from "./dom";
import { visible } from "./text";

export function scrolling(label: string, ...children: Child[]): HTMLElement {
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": visible(label) }, ...children);
}
