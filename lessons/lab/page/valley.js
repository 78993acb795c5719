// The toy's right side: the loss over w, a parabola, with the ball, where it has been, and an axis that zooms out.

import { h, label, textWidth } from "./dom.js";

const [ROOF, FLOOR] = [14, 34]; // pixels above the parabola's ends, and below its lowest point
const LARGEST = 0.82; // of the frames, as a share of the picture
const NAMES = [[9, "billion"], [6, "million"]];

// `zoom` counts the decades that the picture has zoomed out, `force` says how violently it does so.
export function valley({ w, tail, been, zoom, force }, { width, height, near, clock }) {
  const reach = near * 10 ** zoom;
  const base = height - FLOOR;
  const part = (value) => (value - 1) / reach; // from -1 to 1 in the picture
  const x = (u) => (width / 2) * (1 + u);
  const y = (u) => base - (base - ROOF) * u * u; // the loss zooms out as well, by the square: the parabola stays as it is
  const on = (value) => [far(x(part(value)), width), far(y(part(value)), height)];
  const path = been.map((one) => on(one.w));
  const shake = `translate(${(7 * force * Math.sin(clock / 13)).toFixed(1)} ${(6 * force * Math.cos(clock / 9)).toFixed(1)})`;
  return h(
    "svg",
    { width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    h(
      "g",
      { transform: shake },
      h("path", { class: "floor", d: `M-20,${base}H${width + 20}` }),
      h("g", {}, marksOf(reach).map((mark) => markOf(mark, part(mark), x, base))),
      h("g", { class: "goal" }, h("path", { d: `M${width / 2},${base}V${base + 7}` }), label(width / 2, base + 23, "1", { "text-anchor": "middle" })),
      h("g", {}, force ? shrinking(zoom).map((u) => frameOf(u, x, y, base)) : []),
      h("path", { class: "bowl", d: bowl(-1.1, 1.1, x, y) }),
      h("path", { class: "legs", d: `M${[...path, on(w)].map(([u, v]) => `${u.toFixed(1)},${v.toFixed(1)}`).join("L")}` }),
      h("path", { class: "streak", d: tail === null ? "M0,0" : bowl(part(tail), part(w), x, y) }),
      h("g", { class: "been" }, path.map(([cx, cy]) => h("circle", { cx: cx.toFixed(1), cy: cy.toFixed(1), r: 3.5 }))),
      ballAt(on(w)),
    ),
  );
}

const far = (pixel, size) => Math.min(Math.max(pixel, -20 * size), 21 * size);

// The parabola between two parts of the picture: its tangents meet at the control point of a quadratic curve.
function bowl(from, to, x, y) {
  const [a, b] = [Math.min(Math.max(from, -3), 3), Math.min(Math.max(to, -3), 3)];
  const middle = y(0) - (y(0) - y(1)) * a * b;
  return `M${x(a).toFixed(1)},${y(a).toFixed(1)}Q${x((a + b) / 2).toFixed(1)},${middle.toFixed(1)} ${x(b).toFixed(1)},${y(b).toFixed(1)}`;
}

// While the picture zooms out, frames around what it showed before shrink away, from below the number to 0.
const shrinking = (zoom) => [0, 1, 2, 3, 4, 5, 6, 7, 8].map((power) => 10 ** (power - zoom)).filter((u) => u > 0.03 && u < LARGEST);

function frameOf(u, x, y, base) {
  const shown = Math.min((u - 0.03) / 0.1, (LARGEST - u) / 0.1, 1);
  return h("rect", { class: "before", x: x(-u).toFixed(1), y: y(u).toFixed(1), width: (x(u) - x(-u)).toFixed(1), height: (base - y(u)).toFixed(1), opacity: shown.toFixed(2) });
}

// The numbers to mark: near 1, and then one and two times each power of ten that is neither too close nor too far.
function marksOf(reach) {
  const power = Math.floor(Math.log10(reach));
  const tens = [power - 1, power].filter((n) => n > 0).map((n) => 10 ** n);
  const marks = tens.flatMap((ten) => [-2 * ten, -ten, ten, 2 * ten]);
  return reach < 25 ? [-1, 0, 2, 3, ...marks] : marks;
}

function markOf(mark, u, x, base) {
  const shown = Math.min(Math.max((Math.abs(u) - 0.16) / 0.14, 0), 1) * Math.min(Math.max((0.93 - Math.abs(u)) / 0.05, 0), 1);
  if (!shown) return null;
  const name = named(mark);
  const isRoomy = textWidth(name) + 12 < Math.abs(x(2 * u) - x(u)); // the next mark is twice as far away
  return h(
    "g",
    { opacity: shown.toFixed(2) },
    h("path", { class: "grid", d: `M${x(u).toFixed(1)},0V${base}` }),
    (isRoomy || /^−?2/.test(name)) && label(x(u), base + 23, name, { "text-anchor": "middle" }),
  );
}

function named(value) {
  const [sign, size] = [value < 0 ? "−" : "", Math.abs(value)];
  const [power, name] = NAMES.find(([n]) => size >= 10 ** n) ?? [0, ""];
  return `${sign}${(size / 10 ** power).toLocaleString("en")}${name && `\u00a0${name}`}`;
}

// The ball rests on the parabola.
function ballAt([x, y]) {
  return h("circle", { class: "ball", cx: x.toFixed(1), cy: (y - 3).toFixed(1), r: 9 });
}
