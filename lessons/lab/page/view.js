// A view: plain data in, a picture out. It draws what it holds at once, and asks Python, if it is there, for the rest.

import { refusal } from "./bounds.js";
import { chart } from "./chart.js";
import { controlsOf } from "./controls.js";
import { h, morph } from "./dom.js";
import { graph } from "./graph.js";
import { watch } from "./hands.js";
import { lanes } from "./lanes.js";
import { question, verdict } from "./question.js";
import { code, frame, fromPython, note, pixels, table } from "./text.js";

const DRAW = { __proto__: null, chart, code, frame, graph, lanes, note, pixels, table };
DRAW.stack = ({ parts }, width) => ({
  drawing: h("div", {}, parts.map((part) => [part.title && h("p", { class: "title" }, part.title), DRAW[part.type](part, width).drawing])),
});

const PATIENCE = 3000; // milliseconds that Python has to answer
const HINT = "Run this cell to let the controls reach every setting.";
const BUSY = "Python doesn't answer. If it isn't busy, run this cell again.";

// Draw `data` in `host`. `connect(model)` lets the view talk to Python; `dispose()` stops everything.
export function mount(host, data, words = "") {
  host.classList.add("lab-view");
  host.addEventListener("keydown", keepKey);
  const why = refusal({ ...data, words });
  if (why) data = { picture: refused(why) };
  if (data.kind === "quiz") data.questions.forEach((one) => question(host, one));
  if (data.kind === "verdict") verdict(host.appendChild(h("div")), data);
  if (data.picture) return new Explorer(host, data, words);
  return { connect() {}, dispose() {} };
}

// What is drawn instead of a picture that is too large.
const refused = (why) => ({ parts: [{ type: "note", lines: [why] }], words: why });

