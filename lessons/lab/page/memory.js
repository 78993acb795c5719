// What a reader answered, in this browser: by a question's id, the option's text, and whether the first comparison was right.

const KEY = "global-step-course-answers";
export const COMPARED = "lab-compared"; // the event when an answer is compared, also again after a reload

// Where a browser refuses to remember anything, a page remembers until it is closed.
let here = {};

function answers() {
  try {
    const all = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (all && typeof all === "object" && !Array.isArray(all)) here = all;
  } catch {
    // Then only this page knows.
  }
  return here;
}

function keep(all) {
  here = all;
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // As above.
  }
}

// What was answered: { chosen, compared, first }, or undefined. `first` says whether the first comparison was right.
export function recall(id) {
  const found = id && Object.hasOwn(answers(), id) ? here[id] : undefined;
  return typeof found?.chosen === "string" ? found : undefined;
}

export function remember(id, answer) {
  if (id) keep({ ...answers(), [id]: answer });
}

export function forget(id) {
  const { [id]: _, ...others } = answers();
  keep(others);
}
