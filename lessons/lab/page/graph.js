// A graph that Python has laid out: boxes, smooth edges, and dots that carry values along the edges to the box that runs.

import { bend, h, head, label } from "./dom.js";
import { opened, within } from "./inside.js";

const READABLE = 8; // letters of a value beside its dot; more would hide the boxes

// `focus` is what a link in the text asks for: nodes to light up, while the others fade, and one to open.
export function graph(part, width, { light, open } = {}) {
  const nodes = part.nodes.map((node) => ({ ...node, kind: node.kind ?? "plain", opens: named(open, node) && node.inside, dim: light && !named(light, node) }));
  const doors = new Map(nodes.flatMap((node) => (node.opens ? within(node) : [])));
  const edges = part.edges.map((edge, i) => ({ ...edge, points: doors.get(i)?.(edge.points) ?? edge.points }));
  const drawing = h(
    "svg",
    { class: "lab-graph", width: part.width, height: part.height, role: "group", "aria-label": "graph" },
    // In groups: an edge that comes leaves the boxes what they are.
    h("g", {}, edges.map((edge) => joined(edge, nodes))),
    h("g", {}, nodes.map((node, i) => box(node, part.linked && (i ? -1 : 0)))),
    h("g", {}, edges.filter(({ carries }) => carries).map((edge) => dot(edge, edges))),
    nodes.filter((node) => node.opens).map(opened),
  );
  return { drawing };
}

// Whether a link means this node. Its names have no spaces, for an address has none.
const named = (names, node) => Boolean(names?.includes(String(node.label).replace(/\s/g, "")));

function joined({ ends, order, name, kind, bare, points }, nodes) {
  const [from, to] = ends.map((end) => nodes[end]);
  const quiet = [from, to].some((end) => end.kind === "off") ? "off" : "plain";
  const [[u], [x, y]] = points.slice(-2);
  const side = u < x ? -1 : 1; // which side its name is on: where the edge bends away
  const look = [(from.dim || to.dim) && "dim", to.opens && order && "waits"].filter(Boolean).join(" ");
  return h(
    "g",
    { class: look, kind: kind || quiet, "data-edge": from.key && to.key && `${from.key} ${to.key}` },
    h("path", { class: order ? "edge order" : "edge", d: smooth(points) }),
    !bare && h("path", { class: "head", d: head(x, y) }),
    name && label((x + u) / 2 + 14 * side, y - 10, name, { class: "note", "text-anchor": side < 0 ? "end" : "start" }),
  );
}

// A value on its way. Of the values that land in one box, the leftmost has its number on the left.
function dot({ points, ends: [, to], carries }, edges) {
  const starts = edges.filter((edge) => edge.carries && edge.ends[1] === to).map((edge) => Number(edge.points[0][0]));
  const side = Number(points[0][0]) === Math.min(...starts) ? -1 : 1;
  const value = String(carries.value ?? "");
  const said = value.length <= READABLE && label(9 * side, side < 0 ? 15 : -5, value, { class: "code value", "text-anchor": side < 0 ? "end" : "start" });
  const d = smooth(points);
  return h("g", { class: "flow", style: `offset-path: path("${d}")`, "data-id": `${d} ${carries.flight}` }, h("circle", { r: 4.5 }), said);
}

function box({ key, label: name, detail, value, x, y, width, height, kind, dim, goal, opens }, tabindex) {
  const said = { tabindex, role: "img", "aria-label": [name, detail, value].filter(Boolean).join(", ") };
  const [first, second, third] = height > 45 ? [16, 30, 45] : [17, 33];
  const middle = width / 2;
  const frame = opens ? { x: opens.x - x, width: opens.width } : { x: 0, width };
  const written = [
    label(middle, first, name, { class: "code", "text-anchor": "middle" }),
    label(middle, second, detail, { class: "detail", "text-anchor": "middle" }),
    value && label(middle, third, value, { class: "code value", "text-anchor": "middle" }),
  ];
  return h(
    "g",
    {
      class: ["node", dim && "dim", opens && "open"].filter(Boolean).join(" "),
      kind,
      "data-key": key,
      "data-goal": goal,
      transform: `translate(${x} ${y})`,
      ...((tabindex === 0 || tabindex) && said),
    },
    h("rect", { ...frame, height, rx: 6 }),
    !opens && written,
  );
}

// A curve from point to point that starts and ends vertically, so that it bends only between the layers.
function smooth(points) {
  const places = points.map((point) => point.map(Number)); // only numbers may get into a style
  return places
    .map(([x, y], i) => {
      if (!i) return `M${x},${y}`;
      return x === places[i - 1][0] ? `V${y}` : bend(places[i - 1], [x, y]);
    })
    .join("");
}
