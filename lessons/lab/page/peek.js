// A look at a graph that a link has moved while it is out of sight: a copy in the window's corner, until the next click.

import { h } from "./dom.js";
import { keepInSight, markSides } from "./sight.js";

const MOST = 0.6; // of a figure

let copy = null;

export function peek(host, link) {
  const graph = host.querySelector("svg.lab-graph");
  const about = graph?.querySelector(".node:not(.dim)");
  close();
  if (!about) return;
  // A figure that scrolls is still on its way to what the link shows, so the whole of it counts.
  const figure = graph.closest(".scroll");
  const scrolls = figure.scrollHeight > figure.clientHeight + 1;
  const observer = new IntersectionObserver(([{ intersectionRatio: seen }]) => {
    observer.disconnect();
    if (seen < (scrolls ? MOST : 0.01)) open(graph, link);
  });
  observer.observe(scrolls ? figure : about);
}

function open(graph, link) {
  close();
  const place = h("div", { class: "scroll graph" }, graph.cloneNode(true));
  copy = h("aside", { class: "lab-view lab-peek", "aria-hidden": "true" }, place); // its words are read out where the graph is
  for (const it of copy.querySelectorAll("[tabindex]")) it.removeAttribute("tabindex");
  copy.classList.toggle("above", link.getBoundingClientRect().top > innerHeight / 2); // it doesn't cover what is being read
  document.body.append(copy);
  keepInSight(copy, true, true);
  markSides(copy);
  addEventListener("pointerdown", close, { once: true, capture: true });
  addEventListener("keydown", closeOnEscape, true);
}

function closeOnEscape({ key }) {
  if (key === "Escape") close();
}

function close() {
  copy?.remove();
  copy = null;
  removeEventListener("pointerdown", close, true);
  removeEventListener("keydown", closeOnEscape, true);
}
