// Curves over two axes, with names at their ends, notes beside what they explain, and handles for the reader to drag.

import { h, label, textWidth } from "./dom.js";
import { scale, short, ticks } from "./scales.js";

const NAME_HEIGHT = 15; // pixels; where curves end close together, their names are pushed apart

export function chart(part, width) {
  const lines = part.lines ?? [];
  const marks = ticks(part.y);
  const named = lines.filter((line) => line.name);
  const room = Math.max(14, ...named.map((line) => textWidth(line.name, "bold") + 12));
  const isNarrow = !part.inset && room > width / 3; // if so, the names are above the curves
  const [left, right] = part.inset ?? [Math.max(0, ...marks.map((mark) => textWidth(short(mark)))) + 12, isNarrow ? 14 : room];
  const top = 10 + (isNarrow ? NAME_HEIGHT * named.length : 0);
  const height = (part.height ?? 240) + top - 10;
  const box = { left, right: width - right, top, bottom: height - 42 };
  const x = scale(part.x, box.left, box.right);
  const y = scale(part.y, box.bottom, box.top);
  const place = ([u, v]) => [x(u), y(v)];
  const inside = { x: box.left - 6, y: box.top - 6, width: box.right - box.left + 12, height: box.bottom - box.top + 12 };
  const drawing = h(
    "svg",
    { class: "lab-chart", width, height, tabindex: 0, role: "group", "aria-label": part.y.label },
    // In groups: what comes and goes in one leaves the others, and the keyboard's focus, where they are.
    [
      (part.bands ?? []).map((band) => bandOf(band, x, box)),
      marks.map((mark) => [
        h("path", { class: "grid", d: `M${box.left},${y(mark).toFixed(1)}H${box.right}` }),
        label(box.left - 8, y(mark) + 4, short(mark), { "text-anchor": "end" }),
      ]),
      axisBelow(part.x, x, box.bottom),
      (part.rules ?? []).map((rule) => ruleOf(rule, x, y, box)),
      h("svg", { ...inside, viewBox: Object.values(inside).join(" ") }, lines.map((line) => curve(line, place))),
      lines.map((line) => exit(line, place, box)),
      isNarrow ? legend(named, box) : names(named, place, box),
      (part.notes ?? []).map(({ at, text, anchor = "start", dx = 8, dy = -8, kind = "plain" }) =>
        label(x(at[0]) + dx, y(at[1]) + dy, text, { class: "note", kind, "text-anchor": anchor }),
      ),
      h("path", { class: "cursor" }),
      (part.handles ?? []).map((handle) => handleOf(handle, place(handle.at))),
    ].map((group) => h("g", {}, group)),
  );
  return { drawing, x, y, box, lines };
}

// The numbers and the name of an axis below a picture: all of its numbers, or as many as there is room for.
export function axisBelow(axis, x, bottom) {
  const overlap = (a, b) => x(b) - x(a) < (textWidth(short(a)) + textWidth(short(b))) / 2 + 6;
  let marks = ticks(axis);
  while (marks.some((mark, i) => i && overlap(marks[i - 1], mark))) marks = marks.filter((_, i) => i % 2 === 0);
  return [
    marks.map((mark) => label(x(mark), bottom + 18, short(mark), { "text-anchor": "middle" })),
    label((x(axis.min) + x(axis.max)) / 2, bottom + 36, axis.label, { "text-anchor": "middle" }),
  ];
}

