// Many points as a picture: where more of them lie on one place, it is darker.

import { h } from "../../dom";
import type { Scale } from "../../scale";

function rgb(color: string): [number, number, number] {
  const probe = h("canvas", { width: 1, height: 1 }).getContext("2d");
  if (!probe) return [0, 0, 0];
  probe.fillStyle = color;
  probe.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0] = probe.getImageData(0, 0, 1, 1).data;
  return [r, g, b];
}

/** A canvas that lies over the frame of the chart, with one dot a point. */
export function cloud(
  xs: Float64Array, ys: Float64Array, x: Scale, y: Scale, frame: { left: number; right: number; top: number; bottom: number },
): HTMLCanvasElement {
  const ratio = Math.min(2, devicePixelRatio || 1);
  const width = Math.round((frame.right - frame.left) * ratio);
  const height = Math.round((frame.bottom - frame.top) * ratio);
  const canvas = h("canvas", { width, height, "aria-hidden": "true", class: "cloud" });
  Object.assign(canvas.style, { left: `${frame.left}px`, top: `${frame.top}px`, width: `${width / ratio}px`, height: `${height / ratio}px` });
  const context = canvas.getContext("2d");
  if (!context || width < 1 || height < 1) return canvas;
  // Few points are big and plain, many are small and faint.
  const radius = Math.round((xs.length < 3000 ? 2.5 : xs.length < 30_000 ? 1.5 : 1) * ratio);
  const each = xs.length < 300 ? 0.8 : xs.length < 3000 ? 0.5 : xs.length < 30_000 ? 0.3 : 0.16;
  const dot: number[] = [];
  for (let dy = -radius; dy <= radius; dy++) {
    for (let dx = -radius; dx <= radius; dx++) if (dx * dx + dy * dy <= radius * radius + 0.5) dot.push(dy * width + dx);
  }
  const light = new Float32Array(width * height).fill(1);
  const [x0] = x.range;
  const [, y1] = y.range;
  for (let i = 0; i < xs.length; i++) {
    const px = Math.round((x(xs[i] as number) - x0) * ratio);
    const py = Math.round((y(ys[i] as number) - y1) * ratio);
    if (!(px >= radius && px < width - radius && py >= radius && py < height - radius)) continue;
    const at = py * width + px;
    for (const step of dot) light[at + step] = (light[at + step] as number) * (1 - each);
  }
  const [r, g, b] = rgb(getComputedStyle(document.documentElement).getPropertyValue("--c1").trim());
  const image = context.createImageData(width, height);
  for (let i = 0; i < light.length; i++) {
    const shade = light[i] as number;
    if (shade === 1) continue;
    image.data[4 * i] = r;
    image.data[4 * i + 1] = g;
    image.data[4 * i + 2] = b;
    image.data[4 * i + 3] = 255 * (1 - shade);
  }
  context.putImageData(image, 0, 0);
  return canvas;
}