// JupyterLab uses arrow keys, Enter and Space itself. Inside a view, they belong to the view's controls.
function keepKey(event) {
  const runsCell = event.key === "Enter" && event.shiftKey;
  if (!runsCell && event.key !== "Escape" && !event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
}

// A picture is stored as its difference from the first one: by key or index, or as [part] where a whole part is new.
function patched(base, delta) {
  if (Array.isArray(delta)) return delta[0];
  const copy = Array.isArray(base) ? [...base] : { ...base };
  for (const [key, change] of Object.entries(delta)) copy[key] = patched(base[key], change);
  return copy;
}

// The item for which this is least; the first of equals.
const least = (items, size) => items.reduce((a, b) => (size(a) <= size(b) ? a : b));

// Controls above a picture; a still picture simply has none.
class Explorer {
  constructor(host, { controls = [], held = {}, state = {}, picture, live, wide, rows }, words) {
    host.classList.toggle("wide", Boolean(wide));
    Object.assign(this, { controls, words, first: state, state: { ...state }, shown: picture, isLive: false, drawn: [] });
    this.known = new Map(Object.entries(held).map(([key, delta]) => [key, () => patched(picture, delta)]));
    this.known.set(this.key(state), () => picture);
    this.parts = h("div", { class: "lab-parts" });
    this.spoken = h("p", { class: "lab-words", "aria-live": "polite" });
    this.hint = h("p", { class: "lab-hint" }, live === true ? HINT : live);
    this.panel = controlsOf(controls, (changes) => this.set(changes), () => this.set(state), rows);
    host.append(...(controls.length ? [this.panel.grid, this.hint] : []), this.parts, this.spoken);
    this.light = watch(host, this);
    this.answered = this.answered.bind(this);
    this.resized = new ResizeObserver(() => this.draw(this.shown));
    this.resized.observe(this.parts);
    this.panel.show(this.state, picture.controls);
    this.draw(picture);
  }

  key(state = this.state) {
    return JSON.stringify(this.controls.map(({ name }) => state[name]));
  }

  set(changes) {
    const wanted = { ...this.state, ...changes };
    [this.moved] = Object.keys(changes);
    this.state = this.isLive || this.known.has(this.key(wanted)) ? wanted : this.nearest(wanted, this.moved);
    if (this.known.has(this.key())) this.draw(this.known.get(this.key())());
    else this.ask();
    this.panel.show(this.state, this.shown.controls);
  }

  // Without Python: the stored setting that is nearest to the wanted one. All settings that differ in this control alone
  // form a group; the group that changes the other controls least is taken, and in it the closest value.
  nearest(wanted, name) {
    this.hint.classList.add("now");
    const [at, to] = [this.controls.findIndex((control) => control.name === name), wanted[name]];
    const groups = new Map();
    for (const key of [...this.known.keys()].map((text) => JSON.parse(text))) {
      const others = JSON.stringify(key.with(at, null));
      groups.set(others, [...(groups.get(others) ?? []), key]);
    }
    const isNumber = typeof to === "number";
    const usable = [...groups.values()].filter((group) => (isNumber ? group.length > 1 : group.some((key) => key[at] === to)));
    if (!usable.length) return this.state;
    const group = least(usable, ([key]) => this.distance(key.with(at, to), wanted));
    // A key moves on to the next stored value; what you drag stays near the pointer.
    const isDragged = this.parts.matches(".dragging") || this.panel.grid.querySelector(":active");
    const ahead = group.filter((key) => isNumber && (key[at] - this.state[name]) * (to - this.state[name]) > 0);
    const chosen = isNumber ? least(ahead.length && !isDragged ? ahead : group, (key) => Math.abs(key[at] - to)) : group.find((key) => key[at] === to);
    return Object.fromEntries(this.controls.map((control, i) => [control.name, chosen[i]]));
  }

  // How far a setting is from the wanted one: a different choice counts more than all sliders together.
  distance(key, wanted) {
    const away = ({ name, min, max }, i) => {
      if (key[i] === wanted[name]) return 0;
      return typeof key[i] === "number" ? Math.abs(key[i] - wanted[name]) / (max - min) : this.controls.length;
    };
    return this.controls.map(away).reduce((a, b) => a + b, 0);
  }

  ask() {
    if (this.timer) return; // the answer on its way will bring the next question
    this.timer = setTimeout(() => this.unanswered(), PATIENCE);
    this.model.set("state", { ...this.state, asked: Date.now() }); // the time, because an unchanged state isn't sent
    this.model.save_changes();
  }

  // Python has stopped, or is busy. Until it answers, the controls reach only what is stored.
  unanswered() {
    this.timer = null;
    this.setLive(false);
    this.hint.textContent = BUSY;
    const near = this.nearest(this.state, this.moved);
    this.set(this.known.has(this.key(near)) ? near : this.first);
  }

  setLive(isLive) {
    this.isLive = isLive;
    this.hint.classList.toggle("done", isLive);
  }

  answered() {
    const { of, ...picture } = this.model.get("answer");
    if (!of) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.setLive(true);
    picture.parts.forEach((part) => fromPython.add(part));
    this.known.set(JSON.stringify(of), () => picture);
    this.draw(this.known.get(this.key())?.() ?? picture);
    if (!this.known.has(this.key())) this.ask();
    this.panel.show(this.state, this.shown.controls);
  }

  draw(picture) {
    const why = refusal(picture);
    if (why) picture = refused(why);
    this.shown = picture;
    const words = picture.words ?? this.words;
    if (this.spoken.textContent !== words) this.spoken.textContent = words; // or it is read out again
    if (!this.parts.clientWidth) return; // out of sight: the observer draws it once it is visible
    while (this.parts.children.length > picture.parts.length) this.parts.lastChild.remove();
    picture.parts.forEach(({ type, basis = type === "note" ? 9999 : 700, grow = 1, reserve = 0 }, i) => {
      const figure = this.parts.children[i] ?? this.parts.appendChild(h("figure", { "data-part": i }));
      figure.style.flex = `${grow} 1 ${basis}px`;
      figure.style.minHeight = `${reserve}px`;
    });
    const least = picture.parts.map(({ basis = 260 }) => Math.min(basis, 260));
    const widths = [...this.parts.children].map((figure, i) => Math.max(Math.floor(figure.clientWidth), least[i]));
    this.drawn = picture.parts.map((part, i) => DRAW[part.type](part, widths[i]));
    this.drawn.forEach(({ drawing, lines }, i) => {
      const { title, type, y } = picture.parts[i];
      const name = h("span", { class: title ? "title" : "" }, title ?? y?.label);
      const head = (title || lines) && h("figcaption", {}, name, lines && h("output", {}));
      morph(this.parts.children[i], framed(this.parts.children[i], head, h("div", { class: `scroll ${type}` }, drawing)));
    });
    // Whatever scrolls must also be reachable by keyboard.
    for (const it of this.parts.querySelectorAll(".scroll")) {
      if (it.scrollWidth > it.clientWidth) it.setAttribute("tabindex", 0);
    }
    this.light();
  }

  connect(model) {
    this.model?.off("change:answer", this.answered);
    this.model = model;
    model.on("change:answer", this.answered);
    this.setLive(true);
  }

  dispose() {
    clearTimeout(this.timer);
    this.model?.off("change:answer", this.answered);
    this.resized.disconnect();
    this.panel.stop();
  }
}

// A figure like `old`, with new content.
function framed(old, ...content) {
  const figure = old.cloneNode(false);
  figure.append(...content.filter(Boolean));
  return figure;
}
