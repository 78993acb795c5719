// Rows over one axis, usually time or the step: bars from place to place, marks at one place, and links between rows.
//
// A row is {name, bars: [{from, to, kind, label, thin}], marks: [{at, shape, kind, label, lift, thin}]}. A mark's shape is "dot",
// "cross", "tick", "box", or "text" for a label alone. A link goes from [row, at] to [row, at]; a third number is a lift.
// `row` is a row's height, and `lift` is in pixels, downwards.

import { axisBelow, handleOf } from "./chart.js";
import { bend, h, head, label, textWidth } from "./dom.js";
import { scale, ticks } from "./scales.js";

const SHAPES = {
  __proto__: null,
  dot: "M-4,0a4,4 0 1 0 8,0a4,4 0 1 0 -8,0Z",
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
    // In groups: one more bar in a row leaves all other rows, and the keyboard's focus, where they are.
    part.rows.map(({ name, bars = [], marks = [] }, number) => [
      h("g", {}, name && label(left - 12, middle(number) + 4, name, { "text-anchor": "end" })),
      h("g", {}, bars.map((bar) => barOf(bar, x, middle(number)))),
      h("g", {}, marks.map((mark) => markOf(mark, x, middle(number)))),
    ]),
    h("g", {}, (part.links ?? []).map((link) => linkOf(link, ([number, at, lift = 0]) => [x(at), middle(number) + lift], width))),
    (part.handles ?? []).map((handle) => handleOf(handle, [x(handle.at), middle(handle.row) + (handle.lift ?? 0)])),
  );
  return { drawing, x };
}

function linkOf({ from, to, label: text, kind = "plain" }, place, width) {
  const [[x0, y0], [x1, y1]] = [place(from), place(to)];
  return [
    h("path", { class: "edge", kind, d: `M${x0},${y0 + 14}${bend([x0, y0 + 14], [x1, y1 - 14])}` }),
    h("path", { class: "head", kind, d: head(x1, y1 - 7) }),
    text && noteBeside((x0 + x1) / 2, (y0 + y1) / 2 + 4, text, width),
  ];
}

// Words beside a link, on the side where there is room.
function noteBeside(x, y, text, width) {
  const fits = x + 12 + textWidth(text) < width;
  return label(fits ? x + 8 : x - 8, y, text, { class: "note", "text-anchor": fits ? "start" : "end" });
}

function barOf({ from, to, kind = "plain", label: text, thin }, x, y) {
  const [height, width] = [thin ? 4 : 16, Math.max(x(to) - x(from), 2)];
  return h(
    "g",
    {},
    h("rect", { class: "bar", kind, x: x(from), y: y - height / 2, width, height, rx: 2 }),
    text && label(x(from) + width / 2, y + 4, text, { class: "note", "text-anchor": "middle" }),
  );
}

function markOf({ at, shape = "dot", kind = "plain", label: text, lift = 0, thin }, x, y) {
  const place = `translate(${x(at).toFixed(1)} ${(y + lift).toFixed(1)})`;
  if (shape === "box") {
    const half = textWidth(text) / 2 + (thin ? 1.5 : 6);
    return h(
      "g",
      { class: "node", kind, transform: place },
      h("rect", { x: -half, y: -11, width: 2 * half, height: 22, rx: 4 }),
      h("text", { y: 4, "text-anchor": "middle" }, text),
    );
  }
  return h(
    "g",
    {},
    SHAPES[shape] && h("path", { class: `mark ${shape}`, kind, d: SHAPES[shape], transform: place }),
    text && label(x(at), y + lift - 10, text, { class: "note", "text-anchor": "middle" }),
  );
}
