// What the pointer and the keys do inside a picture: light up what belongs together, read a curve, drag a handle.

import { placeOf, roundest, short, valueAt } from "./scales.js";

const KEYED = "[data-key][tabindex]"; // a line or a box that lights up
const WAYS = { __proto__: null, ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }; // of a value

export function watch(host, view) {
  const { parts } = view;
  const partOf = (target) => view.drawn[target.closest("figure[data-part]").dataset.part];
  const controlOf = (handle) => view.controls.find(({ name }) => name === handle.dataset.control);
  const on = (type, act) => parts.addEventListener(type, act);
  let pointed = parts;
  const point = (target) => light(host, (pointed = target));
  const turn = (control, way) => view.set({ [control.name]: valueAt(control, Math.round(placeOf(control, view.state[control.name])) + way) });

  on("pointerover", ({ target }) => point(target));
  on("focusin", ({ target }) => point(target));
  on("pointerleave", () => point(parts));
  on("focusout", () => point(parts));
  // A finger on a ring or a card drags it and doesn't scroll: browsers ignore touch-action inside an SVG.
  const hold = (event) => event.target.closest(".lab-handle, .lab-cards .slider") && event.preventDefault();
  parts.addEventListener("touchstart", hold, { passive: false });
  on("pointerdown", (event) => {
    const handle = event.target.closest(".lab-handle");
    if (!handle || event.button) return;
    event.preventDefault();
    handle.focus();
    const [control, place] = [controlOf(handle), partOf(handle).x];
    const start = place(view.state[control.name]); // handles may be grabbed off-centre, or drawn beside their value
    const under = (far) => roundest(place.invert(start + far - 0.5), place.invert(start + far + 0.5)); // of a pixel's values
    drag(view, event, ({ clientX }) => view.set({ [control.name]: nearest(control, under(clientX - event.clientX)) }));
  });
  on("pointermove", ({ target, clientX }) => {
    const svg = target.closest("svg.lab-chart");
    if (svg && !view.letGo) read(svg, partOf(svg), partOf(svg).x.invert(clientX - svg.getBoundingClientRect().left));
  });
  on("keydown", (event) => {
    const way = WAYS[event.key];
    const [keyed, handle, svg] = [KEYED, ".lab-handle", "svg.lab-chart"].map((it) => event.target.closest(it));
    if (!way || !(handle || svg || keyed)) return;
    event.preventDefault();
    if (keyed) neighbour(keyed, /Right|Down/.test(event.key) ? 1 : -1)?.focus();
    else if (handle) turn(controlOf(handle), way);
    else readOn(svg, partOf(svg), way);
  });
  // To be called after a new drawing: lights up the same things again, and lets handles say their values.
  return () => {
    point(pointed);
    for (const handle of parts.querySelectorAll(".lab-handle")) {
      const { name, min, max } = controlOf(handle);
      Object.assign(handle, { ariaValueMin: min, ariaValueMax: max, ariaValueNow: view.state[name] });
    }
  };
}

// Mark everything that shares a key with what the pointer or the keyboard's focus is on.
function light(host, target) {
  const keys = new Set(target.closest?.("[data-key]")?.dataset.key.split(" "));
  for (const other of host.querySelectorAll("[data-key], [data-edge]")) {
    const own = (other.dataset.key ?? other.dataset.edge).split(" ");
    other.classList.toggle("lit", own.some((key) => keys.has(key)));
  }
}

// Until the pointer that pressed is let go, call `move` with its events, and then `end`. Another drag of this view, or the
// end of the view, lets go as well.
export function drag(view, { pointerId }, move, end = () => {}) {
  view.letGo?.();
  const over = new AbortController(); // removes all three listeners at once
  const on = (type, act) => addEventListener(type, (event) => event.pointerId === pointerId && act(event), { signal: over.signal });
  const letGo = () => {
    view.letGo = null;
    view.parts.classList.remove("dragging");
    over.abort();
    end();
  };
  view.letGo = letGo;
  view.parts.classList.add("dragging");
  on("pointermove", move);
  on("pointerup", letGo);
  on("pointercancel", letGo);
}

// The line or box before (-1) or after (1) one that has the keyboard's focus.
function neighbour(keyed, way) {
  const all = [...keyed.parentNode.querySelectorAll(KEYED)];
  return all[all.indexOf(keyed) + way];
}

// The nearest value that a control can take.
const nearest = (control, value) => valueAt(control, placeOf(control, Math.min(Math.max(value, control.min), control.max)));

// Show the values of all curves at the next place, or the one before.
function readOn(svg, part, way) {
  const places = [...new Set(part.lines.filter(({ silent }) => !silent).flatMap(({ points }) => points.map(([x]) => x)))].sort((a, b) => a - b);
  const next = places.indexOf(Number(svg.dataset.at)) + way;
  read(svg, part, places[Math.max(0, Math.min(places.length - 1, next))]);
}

// Show the values of all curves at the place nearest to `x`.
function read(svg, { lines, x: place, box }, x) {
  const near = (points) => points.reduce((a, b) => (Math.abs(a[0] - x) <= Math.abs(b[0] - x) ? a : b));
  const full = lines.filter(({ points, silent }) => points.length && !silent);
  if (!full.length) return;
  const [at] = near(full.map(({ points }) => near(points)));
  const values = full.map(({ name, points }) => [name, ...near(points)]).filter(([, u]) => u === at);
  const said = values.map(([name, , y]) => `${name ? `${name} ` : ""}${y === null ? "nan" : short(y)}`);
  svg.dataset.at = at;
  svg.querySelector(".cursor").setAttribute("d", `M${place(at).toFixed(1)},${box.top}V${box.bottom}`);
  svg.closest("figure").querySelector("output").textContent = `${short(at)}: ${said.join(", ")}`;
}
