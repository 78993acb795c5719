// Makes HTML or SVG elements from plain arguments, and morphs an old tree into a new one: it moves, and never blinks.

const SVG = new Set(["svg", "g", "path", "circle", "rect", "text"]);

// What a thing is (drawing/parts.py). A stored view may name no other class: it may come from a stranger.
const KINDS = new Set(["plain", "now", "done", "off", "wait", "gone"]);

export function h(tag, { kind, ...attributes } = {}, ...children) {
  const element = SVG.has(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value || value === 0 || value === "") element.setAttribute(name, value === true ? "" : value);
  }
  if (kind) element.classList.add(KINDS.has(kind) ? `k-${kind}` : "k-plain");
  element.append(...children.flat(Infinity).filter((child) => child || child === 0));
  return element;
}

// Whether the reader wants nothing to move.
export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

let count = 0;

export const unique = () => `lab-${(count += 1)}`; // an id, or the name of a group of radio buttons

// Give `old` the attributes and children of `now`. What stays keeps the keyboard's focus, and CSS animates what changes.
export function morph(old, now) {
  if (old.nodeName !== now.nodeName || old.dataset?.id !== now.dataset?.id) return old.replaceWith(now);
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== now.data) old.data = now.data;
    return undefined;
  }
  for (const { name } of [...old.attributes]) if (!now.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of [...now.attributes]) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const [olds, news] = [[...old.childNodes], [...now.childNodes]];
  news.forEach((child, i) => (i < olds.length ? morph(olds[i], child) : old.append(child)));
  return olds.slice(news.length).forEach((child) => child.remove());
}

// An arrow head whose point is here, and a curve to it that starts and ends vertically.
export const head = (x, y) => `M${x},${y}l-4,-8h8Z`;
export const bend = ([x0, y0], [x1, y1]) => `C${x0},${(y0 + y1) / 2} ${x1},${(y0 + y1) / 2} ${x1},${y1}`;

// Text with `code` in backticks, as elements; `write` makes them of each part.
export function marked(text, write = (part) => part) {
  return text.split("`").map((part, i) => (i % 2 ? h("code", {}, write(part)) : write(part)));
}

const pen = document.createElement("canvas").getContext("2d");

let family = "sans-serif"; // of the text in pictures

export function writeLike(element) {
  family = getComputedStyle(element).fontFamily || family;
}

export function textWidth(text, weight = "normal") {
  pen.font = `${weight} 13px ${family}`;
  return pen.measureText(text).width;
}

export function label(x, y, text, attributes) {
  return h("text", { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`, ...attributes }, text);
}
