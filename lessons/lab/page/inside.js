// What is inside a box that a link has opened: its ops in a row, each joined to the next.

import { h, label } from "./dom.js";

const ROOM = 6; // pixels above and below the ops

export function opened({ kind, y, height, opens: { nodes, orders } }) {
  const [top, tall] = [y + ROOM, height - 2 * ROOM];
  const middle = top + tall / 2;
  return h(
    "g",
    { class: "inside", kind },
    nodes.map(({ label: name, detail, x, width }) =>
      h(
        "g",
        { class: "node", kind, transform: `translate(${x} ${top})` },
        h("rect", { width, height: tall, rx: 5 }),
        label(width / 2, 17, name, { class: "code", "text-anchor": "middle" }),
        label(width / 2, 33, detail, { class: "detail", "text-anchor": "middle" }),
      ),
    ),
    nodes.slice(1).map(({ x }, i) => {
      const start = Number(nodes[i].x) + Number(nodes[i].width);
      return h(
        "g",
        { kind, class: orders[i] ? "waits" : "" },
        h("path", { class: orders[i] ? "edge order" : "edge", d: `M${start},${middle}H${Number(x)}` }),
        h("path", { class: "head", d: `M${Number(x)},${middle}l-8,-4v8Z` }),
      );
    }),
  );
}

// The edges that enter an open box, by their index, with a function that leads their points to the op that needs them.
export function within({ y, opens: { nodes, doors } }) {
  const known = doors.filter(([, door]) => nodes[door]);
  return known.map(([edge, door]) => [edge, (points) => [...points.slice(0, -1), [Number(nodes[door].x) + nodes[door].width / 2, y]]]);
}
