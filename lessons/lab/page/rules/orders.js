// Lesson 07: a read and an update in one run. Each run takes one of the orders that the edges allow.

const [MOST_OPS, MOST_RUNS] = [6, 1000]; // six ops have at most 720 orders
const NAMES = ["old", "new"];

// Every order in which each op comes after all that it waits for, as lists of indices. The first is minitf's.
function validOrders(count, edges) {
  const isReady = (op, done) => !done.includes(op) && edges.every(([from, to]) => to !== op || done.includes(from));
  const after = (done) =>
    done.length === count ? [done] : range(count).filter((op) => isReady(op, done)).flatMap((op) => after([...done, op]));
  return after([]);
}

// Which order each run takes, by its index: any but the one before, all equally likely, and the same ones every time.
// Before the first run, it's minitf's.
function takenBy(runs, count) {
  const taken = [0];
  for (let run = 1; run <= runs; run += 1) taken.push((taken[run - 1] + (count > 1 ? 1 + Math.floor(chance(run) * (count - 1)) : 0)) % count);
  return taken;
}

// A number from 0 to 1 that looks random, but is the same for the same `seed` (the generator is mulberry32).
function chance(seed) {
  let bits = Math.imul(seed, 0x9e3779b9);
  bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
  return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
}

// What a run in each order fetches: the step held 0 before it, so a read after the update gives 1.
export const fetches = ({ read, update }, order) => Number(order.indexOf(update) < order.indexOf(read));

export function orders({ edge, runs, order }, { choices }) {
  const choice = Object.hasOwn(choices, edge) ? choices[edge] : Object.values(choices)[0];
  const ops = choice.ops.slice(0, MOST_OPS);
  const edges = choice.edges.filter((ends) => ends.slice(0, 2).every((end) => Object.hasOwn(ops, end)));
  const valid = validOrders(ops.length, edges);
  const all = valid.length ? valid : [range(ops.length)]; // a stranger's edges may go round in a circle
  const values = all.map((one) => fetches(choice, one));
  const taken = takenBy(Math.min(Math.max(Math.trunc(runs), 0), MOST_RUNS), all.length);
  const inWords = (one) => one.map((op) => ops[op].name).join(", ");
  const yours = all.findIndex((one) => inWords(one) === order);
  const shown = yours < 0 ? taken.at(-1) : yours;
  const track = {
    type: "cards",
    title: "One run, and what all runs have read",
    control: "order",
    cards: ops.map(({ name, does }, op) => ({ name, does, kind: op === choice.read ? "done" : op === choice.update ? "now" : "plain" })),
    edges: edges.map(([from, to, isOrder]) => ({ from, to, order: isOrder, kind: isChosen(choice, from, to) ? "now" : "plain" })),
    gives: choice.gives,
    bins: NAMES,
    orders: all,
    values,
    taken,
    yours,
    isFull: runs >= MOST_RUNS,
  };
  const [lines, isRace] = verdict(choice, values);
  const read = [0, 1].map((value) => taken.slice(1).filter((one) => values[one] === value).length);
  const which = yours < 0 ? (taken.length > 1 ? `Run ${taken.length - 1}` : "minitf's order") : "Your order";
  const words = [
    ...lines,
    `${which}: ${inWords(all[shown])}. It fetches ${values[shown]}, the ${NAMES[values[shown]]} value.`,
    taken.length > 1 ? `So far ${read[0]} old, ${read[1]} new.` : "No runs so far.",
  ];
  return { parts: [track, { type: "note", lines, kind: isRace ? "now" : "done", reserve: 46 }], words: words.join("\n") };
}

const range = (count) => Array.from({ length: count }, (_, i) => i);

const isChosen = ({ chosen }, from, to) => Boolean(chosen) && chosen[0] === from && chosen[1] === to;

// Which of the two a path orders, if any, and what all valid orders give.
function verdict({ isMissed }, values) {
  const after = values.filter(Boolean).length;
  const before = values.length - after;
  const isRace = after > 0 && before > 0;
  const path = isRace ? "No path joins the read and the update: a race." : `A path orders them: the read comes ${after ? "after" : "before"}.`;
  const give = isRace ? `Of ${values.length} orders, ${before} give the old value, ${after} the new.` : `All ${values.length} orders give the ${NAMES[after ? 1 : 0]} value.`;
  return [[...(isMissed ? ["The edge leads to `late`, but `seen` does the reading."] : []), path, give], isRace];
}
