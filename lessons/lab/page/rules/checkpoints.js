// Lesson 10: a run that saves, is killed, and is run again from its latest checkpoint.

import { axis } from "../scales.js";

const LAST = 24; // the step at which the second run ends

// One run: the steps it starts and ends at, after which steps it saves, and which of its checkpoints it keeps.
function run(start, end, every, keep) {
  const saved = [];
  for (let step = start + 1; step <= end; step += 1) if (step % every === 0) saved.push(step);
  return { start, end, saved, kept: saved.slice(-keep) };
}

export function stopAndResume({ killed, every, keep }) {
  if (!(killed < LAST && every >= 1 && keep >= 1)) return [run(0, 0, 1, 1), run(0, LAST, 1, 1)]; // from a stranger
  const first = run(0, killed, every, keep);
  return [first, run(first.kept.at(-1) ?? 0, LAST, every, keep)];
}

export function checkpoints(state) {
  const [first, second] = stopAndResume(state);
  const { every, keep } = state;
  const killed = first.end;
  const [start, end] = [second.start, killed + 0.5];
  const liftOf = (step) => (every <= 2 && (step / every) % 2 ? 48 : 25); // neighbours alternate, or they'd overlap on a phone
  const text = (label, at, lift) => ({ at, shape: "text", label, lift });
  const rows = [rowOf("first run", first, every, liftOf), rowOf("second run", second, every, liftOf)];
  rows[0].marks.push({ at: end, shape: "cross", kind: "now" }, text("killed", end, -28));
  if (killed > start) {
    rows[1].bars.push({ from: start + 0.5, to: end, kind: "now" });
    rows[1].marks.push(text("twice", start / 2 + killed / 2 + 1.5, -2));
  }
  const timeline = {
    type: "lanes",
    title: `max_to_keep=${keep}: older checkpoints are struck through`,
    x: axis("step", 0, LAST, { ticks: [0, 4, 8, 12, 16, 20, 24] }),
    rows,
    row: 108,
    links: start ? [{ from: [0, start, liftOf(start)], to: [1, start], label: "restored", kind: "done" }] : [],
    handles: [{ control: "killed", name: "killed after step", row: 0, at: end, lift: -24 }],
  };
  const again = Array.from({ length: killed - start }, (_, i) => start + 1 + i);
  const words = [
    `Saved every ${every} steps; max_to_keep is ${keep}.`,
    `First run: killed after step ${killed}. Checkpoints kept: ${listOf(first.kept)}.`,
    `Second run: starts with step ${start + 1}. Done twice: ${listOf(again)}.`,
    `In the folder at the end: ${listOf([...first.kept, ...second.kept])}.`,
  ];
  return { parts: [timeline], words: words.join("\n") };
}

// The steps of one run as dots, and its checkpoints as boxes below them.
function rowOf(name, { start, end, saved, kept }, every, liftOf) {
  const steps = Array.from({ length: end - start }, (_, i) => ({ at: start + 1 + i, kind: "done" }));
  const kindOf = (step) => (kept.includes(step) ? "done" : "gone");
  const boxes = saved.map((step) => ({ at: step, shape: "box", label: String(step), lift: liftOf(step), kind: kindOf(step), thin: every === 1 }));
  return { name, bars: [{ from: start, to: end, kind: "done", thin: true }], marks: [...steps, ...boxes] };
}

const listOf = (steps) => steps.join(", ") || "none";
