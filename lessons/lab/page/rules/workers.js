// Lesson 13: four workers over time, one of them slow. A gradient is stale if others push between its pull and its push.

import { axis, short } from "../scales.js";

const [WORKERS, LAST] = [4, 12]; // and how far the schedule reaches, in the time of a batch

// Each push: its worker, the step at its pull, the step it makes, and when it pulled, was ready, and pushed.
//
// A batch takes one unit of time, or `slow` units on worker 1. Each worker pushes as soon as it is ready; they start one
// after another, within the first unit. Or they start together, and all wait for the last one, whose push ends the round.
export function pushes(slow, isSynchronous) {
  const begin = (worker, start, pulled) => ({ ready: start + (worker ? 1 : Math.max(slow, 0.1)), worker, start, pulled });
  const apart = isSynchronous ? 0 : 1 / WORKERS;
  let busy = Array.from({ length: WORKERS }, (_, worker) => begin(worker, worker * apart, 0));
  const all = [];
  let step = 0;
  while (busy.some(({ start }) => start < LAST)) {
    busy.sort((a, b) => a.ready - b.ready || a.worker - b.worker);
    const done = isSynchronous ? busy.splice(0) : busy.splice(0, 1);
    const end = done.at(-1).ready;
    step += 1;
    for (const { ready, worker, start, pulled } of done) {
      all.push({ worker, pulled, step, start, ready, end, staleness: step - 1 - pulled });
      busy.push(begin(worker, end, step));
    }
  }
  return all;
}

export function workers({ slow: asked, way }) {
  const slow = Math.min(Math.max(asked, 1), 4) || 1; // more would take forever
  const all = pushes(slow, way === "synchronous");
  const done = all.filter(({ end }) => end <= LAST);
  const waited = all.reduce((sum, { ready, end }) => sum + Math.min(end, LAST) - Math.min(ready, LAST), 0);
  const oldest = Math.max(...done.map(({ staleness }) => staleness));
  const said =
    `By time ${LAST}: ${done.length} batches, ${done.at(-1).step} steps, staleness up to ${oldest}, ` +
    `${Number(waited.toPrecision(3))} of ${WORKERS * LAST} units spent waiting.`;
  const timeline = {
    type: "lanes",
    title: "Four workers, batch by batch",
    x: axis("time: a batch takes one unit", 0, LAST, { ticks: [0, 2, 4, 6, 8, 10, 12] }),
    rows: Array.from({ length: WORKERS }, (_, worker) => laneOf(worker, all)),
    row: 40,
    handles: [{ control: "slow", row: 0, at: slow, name: "time per batch on worker 1" }],
  };
  const result = { type: "note", lines: [said], kind: oldest >= WORKERS ? "now" : "done", reserve: 26 };
  const legend = { type: "note", lines: ["In each bar, its staleness (orange if over 3). Above its end, the step it makes."] };
  return { parts: [timeline, legend, result], words: `Worker 1 takes ${short(slow)} for a batch, ${way}. ${said}` };
}

// A worker's batches: computing, waiting, and the steps they make.
function laneOf(worker, all) {
  const [bars, marks] = [[], []];
  for (const push of all.filter((one) => one.worker === worker && one.start < LAST)) {
    const [ready, end, isPushed] = [Math.min(push.ready, LAST), Math.min(push.end, LAST), push.end <= LAST];
    const kind = push.staleness >= WORKERS ? "now" : "done";
    bars.push({ from: push.start, to: ready, kind, label: isPushed ? String(push.staleness) : "" });
    if (ready < end) bars.push({ from: ready, to: end, kind: "wait", label: end - ready > 0.6 ? "waits" : "" });
    if (isPushed) marks.push({ at: end, shape: "tick" }, { at: end, shape: "text", label: String(push.step), lift: -4 }); // clear of the ring
  }
  return { name: `worker ${worker + 1}`, bars, marks };
}
