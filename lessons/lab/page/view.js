// A view: plain data in, a picture out. With controls, a rule computes the picture from their values, here in the page.

import { beats } from "./beats.js";
import { refusal } from "./bounds.js";
import { cards } from "./cards.js";
import { board } from "./case.js";
import { chart } from "./chart.js";
import { controlsOf } from "./controls.js";
import { h, morph, writeLike } from "./dom.js";
import { graph } from "./graph.js";
import { watch } from "./hands.js";
import { lanes } from "./lanes.js";
import { Linked } from "./linked.js";
import { question, tally, verdict } from "./question.js";
import { calls } from "./rules/calls.js";
import { checkpoints } from "./rules/checkpoints.js";
import { decay, schedules } from "./rules/decay.js";
import { descent } from "./rules/descent.js";
import { orders } from "./rules/orders.js";
import { smoothing } from "./rules/smoothing.js";
import { stored } from "./rules/stored.js";
import { workers } from "./rules/workers.js";
import { first, tidied } from "./scales.js";
import { bringInSight, keepInSight, markSides } from "./sight.js";
import { steered } from "./steer.js";
import { code, frame, fromPython, note, pixels, table } from "./text.js";
import { Toy } from "./toy.js";

const LINE = 20; // pixels
const READ = { __proto__: null, code, graph, note, pixels, table }; // what a stack may hold: nothing in it is dragged
const DRAW = { __proto__: null, ...READ, cards, chart, frame, lanes };
DRAW.stack = ({ parts }, width, focus) => ({
  drawing: h("div", {}, parts.filter(({ type }) => READ[type]).map((part) => [part.title && h("p", { class: "title" }, part.title), READ[part.type](part, width, focus).drawing])),
});

// What computes a picture from the values of the controls, and from the data that a view brings along.
export const RULES = { __proto__: null, calls, checkpoints, decay, descent, orders, schedules, smoothing, stored, workers };

// Draw `data` in `host`. `connect(model)` lets the view talk to Python; `dispose()` stops everything.
export function mount(host, data, words = "") {
  host.classList.add("lab-view");
  host.addEventListener("keydown", keepKey);
  const why = refusal({ ...data, words });
  if (why) data = { picture: refused(why) };
  if (data.kind === "quiz") data.questions.forEach((one) => question(host, one));
  const dispose = data.kind === "predictions" ? tally(host, data) : () => {};
  if (data.kind === "case") board(host, data);
  if (data.kind === "verdict") verdict(host.appendChild(h("div")), data);
  if (data.rule === "toy" && !why) return new Toy(host, data);
  if (data.picture || RULES[data.rule]) return new Explorer(host, data, words);
  return { connect() {}, dispose };
}

// What is drawn instead of a picture that is too large.
const refused = (why) => ({ parts: [{ type: "note", lines: [why] }], words: why });

