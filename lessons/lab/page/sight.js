// Where a picture is larger than its figure: what it is about stays in sight, and its sides fade where there is more.

import { isCalm } from "./dom.js";

// Bring into the middle what runs or will run or, if a link has lit something up, that. Only the figure scrolls.
export function keepInSight(parts, isLit, atOnce) {
  const about = isLit ? ".node:not(.dim)" : ".node:is(.k-now, [data-goal])";
  for (const it of parts.querySelectorAll(".scroll.graph")) {
    const boxes = [...it.querySelectorAll(about)].map((node) => node.getBoundingClientRect());
    if (!boxes.length) continue;
    const [own, middle] = [it.getBoundingClientRect(), (low, high) => (Math.min(...low) + Math.max(...high)) / 2];
    const x = middle(boxes.map(({ left }) => left), boxes.map(({ right }) => right));
    const y = middle(boxes.map(({ top }) => top), boxes.map(({ bottom }) => bottom));
    const place = { left: it.scrollLeft + x - own.left - it.clientWidth / 2, top: it.scrollTop + y - own.top - it.clientHeight / 2 };
    it.scrollTo({ ...place, behavior: atOnce || isCalm() ? "instant" : "smooth" });
  }
}

// What a press changes should be seen beside the button: if the view isn't whole in the window, the page scrolls.
export const bringInSight = (host) => host.scrollIntoView({ block: "nearest", behavior: isCalm() ? "instant" : "smooth" });

// Say on which sides of whatever scrolls there is more (kit.css fades them), and let the keyboard reach it.
export function markSides(parts) {
  for (const it of parts.querySelectorAll(".scroll, .lab-code")) {
    const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = it;
    const more = {
      left: scrollLeft > 1,
      right: scrollLeft + clientWidth < scrollWidth - 1,
      top: scrollTop > 1,
      bottom: scrollTop + clientHeight < scrollHeight - 1,
    };
    const sides = Object.keys(more).filter((side) => more[side]);
    if (sides.length) it.dataset.more = sides.join(" ");
    else delete it.dataset.more;
    if (it.matches(".scroll") && sides.length) it.setAttribute("tabindex", 0);
  }
}
