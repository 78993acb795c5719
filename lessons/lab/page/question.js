// A question with options, and a verdict that says why the chosen one is right or wrong.

import { h, marked, unique } from "./dom.js";
import { COMPARED, forget, recall, remember } from "./memory.js";

export function question(host, { id, question, options, button, before, after, said }) {
  const name = unique();
  const radios = options.map(() => h("input", { type: "radio", name }));
  const check = h("button", { type: "button", disabled: true }, button);
  const again = h("button", { type: "button", class: "again", hidden: true }, "Answer again");
  const reply = h("div", { class: "lab-verdict", "aria-live": "polite" });
  const labels = options.map(({ text }, i) => h("label", {}, radios[i], h("span", {}, marked(text))));
  host.append(h("fieldset", { class: "lab-question" }, h("legend", {}, marked(question)), labels, check, again, reply));

  const chosen = () => options[radios.findIndex((radio) => radio.checked)];
  const choose = () => {
    check.disabled = false;
    remember(id, { ...recall(id), chosen: chosen().text, compared: false });
    verdict(reply, { message: after });
  };
  const compare = () => {
    const { right, reply: message, text } = chosen();
    remember(id, { first: right, ...recall(id), chosen: text, compared: true }); // the first comparison counts
    again.hidden = false;
    verdict(reply, { right, message, said });
    host.dispatchEvent(new CustomEvent(COMPARED, { bubbles: true, detail: { id } }));
  };
  const clear = () => {
    forget(id);
    radios.forEach((radio) => (radio.checked = false));
    check.disabled = again.hidden = true;
    verdict(reply, { message: before });
    radios[0].focus();
    host.dispatchEvent(new CustomEvent(COMPARED, { bubbles: true, detail: { id, cleared: true } }));
  };
  radios.forEach((radio) => radio.addEventListener("change", choose));
  check.addEventListener("click", compare);
  again.addEventListener("click", clear);
  verdict(reply, { message: before });

  const known = recall(id);
  const place = known ? options.findIndex(({ text }) => text === known.chosen) : -1; // the options may have changed
  if (place < 0) return;
  radios[place].checked = true;
  check.disabled = false;
  if (known.compared) compare();
  else verdict(reply, { message: after });
}

// Show a verdict: an icon, a word and a colour say whether the answer is right, and the message follows.
export function verdict(place, { right, message = "", said = ["Not yet.", "Right!"] }) {
  place.className = right === undefined ? "lab-verdict" : `lab-verdict ${right ? "right" : "wrong"}`;
  const word = right === undefined ? [] : [h("b", {}, `${right ? "✓" : "✗"} ${said[Number(Boolean(right))]}`), " "];
  place.replaceChildren(...word, ...marked(message));
}

// How many predictions a reader saw coming, of those with these ids. Returns a function that stops counting.
export function tally(host, { ids }) {
  const words = h("p", { class: "title", "aria-live": "polite" });
  const marks = h("ul", { class: "lab-tally" });
  host.append(words, marks);
  const show = () => {
    const firsts = ids.map((id) => recall(id)?.first);
    words.textContent = summary(firsts);
    marks.replaceChildren(...ids.map((id, i) => mark(id, firsts[i])));
  };
  const over = new AbortController();
  document.addEventListener(COMPARED, show, { signal: over.signal });
  addEventListener("storage", show, { signal: over.signal }); // from another lesson's page
  show();
  return () => over.abort();
}

function summary(firsts) {
  const [all, answered, right] = [firsts.length, firsts.filter((first) => first !== undefined).length, firsts.filter(Boolean).length];
  if (!answered) return `This browser hasn't seen you compare any of the ${all} predictions yet. There's no hurry: they wait in their lessons.`;
  if (answered < all) return `You saw ${right} of ${answered} coming. ${all - answered} of the ${all} are still waiting for your guess.`;
  return `You saw ${right} of ${all} coming.`;
}

function mark(id, first) {
  const [sign, word, kind] = first === undefined ? ["·", "still open", "open"] : first ? ["✓", "seen coming", "right"] : ["✗", "a surprise", "wrong"];
  const [lesson] = id.split("-");
  return h("li", { class: kind, title: word }, `${lesson} `, h("b", { "aria-hidden": "true" }, sign), h("span", { class: "lab-words" }, word));
}
