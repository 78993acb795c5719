// Links in the text that move the picture above them, such as [the constant waits](#show:at=9&open=global_step+=).
//
// at: the moment; light: the boxes to light up, with commas, while the others fade; open: a box to open. Names have no spaces.

import { peek } from "./peek.js";

const VIEW = Symbol.for("global-step-course.view"); // on a host: its explorer. This module may be loaded more than once
const SHOW = "#show:";

// Let links find this explorer, if it can be stepped through.
export function steered(host, explorer) {
  if (explorer.player) host[VIEW] = explorer;
  if (document[VIEW]) return;
  document[VIEW] = true; // one listener is enough
  document.addEventListener("click", clicked, true); // before JupyterLab, which would follow the link
  document.addEventListener("lab-show", ({ target }) => show(target)); // the web site's, as the text is scrolled
}

function clicked(event) {
  const link = event.target.closest?.(`a[href*="${SHOW}"]`);
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault(); // or the page jumps
  event.stopPropagation();
  const host = show(link);
  if (host) peek(host, link);
}

function show(link) {
  const page = link.closest(".jp-Notebook, body");
  const before = (host) => host.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_FOLLOWING;
  const host = [...page.querySelectorAll(".lab-view")].filter((one) => one[VIEW] && before(one)).at(-1);
  if (!host) return null;
  page.querySelectorAll(`a[href*="${SHOW}"][aria-current]`).forEach((other) => other.removeAttribute("aria-current"));
  link.setAttribute("aria-current", "true");
  host[VIEW].steer(wishes(link.getAttribute("href")));
  return host;
}

function wishes(href) {
  const text = href.slice(href.indexOf(SHOW) + SHOW.length).slice(0, 500);
  const said = new Map(text.split("&").map((part) => [part.split("=", 1)[0], plain(part.slice(part.indexOf("=") + 1))]));
  const list = (name) => said.get(name)?.split(",").filter(Boolean);
  return { at: Number(said.get("at") ?? NaN), light: list("light"), open: list("open") };
}

function plain(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray %
  }
}
