// A step of a run in three beats: values leave their boxes, the next box fills as they land, and then the session's row ticks.

import { isCalm } from "./dom.js";

const [FLIGHT, GLANCE, FILL] = [560, 260, 220]; // milliseconds of a flight, of a step on which nothing flies, until the row ticks
let flights = 0;

// The pictures from one moment to the next, each with the milliseconds that it waits for: the last one is `after`.
export function beats(before, after) {
  const [runs, flies] = [has(after, ({ nodes }) => nodes.some(isNow)), has(after, (graph) => carrying(graph).length)];
  if (isCalm() || !runs || !alike(before, after)) return [[0, after]];
  flights += 1;
  return [[0, mixed(before, after, 0)], [flies ? FLIGHT : GLANCE, mixed(before, after, 1)], [FILL, after]];
}

const isNow = ({ kind }) => kind === "now";
const carrying = ({ nodes, edges }) => edges.filter(({ ends, order }) => !order && isNow(nodes[ends[1]]));
const has = ({ parts }, test) => parts.some((part) => (part.type === "graph" && test(part)) || (part.type === "stack" && has(part, test)));

const alike = (one, other) =>
  one.type === other.type &&
  one.parts?.length === other.parts?.length &&
  one.nodes?.length === other.nodes?.length &&
  (one.parts ?? []).every((part, i) => alike(part, other.parts[i]));

// A program is ahead from the first beat, for its line is what runs; a graph from the second, and a table at the end.
function mixed(before, after, beat) {
  if (after.parts) {
    const parts = after.parts.map((part, i) => mixed(before.parts[i], part, beat));
    return { ...after, parts, ...(after.words !== undefined && { words: before.words }) };
  }
  if (after.type === "graph" && beat === 0) return leaving(before, after);
  return after.type === "table" ? before : after;
}

// The values are on their way: the box that will run is still as it was.
function leaving(before, after) {
  const carried = new Set(carrying(after));
  const nodes = after.nodes.map((node, i) => (isNow(node) ? { ...before.nodes[i], goal: true } : node));
  const edges = after.edges.map((edge) => {
    const value = String(after.nodes[edge.ends[0]].value ?? "");
    return carried.has(edge) ? { ...edge, carries: { value, flight: flights } } : edge;
  });
  return { ...after, nodes, edges };
}