export function handleOf({ control, name }, [x, y]) {
  return h(
    "g",
    { class: "lab-handle", "data-control": control, tabindex: 0, role: "slider", "aria-label": name, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
    h("circle", { r: 22, class: "reach" }),
    h("circle", { r: 9 }),
    h("path", { d: "M-3,-4L-6,0L-3,4M3,-4L6,0L3,4" }),
  );
}

function curve({ points, kind = "plain", dots, steps, thin }, place) {
  const places = points.map((point) => (point[1] === null ? null : place(point).map((v) => Number(v.toFixed(1)))));
  let path = "";
  places.forEach((now, i) => {
    if (!now) return;
    const before = places[i - 1];
    if (!before) path += `M${now}`;
    else path += jumps(steps, i) ? `H${now[0]}V${now[1]}` : `L${now}`;
  });
  return h(
    "g",
    { class: thin ? "curve thin" : "curve", kind },
    h("path", { d: path || "M0,0" }),
    dots && places.filter(Boolean).map(([cx, cy]) => h("circle", { cx, cy, r: 3.5 })),
  );
}

// Whether a curve jumps to its point `i`: `steps` is true for all points, or lists some.
const jumps = (steps, i) => steps === true || (Array.isArray(steps) && steps.includes(i));

// A triangle where a curve first leaves the chart.
function exit({ points, kind = "plain", steps }, place, { left, right, top, bottom }) {
  const places = points.filter((point) => point[1] !== null).map(place);
  const isOut = ([x, y]) => y < top - 1 || y > bottom + 1 || x < left - 1 || x > right + 1;
  const out = places.findIndex(isOut);
  if (out < 1) return null;
  const [[before, y0], [x1, y1]] = [places[out - 1], places[out]];
  const x0 = jumps(steps, out) ? x1 : before;
  const ways = [[top, y0, y1], [bottom, y0, y1], [left, x0, x1], [right, x0, x1]]
    .map(([edge, from, to]) => (edge - from) / (to - from))
    .filter((way) => way > 1e-9 && way <= 1);
  const way = Math.min(1, ...ways);
  const angle = (Math.atan2(y1 - y0, x1 - x0) * 180) / Math.PI;
  const at = `translate(${(x0 + way * (x1 - x0)).toFixed(1)} ${(y0 + way * (y1 - y0)).toFixed(1)}) rotate(${angle.toFixed(0)})`;
  return h("path", { class: "exit", kind, d: "M6,0L-4,-5V5Z", transform: at });
}

function names(named, place, { right, top, bottom }) {
  const ends = named
    .map(({ name, kind, points }) => {
      const last = points.filter((point) => point[1] !== null).at(-1);
      return { name, kind, y: last ? Math.min(Math.max(place(last)[1], top), bottom) : bottom };
    })
    .sort((a, b) => a.y - b.y);
  ends.forEach((end, i) => {
    if (i) end.y = Math.max(end.y, ends[i - 1].y + NAME_HEIGHT);
  });
  ends.reduceRight((low, end) => (end.y = Math.min(end.y, low)) - NAME_HEIGHT, bottom);
  return ends.map(({ name, kind = "plain", y }) => label(right + 8, y + 4, name, { class: "name", kind }));
}

function legend(named, { left, top }) {
  const first = top - NAME_HEIGHT * named.length;
  return named.map(({ name, kind = "plain" }, i) => label(left, first + NAME_HEIGHT * i, name, { class: "name", kind }));
}

function ruleOf({ x: u, y: v, label: text, kind = "plain", low }, x, y, { left, right, top, bottom }) {
  const d = u === undefined ? `M${left},${y(v)}H${right}` : `M${x(u)},${top}V${bottom}`;
  const near = u !== undefined && x(u) > (left + right) / 2; // if so, its words are to the left of it
  const at = u === undefined ? [left + 6, y(v) - 5] : [x(u) + (near ? -6 : 6), low ? bottom - 8 : top + 12];
  return [
    h("path", { class: "rule", kind, d }),
    text && label(...at, text, { class: "note", kind, "text-anchor": near ? "end" : "start" }),
  ];
}

function bandOf({ from, to, kind = "plain", label: text }, x, { top, bottom }) {
  const width = Math.max(0, x(to) - x(from));
  return [
    h("rect", { class: "band", kind, x: x(from), y: top, width, height: bottom - top }),
    text && textWidth(text) + 10 < width && label(x(from) + width / 2, top + 16, text, { class: "note", "text-anchor": "middle" }),
  ];
}
