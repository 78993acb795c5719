// What you read line by line (programs, tables, notes), framed pages, and rows of small pictures made of numbers.

import { h, marked } from "./dom.js";

export function code({ lines, linked, wrap }) {
  const first = lines.findIndex(({ key }) => key); // the Tab key stops here, and arrow keys move on from here
  const rows = lines.map(({ text, kind = "plain", note, key }, i) =>
    h(
      "div",
      { class: "line", kind, "data-key": key, tabindex: linked && key ? (i === first ? 0 : -1) : null },
      wrap ? wrapped(text) : h("code", {}, text || " "),
      note && h("span", { class: "note" }, note),
    ),
  );
  return { drawing: h("div", { class: wrap ? "lab-code wrap" : "lab-code", tabindex: linked ? null : 0, role: "group", "aria-label": "program" }, rows) };
}

// A long line goes on deeper than its beginning, and never breaks between its indent and its first letter.
function wrapped(text) {
  const indent = text.search(/\S|$/);
  return h("code", { style: `--in: ${Math.min(40, indent)}ch` }, h("span", {}, text.slice(0, indent + 1) || " "), text.slice(indent + 1));
}

export function table({ head, rows, groups, widths = [] }) {
  const all = widths.reduce((sum, width) => sum + Number(width), 0);
  const cell = (tag) => (value) => {
    const { text, kind, span, key } = typeof value === "object" ? value : { text: value };
    return h(tag, { kind, colspan: span, "data-key": key, scope: tag === "th" && "col" }, marked(String(text), breaking));
  };
  const line = (cells, tag) => h("tr", {}, cells.map(cell(tag)));
  return {
    drawing: h(
      "table",
      { class: "lab-table", style: `min-width: ${all}px` },
      h("colgroup", {}, widths.map((width) => h("col", { style: `width: ${Number(width)}px; --share: ${(100 * width) / all}%` }))),
      (groups || head) && h("thead", {}, groups && line(groups, "th"), head && line(head, "th")),
      h("tbody", {}, rows.map((row) => line(row, "td"))),
    ),
  };
}

// A name may break after an underscore.
const breaking = (text) => text.split(/(_)/).map((part) => (part === "_" ? [part, h("wbr")] : part));

export function note({ lines, kind = "plain" }) {
  return { drawing: h("div", { class: "lab-note", kind }, lines.map((line) => h("p", {}, marked(line)))) };
}

export const fromPython = new WeakSet(); // parts that a live kernel has just sent: only they may open a page

// A page that a lesson serves. No other address is drawn, because a notebook may come from anywhere.
export function frame(part) {
  const { src, name, link } = part;
  if (!fromPython.has(part) || !/^http:\/\/127\.0\.0\.1:\d+\/$/.test(src)) return { drawing: h("p", {}, name) };
  const page = h("iframe", { src, title: name, class: "lab-frame" });
  return { drawing: h("div", {}, h("a", { href: src, target: "_blank", rel: "noopener" }, link), page) };
}

// Numbers from -1 to 1, one byte each: blue above 0, orange below, and paler the closer they are to 0.
export function pixels({ images, side, size }) {
  return {
    drawing: h(
      "div",
      { class: "lab-pixels" },
      images.map(({ data, label }) =>
        h("figure", {}, h("img", { src: painted(data, side), width: size, height: size, alt: label }), h("figcaption", {}, label)),
      ),
    ),
  };
}

function painted(data, side) {
  const canvas = Object.assign(document.createElement("canvas"), { width: side, height: side });
  const picture = new ImageData(side, side);
  [...atob(data)].forEach((letter, i) => {
    const value = (letter.charCodeAt(0) << 24) >> 24; // a signed byte
    picture.data.set([...(value < 0 ? [213, 94, 0] : [0, 114, 178]), Math.min(255, 2 * Math.abs(value))], 4 * i);
  });
  canvas.getContext("2d").putImageData(picture, 0, 0);
  return canvas.toDataURL();
}
