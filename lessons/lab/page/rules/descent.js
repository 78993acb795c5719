// Lesson 06: ten steps of gradient descent on the posts' loss, at one rate.

import { axis, short } from "../scales.js";

const STEPS = 10;
const TOP = { __proto__: null, sum: 100, mean: 10 }; // the top of the picture, for each loss
const ROOM = { basis: 330, height: 262 };
const DISTANCES = { log: true, ticks: [1e-6, 1e-4, 1e-2, 1, 1e2, 1e4, 1e6] };

// How strongly each loss bends: twice the sum of the squares of x, or twice their mean. x goes from 1 to 2.
export function curvatures(examples) {
  const count = Math.min(Math.max(Math.round(examples), 2), 1000);
  const squares = Array.from({ length: count }, (_, i) => (1 + i / (count - 1)) ** 2);
  const sum = 2 * squares.reduce((a, b) => a + b, 0);
  return { sum, mean: sum / count };
}

// `w` before the first step and after each, in float32 as TensorFlow has it.
export function descended(rate, curvature, start) {
  const f = Math.fround;
  const path = [f(start)];
  for (let step = 0; step < STEPS; step += 1) {
    const gradient = f(curvature * f(path[step] - 1));
    path.push(f(path[step] - f(f(rate) * gradient)));
  }
  return path;
}

export function descent({ rate, start, loss = "sum", examples = 10 }, { limit: isTold }) {
  const bends = curvatures(examples);
  const [bend, limit] = [bends[loss], 2 / bends[loss]];
  const path = descended(rate, bend, start);
  const factor = 1 - rate * bend;
  const [verdict, kind] = judged(start, factor);
  const ends = `after ten steps, w is ${short(path[STEPS])}.`;
  const charts = (names) => [losses(names, bends, loss, path), distances(path), strip(rate, isTold && limit)];
  if (!isTold) return { parts: charts(["sum"]), words: `Rate ${short(rate)}, start ${short(start)}: ${ends}` };
  const words = [
    `The ${loss} over ${examples} examples: curvature ${short(bend)}, limit 2 / ${short(bend)} = ${short(limit)}.`,
    `Rate ${short(rate)}, start ${short(start)}: each step multiplies w - 1 by ${short(factor)}; ${ends}`,
    verdict,
  ];
  return { parts: [{ type: "note", lines: [verdict], kind, reserve: 26 }, ...charts(["sum", "mean"])], words: words.join("\n") };
}

function judged(start, factor) {
  if (start === 1) return ["w starts at 1, so every step leaves it there.", "done"];
  if (Math.abs(Math.abs(factor) - 1) <= 0.01) return ["The rate is at the limit: w stays about as far away as it was.", "plain"];
  if (factor >= 0) return ["It converges: w approaches 1 from one side.", "done"];
  if (factor > -1) return ["It converges: w jumps from side to side, closer each time.", "done"];
  return ["It diverges: w jumps from side to side, farther away each time.", "now"];
}

// The losses over `w`, and the path of the steps on one of them.
function losses(names, bends, loss, path) {
  const high = (name, w) => (bends[name] / 2) * (w - 1) ** 2;
  const ws = Array.from({ length: 89 }, (_, i) => -1.2 + i / 20);
  const near = path.map((w) => Math.min(Math.max(w, -99), 101)); // anything farther is out of sight
  const lines = names.map((name) => {
    const look = { name: names.length > 1 ? name : "the loss", kind: name === loss ? "done" : "plain" };
    return { points: ws.map((w) => [w, high(name, w)]), ...look };
  });
  lines.push({ points: near.map((w) => [w, high(loss, w)]), kind: "now", dots: true, silent: true });
  const at = [path[0], Math.min(high(loss, path[0]), TOP[loss])];
  return {
    type: "chart",
    x: axis("w", -1.2, 3.2, { ticks: [-1, 0, 1, 2, 3] }),
    y: axis("loss", 0, TOP[loss]),
    lines,
    notes: [{ at, text: `start ${short(Number(path[0].toFixed(2)))}`, kind: "now", ...besideRing(path[0]) }],
    handles: [{ control: "start", at, name: "w at the start" }],
    ...ROOM,
  };
}

// Where the ring's words keep clear of the curve and the edges: above its bottom, outside of the bowl, or inside of it.
function besideRing(w) {
  if (Math.abs(w - 1) < 0.6) return { anchor: "middle", dx: 0, dy: -18 };
  const isLeft = w < 1 ? w > -0.1 : w > 2.1;
  return isLeft ? { anchor: "end", dx: -14, dy: 4 } : { dx: 14, dy: 4 };
}

// How far `w` is from 1 after each step. What float32 can't tell from 0 is drawn at the bottom.
function distances(path) {
  const [low, high] = [1e-7, 1e7];
  const away = path.map((w) => Math.abs(w - 1));
  const places = away.map((distance, step) => [step, Math.min(Math.max(distance, low), high)]);
  const first = away[0] || low;
  const aside = away[STEPS] >= first ? 16 : -6; // the note keeps out of the path's way
  return {
    type: "chart",
    x: axis("step", 0, STEPS),
    y: axis("|w − 1|, the distance", low, high, DISTANCES),
    lines: [{ points: places, kind: "now", dots: true }],
    rules: [{ y: first }],
    notes: [{ at: [STEPS, first], text: away[0] ? "the distance at the start" : "0 at every step", anchor: "end", dx: 0, dy: aside }],
    ...ROOM,
  };
}

// All rates as a strip, with a ring for the reader's; split where they stop converging, once that is told.
function strip(rate, limit) {
  const [low, high] = [0.0025, 0.5];
  const isLeft = rate > 0.1 || (limit && rate < limit && rate > 0.013); // its words keep clear of the limit and the edge
  const bands = limit
    ? [
        { from: low, to: limit, kind: "done", label: "converges" },
        { from: limit, to: high, kind: "now", label: "diverges" },
      ]
    : [{ from: low, to: high }];
  return {
    type: "chart",
    x: axis("learning rate", low, high, { log: true, ticks: [low, 0.01, 0.1, high] }),
    y: axis(limit ? "your rate and the limit" : "your rate", 0, 1, { ticks: [] }),
    lines: [],
    bands,
    rules: limit ? [{ x: limit, label: `limit ${short(limit)}`, low: true }] : [],
    notes: [{ at: [rate, 0.5], text: `your rate ${short(rate)}`, kind: "now", dy: 4, ...(isLeft ? { anchor: "end", dx: -14 } : { dx: 14 }) }],
    handles: [{ control: "rate", at: [rate, 0.5], name: "learning rate" }],
    inset: [24, 20],
    height: 110,
  };
}
