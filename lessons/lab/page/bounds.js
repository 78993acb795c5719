// What a view may hold. A notebook may come from a stranger, so nothing is drawn that would freeze the page.

// No view of the lessons has a third of any of these (or half of the depth). What has all of them is drawn in seconds.
const MOST = { settings: 2000, values: 20_000, letters: 50_000, depth: 24 };

// How large a number may be, and how long a list, by its name. `name[]` is what the list `name` holds.
const SIZES = { __proto__: null, side: 64, size: 200, width: 5000, height: 5000, row: 500, rows: 100, span: 100 };
Object.assign(SIZES, { reserve: 5000, basis: 10_000, format: 20, "widths[]": 2000, "inset[]": 2000 });
const LENGTHS = { __proto__: null, parts: 20, controls: 60, options: 40, questions: 40, ids: 100, images: 50, ticks: 30, widths: 40 };
Object.assign(LENGTHS, { cards: 12, bins: 2, head: 40, groups: 40, "rows[]": 40 });

const digits = (number) => number.toLocaleString("en");

// Why a view's data or a picture isn't drawn, as a sentence, or "" if it may be drawn.
export function refusal({ data: { held = {}, ...data } = {}, ...shown }) {
  let found = excess({ ...shown, data });
  if (Object.keys(held).length > MOST.settings) found ||= `it stores more than ${digits(MOST.settings)} settings`;
  if (isDeeper(held, MOST.depth)) found ||= "its settings are nested too deeply";
  return found && `This view isn't drawn, because it could freeze the page: ${found}.`;
}

// What there is too much of, in words, or "". (What the settings change, `draw` in view.js looks at one by one.)
function excess(data) {
  let [values, letters] = [0, 0];
  const look = (value, name, depth) => {
    const isList = Array.isArray(value);
    values += 1;
    letters += typeof value === "string" ? value.length : 0;
    if (values > MOST.values) return `it has more than ${digits(MOST.values)} values`;
    if (letters > MOST.letters) return `it has more than ${digits(MOST.letters)} characters`;
    if (depth > MOST.depth) return "it is nested too deeply";
    if (isList && value.length > (LENGTHS[name] ?? MOST.values)) {
      return `${name} has ${digits(value.length)} items, and at most ${digits(LENGTHS[name] ?? MOST.values)} are drawn`;
    }
    if (value === null || typeof value !== "object") {
      const size = parseFloat(value); // as CSS and attributes read it
      if (typeof value === "number" && !Number.isFinite(value)) return "one of its numbers is infinite";
      if (Math.abs(size) > SIZES[name]) return `${name} is ${digits(size)}, and at most ${digits(SIZES[name])} is drawn`;
      return "";
    }
    for (const key in value) { // what it inherits, too
      const why = look(value[key], isList || name === "state" ? `${name}[]` : key, depth + 1);
      if (why) return why;
    }
    return "";
  };
  return look(data, "view", 0);
}

const isDeeper = (value, depth) =>
  value !== null && typeof value === "object" && (!depth || Object.values(value).some((inner) => isDeeper(inner, depth - 1)));
