// Rows over one axis, usually time or the step: bars that last, marks at one place, and links between rows.

import { axisBelow, handleOf } from "./chart.js";
import { h, label, textWidth } from "./dom.js";
import { scale, ticks } from "./scales.js";

const SHAPES = {
  dot: "M-4,0a4,4 0 1 0 8,0a4,4 0 1 0 -8,0Z",
  ring: "M-4,0a4,4 0 1 0 8,0a4,4 0 1 0 -8,0Z",
  cross: "M-5,-5L5,5M-5,5L5,-5",
  tick: "M0,-8V8",
};

export function lanes(part, width) {
  const row = part.row ?? 36;
  const own = Math.max(12, ...part.rows.map(({ name }) => textWidth(name ?? "") + 14));
  const [left, right] = part.inset ?? [own, 20];
  const bottom = row * part.rows.length + 8;
  const x = scale(part.x, left, width - right);
  const middle = (number) => row * (number + 0.5) + 4;
  const drawing = h(
    "svg",
    { class: "lab-lanes", width, height: bottom + 44, role: "group", "aria-label": part.x.label },
    ticks(part.x).map((mark) => h("path", { class: "grid", d: `M${x(mark).toFixed(1)},4V${bottom}` })),
    axisBelow(part.x, x, bottom),
    part.rows.map(({ name, bars = [], marks = [] }, number) => [
      name && label(left - 12, middle(number) + 4, name, { "text-anchor": "end" }),
      bars.map((bar) => barOf(bar, x, middle(number))),
      marks.map((mark) => markOf(mark, x, middle(number))),
    ]),
    (part.links ?? []).map(({ from, to, label: text, kind = "plain" }) => {
      const [[x0, y0], [x1, y1]] = [from, to].map(([number, at, lift = 0]) => [x(at), middle(number) + lift]);
      const bend = (y0 + y1) / 2;
      return [
        h("path", { class: `edge k-${kind}`, d: `M${x0},${y0 + 14}C${x0},${bend} ${x1},${bend} ${x1},${y1 - 14}` }),
        h("path", { class: `head k-${kind}`, d: `M${x1},${y1 - 7}l-4,-8h8Z` }),
        text && noteBeside((x0 + x1) / 2, bend + 4, text, width),
      ];
    }),
    (part.handles ?? []).map((handle) => handleOf(handle, [x(handle.at), middle(handle.row) + (handle.lift ?? 0)])),
  );
  return { drawing, x };
}

// Words beside a link, on the side where there is room.
function noteBeside(x, y, text, width) {
  const fits = x + 12 + textWidth(text) < width;
  return label(fits ? x + 8 : x - 8, y, text, { class: "note", "text-anchor": fits ? "start" : "end" });
}

function barOf({ from, to, kind = "plain", label: text, thin }, x, y) {
  const [height, width] = [thin ? 4 : 16, Math.max(x(to) - x(from), 2)];
  return [
    h("rect", { class: `bar k-${kind}`, x: x(from), y: y - height / 2, width, height, rx: 2 }),
    text && label(x(from) + width / 2, y + 4, text, { class: "note", "text-anchor": "middle" }),
  ];
}

function markOf({ at, shape = "dot", kind = "plain", label: text, name, lift = 0, key }, x, y) {
  const place = `translate(${x(at).toFixed(1)} ${(y + lift).toFixed(1)})`;
  if (shape === "box") {
    const half = textWidth(text) / 2 + 6;
    return h(
      "g",
      { class: `node k-${kind}`, transform: place, "data-key": key },
      h("rect", { x: -half, y: -11, width: 2 * half, height: 22, rx: 4 }),
      h("text", { y: 4, "text-anchor": "middle" }, text),
    );
  }
  return [
    h("path", { class: `mark ${shape} k-${kind}`, d: SHAPES[shape], transform: place, "data-key": key }, name && h("title", {}, name)),
    text && label(x(at), y + lift - 10, text, { class: "note", "text-anchor": "middle" }),
  ];
}
