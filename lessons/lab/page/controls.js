// An explorer's controls on one grid: name, control, value. They are native, so keys and screen readers work as usual.

import { h, unique } from "./dom.js";
import { placeOf, placesOf, short, valueAt } from "./scales.js";

const TEMPO = 1200; // milliseconds between two steps while playing

// Return the grid, and functions that update it and stop playing. `set` is called with {name: new value}, and with
// true where a player goes one step on.
// If controls come and go, the grid keeps room for `lasting` rows.
export function controlsOf(controls, set, reset, lasting) {
  const rows = controls.map((control) => ROWS[control.kind](control, (value, isStep) => set({ ...control.also, [control.name]: value }, isStep)));
  const again = h("button", { type: "button", class: "reset" }, "Reset");
  again.addEventListener("click", () => {
    stop();
    reset();
  });
  const look = lasting ? { class: "lab-controls lasting", style: `--rows: ${Number(lasting)}` } : { class: "lab-controls" };
  const grid = h("div", look, rows.map((row) => row.parts), controls.every(({ kind }) => kind !== "runs") && controls.some(({ kind }) => kind !== "press") && again);
  const show = (state, changed = {}) =>
    controls.forEach(({ name }, i) => {
      const { hidden } = changed[name] ?? {};
      rows[i].parts.forEach((part) => part.toggleAttribute("hidden", Boolean(hidden)));
      rows[i].show(state[name]);
    });
  const stop = () => rows.forEach((row) => row.stop?.());
  return { grid, show, stop };
}

// What is dragged inside the picture has no row of its own.
const handle = () => ({ parts: [], show() {} });

function slider(control, set) {
  const { label, format, min, max, step } = control;
  const id = unique();
  const isUneven = Boolean(control.log || control.stops); // if so, the browser's slider counts places
  const input = h("input", { type: "range", id, ...(isUneven ? { min: 0, max: placesOf(control), step: 1 } : { min, max, step }) });
  const output = h("output", { for: id });
  input.addEventListener("input", () => set(isUneven ? valueAt(control, Number(input.value)) : Number(input.value)));
  const show = (value) => {
    input.value = isUneven ? placeOf(control, value) : value;
    output.textContent = format ? value.toFixed(format) : short(value);
    input.setAttribute("aria-valuetext", output.textContent);
  };
  return { parts: [h("label", { for: id }, label), input, output], show };
}

// A slider over moments, with buttons to go back, step and play.
function player({ label, max }, set) {
  const { parts, show: move } = slider({ label, min: 0, max, step: 1 }, (at) => go(at));
  const [back, step, play] = ["Back", "Step", "Play"].map((text) => h("button", { type: "button" }, text));
  let [now, timer] = [0, null];
  const stop = () => {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
  };
  const go = (at) => set(Math.max(0, Math.min(max, at)));
  const next = () => now < max && set(now + 1, true);
  back.addEventListener("click", () => go(now - 1));
  step.addEventListener("click", next);
  play.addEventListener("click", () => {
    if (timer !== null) return stop();
    if (!max) return undefined;
    if (now >= max) go(0);
    play.textContent = "Stop";
    timer = setInterval(next, TEMPO);
    return undefined;
  });
  const show = (at) => {
    now = at;
    move(at);
    parts[2].textContent = `${at} of ${max}`;
    // Not `disabled`, which would take the keyboard's focus away from the button.
    back.setAttribute("aria-disabled", at === 0);
    step.setAttribute("aria-disabled", at === max);
    if (at >= max) stop();
  };
  return { parts: [...parts, h("div", { class: "wide" }, back, step, play)], show, stop };
}

function segments({ label, options }, set) {
  const name = unique();
  const radios = options.map((value) => h("input", { type: "radio", name, value }));
  radios.forEach((radio) => radio.addEventListener("change", () => set(radio.value)));
  const buttons = radios.map((radio, i) => h("label", {}, radio, h("span", {}, options[i])));
  const group = h("div", { class: "segments wide", role: "radiogroup", "aria-labelledby": `${name}-name` }, buttons);
  const show = (value) => radios.forEach((radio) => (radio.checked = radio.value === value));
  return { parts: [h("span", { id: `${name}-name` }, label), group], show };
}

function menu({ label, options }, set) {
  const id = unique();
  const list = h("select", { id, class: "wide" }, options.map((option) => h("option", {}, option)));
  list.addEventListener("change", () => set(list.value));
  return { parts: [h("label", { for: id }, label), list], show: (value) => (list.value = value) };
}

function tick({ label }, set) {
  const box = h("input", { type: "checkbox" });
  box.addEventListener("change", () => set(box.checked));
  return { parts: [h("label", { class: "tick" }, box, label)], show: (value) => (box.checked = value) };
}

// A button whose value is the number of presses.
function press({ label }, set) {
  let count = 0;
  const button = h("button", { type: "button", class: "press" }, label);
  button.addEventListener("click", () => set(count + 1));
  return { parts: [button], show: (value) => (count = value) };
}

// Buttons for one run and for a hundred; the value is how many there were, until they are cleared.
function runs({ label, max }, set) {
  let count = 0;
  const [one, many, clear] = [label, "Run 100", "Clear"].map((text) => h("button", { type: "button", class: text === "Clear" ? "reset" : null }, text));
  one.addEventListener("click", () => count < max && set(count + 1));
  many.addEventListener("click", () => count < max && set(Math.min(count + 100, max)));
  clear.addEventListener("click", () => set(0));
  const show = (value) => {
    count = value;
    one.setAttribute("aria-disabled", count >= max);
    many.setAttribute("aria-disabled", count >= max);
  };
  return { parts: [h("div", { class: "lab-runs" }, one, many, clear)], show };
}

const ROWS = { __proto__: null, handle, menu, order: handle, player, press, runs, segments, slider, tick };
