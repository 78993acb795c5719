// A question with options, and a verdict that says why the chosen one is right or wrong.

import { h, marked, unique } from "./dom.js";

export function question(host, { question, options, button, before, after, said }) {
  const name = unique();
  const radios = options.map(() => h("input", { type: "radio", name }));
  const check = h("button", { type: "button", disabled: true }, button);
  const reply = h("div", { class: "lab-verdict", "aria-live": "polite" });
  const labels = options.map(({ text }, i) => h("label", {}, radios[i], h("span", {}, marked(text))));
  host.append(h("fieldset", { class: "lab-question" }, h("legend", {}, marked(question)), labels, check, reply));

  const chosen = () => options[radios.findIndex((radio) => radio.checked)];
  const follow = () => {
    check.disabled = false;
    verdict(reply, { message: after });
  };
  radios.forEach((radio) => radio.addEventListener("change", follow));
  check.addEventListener("click", () => verdict(reply, { right: chosen().right, message: chosen().reply, said }));
  verdict(reply, { message: before });
}

// Show a verdict: an icon, a word and a colour say whether the answer is right, and the message follows.
export function verdict(place, { right, message = "", said = ["Not yet.", "Right!"] }) {
  place.className = right === undefined ? "lab-verdict" : `lab-verdict ${right ? "right" : "wrong"}`;
  const word = right === undefined ? [] : [h("b", {}, `${right ? "✓" : "✗"} ${said[Number(Boolean(right))]}`), " "];
  place.replaceChildren(...word, ...marked(message));
}
