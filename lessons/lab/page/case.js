// The case of `w`: who is cleared, who is left, and the reader's own bets, which the browser remembers.

import { h, marked, unique } from "./dom.js";
import { recall, remember } from "./memory.js";

const bet = (lesson) => recall(`bet-${lesson}`)?.chosen;
const boards = (cleared) => ["00", ...cleared.map((one) => one.cleared)]; // the lessons that had a board so far

export function board(host, { lesson, cleared, left, closed }) {
  host.append(h("div", { class: "lab-question lab-case" }, closed ? verdicts(cleared, left) : [cleared.length ? news(cleared) : "", ask(lesson, cleared, left)]));
}

// Whom this lesson cleared, and who was out before.
function news(cleared) {
  const { suspect, why } = cleared.at(-1);
  const before = cleared.slice(0, -1).map((one, i) => [i ? ", " : "", h("s", {}, marked(one.suspect))]);
  return h("p", {}, h("b", {}, "Cleared: "), ...marked(suspect), ". ", ...marked(why), before.length ? h("span", { class: "before" }, " Out already: ", before, ".") : "");
}

// Who is left: one of them is the reader's bet.
function ask(lesson, cleared, left) {
  const name = unique();
  const said = h("p", { class: "said", "aria-live": "polite" });
  const radios = left.map((suspect) => h("input", { type: "radio", name, value: suspect }));
  const options = left.map((suspect, i) => h("label", {}, radios[i], h("span", {}, marked(suspect))));
  const show = () => said.replaceChildren(...marked(remark(lesson, cleared, left)));
  radios.forEach((radio) => {
    radio.checked = radio.value === bet(lesson);
    radio.addEventListener("change", () => {
      remember(`bet-${lesson}`, { chosen: radio.value });
      show();
    });
  });
  show();
  return h("fieldset", {}, h("legend", {}, cleared.length ? "Still suspected. " : "The suspects. ", "Who's behind it? Bet on one:"), h("div", { class: "options" }, options), said);
}

function remark(lesson, cleared, left) {
  const mine = bet(lesson);
  if (mine) return left.includes(mine) ? `Your bet is noted: ${mine}. Lesson 06 will show it to you again.` : "";
  const last = boards(cleared).map(bet).filter(Boolean).at(-1);
  if (!last) return "";
  return left.includes(last) ? `So far you've bet on ${last}.` : `You had bet on ${last}, which is out now.`;
}

// How the case ended, and what the reader had bet on the way.
function verdicts(cleared, left) {
  const bets = boards(cleared).map((lesson) => [lesson, bet(lesson)]);
  const rows = bets.map(([lesson, mine]) => {
    const [sign, kind, words] = !mine ? ["·", "open", "no bet"] : left.includes(mine) ? ["✓", "right", mine] : ["✗", "wrong", mine];
    return h("li", { class: kind }, `${lesson} `, h("b", {}, sign), " ", marked(words));
  });
  return [h("p", {}, h("b", {}, "Guilty, together: "), ...marked(left.join(" and ")), "."), h("p", {}, "Your bets:"), h("ul", { class: "lab-tally" }, rows), h("p", { class: "said" }, marked(summary(bets, left)))];
}

function summary(bets, left) {
  const made = bets.filter(([, mine]) => mine);
  const from = made.findLastIndex(([, mine]) => !left.includes(mine)) + 1; // from here on, each was right
  if (!made.length) return "This browser hasn't seen a bet of yours. Lessons 00 to 05 each have a board like this one.";
  if (from < made.length) return `You were on the right track from lesson ${made[from][0]} on.`;
  const [lesson, last] = made.at(-1);
  return `Your last bet, in lesson ${lesson}, was on ${last}. The two got away, as they did from everybody who read those ten lines.`;
}