// JupyterLab uses arrow keys, Enter and Space itself. Inside a view, they belong to the view's controls.
function keepKey(event) {
  const runsCell = event.key === "Enter" && event.shiftKey;
  if (!runsCell && event.key !== "Escape" && !event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
}

// Controls above a picture; a still picture simply has none. Where Python is there, it has the same values.
class Explorer extends Linked {
  constructor(host, { controls = [], state = {}, rule, data, picture, hint, wide, rows }, words) {
    super();
    host.classList.toggle("wide", Boolean(wide));
    Object.assign(this, { controls, words, state: tidied(controls, state), drawn: [] });
    this.picture = () => this.answer ?? (RULES[rule] ? RULES[rule](this.state, data) : picture);
    this.parts = h("div", { class: "lab-parts" });
    this.spoken = h("p", { class: "lab-words", "aria-live": "polite" });
    this.hint = h("p", { class: "lab-hint" }, hint);
    this.panel = controlsOf(controls, (changes, isStep) => this.set(changes, { isStep }), () => this.set(first(controls)), rows);
    this.player = controls.find(({ kind }) => kind === "player");
    host.append(...(controls.length ? [this.panel.grid, this.hint] : []), this.parts, this.spoken);
    this.panel.grid.addEventListener("click", ({ target }) => target.closest("button") && bringInSight(host));
    this.light = watch(host, this);
    this.parts.addEventListener("scroll", () => markSides(this.parts), true);
    steered(host, this);
    this.resized = new ResizeObserver(() => this.resize());
    this.resized.observe(this.parts);
    this.show();
  }

  // What a reader does: the picture follows at once (a single step takes a moment), and Python hears of it.
  set(changes, { isStep = false, focus = {} } = {}) {
    Object.assign(this.state, changes);
    this.focus = focus;
    this.show(isStep);
    this.hint.classList.toggle("now", !this.model);
    this.tell(changes);
  }

  // What a link in the text asks for (steer.js).
  steer({ at, light, open }) {
    const { name, max } = this.player;
    const moment = Number.isFinite(at) ? Math.max(0, Math.min(max, Math.round(at))) : this.state[name];
    this.panel.stop();
    this.set({ [name]: moment }, { focus: { light: light ?? open, open } });
  }

  show(isStep = false) {
    const [before, picture] = [this.finished, this.picture()];
    this.finished = picture;
    this.panel.show(this.state, picture.controls);
    this.play(isStep ? beats(before, picture) : [[0, picture]]);
  }

  // Draw one picture after the other. Whatever the reader does next ends it, so that nothing queues up.
  play([[, picture], ...rest]) {
    clearTimeout(this.timer);
    this.draw(picture);
    if (rest.length) this.timer = setTimeout(() => this.play(rest), rest[0][0]);
  }

  // What Python does: the controls and the picture follow.
  heard(values) {
    Object.assign(this.state, values);
    this.show();
  }

  // What only Python can show, such as a page that it serves.
  answered = () => {
    const picture = this.model.get("answer");
    if (!picture?.parts) return;
    picture.parts.forEach((part) => fromPython.add(part));
    this.answer = picture;
    this.show();
  };

  draw(picture) {
    const why = refusal(picture);
    if (why) picture = refused(why);
    this.shown = picture;
    const words = picture.words ?? this.words;
    if (this.spoken.textContent !== words) this.spoken.textContent = words; // or it is read out again
    this.arrange(picture.parts);
    if (!this.width) return; // out of sight: the observer draws it once it is visible
    this.drawn = picture.parts.map((part, i) => DRAW[part.type](part, this.widths[i], this.focus, this.drawn[i]));
    this.drawn.forEach(({ drawing, lines }, i) => {
      const { title, type, y } = picture.parts[i];
      const name = h("span", { class: title ? "title" : "" }, title ?? y?.label);
      const head = (title || lines) && h("figcaption", {}, name, lines && h("output", {}));
      morph(this.parts.children[i], framed(this.parts.children[i], head, h("div", { class: `scroll ${type}` }, drawing)));
    });
    this.drawn.forEach(({ live }, i) => live?.(this.parts.children[i], this)); // what moves by itself
    this.light();
    requestAnimationFrame(this.look);
  }

  // Give each part its place. Sizes are read only where they may have changed: whoever reads one waits for the layout.
  arrange(parts) {
    const isNarrow = matchMedia("(max-width: 600px)").matches; // if so, a note's lines may need two
    const looks = parts.map(({ type, lines, basis = type === "note" ? 9999 : 700, grow = 1, reserve = 0 }) => {
      const room = Number(reserve) + (reserve && isNarrow && type === "note" ? LINE * (lines?.length ?? 0) : 0);
      return [basis, `flex: ${Number(grow)} 1 ${Number(basis)}px; min-height: ${room}px`];
    });
    if (this.width && `${looks}` === this.arranged) return;
    this.arranged = `${looks}`;
    while (this.parts.children.length > parts.length) this.parts.lastChild.remove();
    const figures = looks.map(([, style], i) => {
      const figure = this.parts.children[i] ?? this.parts.appendChild(h("figure", { "data-part": i }));
      figure.style = style;
      return figure;
    });
    this.width = this.parts.clientWidth;
    this.widths = figures.map((figure, i) => Math.max(figure.clientWidth, Math.min(looks[i][0], 260)));
    writeLike(this.parts);
  }

  resize() {
    if (this.parts.clientWidth === this.width) return; // only higher, or lower
    this.width = 0;
    this.draw(this.shown);
  }

  // In the frame that is drawn next, for then the layout is due anyway.
  look = () => {
    if (this.controls.length) keepInSight(this.parts, Boolean(this.focus?.light));
    markSides(this.parts);
  };

  connect(model) {
    super.connect(model);
    this.hint.classList.toggle("done", Boolean(model));
    model?.on("change:answer", this.answered);
    if (model) this.answered();
  }

  leave() {
    this.model?.off("change:answer", this.answered);
    super.leave();
  }

  dispose() {
    this.leave();
    this.letGo?.();
    clearTimeout(this.timer);
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
