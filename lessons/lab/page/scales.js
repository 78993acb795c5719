// From numbers to pixels and back, and the round numbers to mark.

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const GROUPED = new Intl.NumberFormat("en", { maximumFractionDigits: 10 }); // made once: that takes long

export function scale({ min, max, log }, from, to) {
  const bend = log ? (value) => Math.log10(Math.max(value, 1e-300)) : (value) => value;
  const [low, high] = [bend(min), bend(max)];
  const place = (value) => from + ((to - from) * (bend(value) - low)) / (high - low);
  place.invert = (pixel) => {
    const value = low + ((high - low) * (pixel - from)) / (to - from);
    return log ? 10 ** value : value;
  };
  return place;
}

// An axis from `min` to `max`; more: `log`, and the `ticks` to mark.
export const axis = (label, min, max, more = {}) => ({ label, min, max, ...more });

// Four to seven round numbers to mark on an axis, unless the axis lists its own.
export function ticks({ min, max, log, ticks: given }) {
  if (given) return given;
  if (log) {
    const [low, high] = [Math.ceil(Math.log10(min) - 1e-9), Math.floor(Math.log10(max) + 1e-9)];
    const step = Math.ceil((high - low) / 6) || 1;
    return Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, n) => 10 ** (low + n * step));
  }
  const unit = 10 ** Math.floor(Math.log10(max - min));
  const step = [0.2, 0.25, 0.5, 1, 2].map((s) => s * unit).find((s) => (max - min) / s <= 6.001);
  const first = Math.ceil(min / step - 1e-9);
  return Array.from({ length: Math.floor(max / step + 1e-9) - first + 1 }, (_, n) => (first + n) * step);
}

// A number as a reader wants it: at most four digits, and a power of ten if it is very large or very small.
export function short(value) {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  const power = Math.round(Math.log10(size));
  if (size && (size < 1e-3 || size >= 1e5) && Math.abs(size / 10 ** power - 1) < 1e-6) {
    const digits = [...String(Math.abs(power))].map((digit) => SUPERSCRIPTS[digit]).join("");
    return `${value < 0 ? "−" : ""}10${power < 0 ? "⁻" : ""}${digits}`;
  }
  const text = Number(value.toPrecision(4));
  return size >= 1e7 || (size && size < 1e-4) ? text.toExponential() : GROUPED.format(text);
}

// A control's values stand at places, counted from 0: `step` apart, or in `stops`, or in equal ratios if it is `log`.

const RATIOS = 400; // places of a logarithmic control

export const placesOf = ({ min, max, step, log, stops }) => (stops ? stops.length - 1 : log ? RATIOS : Math.round((max - min) / step));

export function valueAt(control, place) {
  const { min, max, step, log, stops } = control;
  const at = Math.min(Math.max(Math.round(place), 0), placesOf(control));
  if (stops) return stops[at];
  const near = (half) => Math.min(Math.max(min * (max / min) ** ((at + half) / RATIOS), min), max);
  return log ? roundest(near(-0.5), near(0.5)) : Number((min + at * step).toPrecision(10));
}

// Of the numbers between these two, which may be a pixel apart, the one with the fewest decimals.
export function roundest(low, high) {
  const middle = (low + high) / 2;
  const rounded = [0, 1, 2, 3, 4, 5, 6].map((decimals) => Number(middle.toFixed(decimals)));
  return rounded.find((value) => low <= value && value <= high) ?? middle;
}

// The values that controls start with.
export const first = (controls) => Object.fromEntries(controls.map(({ name, value }) => [name, value]));

// The values of `state` that controls can take. What a stranger's notebook holds may be anything.
export function tidied(controls, state) {
  const possible = ({ name, value, min = 0, max = 1e6, options }) => {
    const given = state[name];
    if (typeof given !== typeof value || (options && !options.includes(given))) return value;
    if (typeof given !== "number") return given;
    return Number.isFinite(given) ? Math.min(Math.max(given, min), max) : value;
  };
  return Object.fromEntries(controls.map((control) => [control.name, possible(control)]));
}

// The place of a value, which may be between two places.
export function placeOf({ min, max, step, log, stops }, value) {
  if (stops) return stops.reduce((best, stop, i) => (Math.abs(stop - value) < Math.abs(stops[best] - value) ? i : best), 0);
  return log ? (RATIOS * Math.log(value / min)) / Math.log(max / min) : (value - min) / step;
}
