// Lesson 11: what a monitored session calls, from the first `begin` to the last `end`, while it minimizes w ** 2.

const HOOKS = ["Step\nCoun\u00adter\nHook", "Sum\u00admary\nSaver\nHook", "Check\u00adpoint\nSaver\nHook", "StopAt\nStep\nHook", "your\nhook"];
const [SAVER, STOPPER, YOURS] = [2, 3, 4]; // their columns; a checkpoint_dir brings the first three along
const [STORED, FAILING] = [5, 3]; // the step in a filled directory, and the run of an error
const [MOST, KEPT] = [6, 5]; // the largest last step, and how many checkpoints a Saver keeps
const ROOM = 370; // pixels for the rows of six runs

// Each run: the step it makes, the loss it fetches, the step it saves, if any, and whether a stop is requested after it.
function runsOf({ start, last, every, hasDirectory, isFailing }) {
  const runs = [];
  let [step, w, saved] = [0, 5, start];
  const update = () => (w = Math.fround(w - Math.fround(Math.fround(0.1) * Math.fround(2 * w)))); // in single precision
  while (step < start) update((step += 1));
  do {
    const loss = Math.fround(w * w);
    update((step += 1));
    const isSaving = hasDirectory && step >= saved + every;
    if (isSaving) saved = step;
    runs.push({ step, loss, saves: isSaving ? step : null, isLast: step >= last });
  } while (step < last && !(isFailing && runs.length === FAILING));
  return { runs, saved };
}

// The whole session: its runs, how it ends, and the steps of its checkpoints.
function sessionOf({ directory, last_step: asked, save_steps: every, error }, { directories, errors }) {
  const kind = directories.indexOf(directory);
  const failure = errors.find(({ name }) => name === error);
  const [hasDirectory, start] = [kind > 0, kind === 2 ? STORED : 0];
  const last = Math.min(Math.max(asked, 1), MOST);
  const { runs, saved } = runsOf({ start, last, every: Math.max(every, 1), hasDirectory, isFailing: Boolean(failure) });
  const isRaised = Boolean(failure) && runs.length >= FAILING;
  const hasEnd = !isRaised || failure.isQuiet;
  const end = runs.at(-1).step;
  const savedLast = hasEnd && saved !== end ? end : null; // in the call of `end`
  const all = [start, ...runs.map(({ saves }) => saves), savedLast].filter((step) => step !== null);
  const kept = hasDirectory ? [...new Set(all)].slice(-KEPT) : [];
  return { runs, start, end, hasDirectory, hasEnd, raised: isRaised && `your loop raises ${failure.type}`, savedLast, kept };
}

export function calls(state, data) {
  const session = sessionOf(state, data);
  const whose = session.hasDirectory ? "for checkpoint_dir" : "not added: no checkpoint_dir";
  const table = {
    type: "table",
    groups: [" ", { text: whose, span: SAVER + 1 }, { text: "given as hooks=", span: 2 }, " "],
    head: [" ", ...HOOKS, "step"],
    rows: rowsOf(session),
    widths: [178, 88, 90, 104, 94, 92, 58],
    reserve: ROOM,
  };
  const note = {
    type: "note",
    lines: ["Time runs downwards, and in each row the hooks are called from left to right.", "A dot: the hook is called, with nothing to report."],
    reserve: 45,
  };
  return { parts: [note, table], words: wordsOf(state, session) };
}

// A row for each method that the session calls; after the first run, one for a whole run.
function rowsOf({ runs, start, end, hasDirectory, hasEnd, raised, savedLast }) {
  const row = (name, step, said) => rowOf(name, step, said, hasDirectory);
  const saves = (step) => (step === null ? "" : `saves ${step}`);
  const after = (run) => ({ [SAVER]: saves(run.saves), [STOPPER]: run.isLast ? "says stop" : "", [YOURS]: `loss ${Number(run.loss.toPrecision(4))}` });
  return [
    row("`begin`", " ", each("finds step", "")),
    row("`after_create_session`", start, { [SAVER]: saves(start) }),
    row("`before_run` asks for", " ", each("step", "loss")),
    across("run 1: train_op, and what the hooks ask for", "done", runs[0].step),
    row("`after_run`", " ", after(runs[0])),
    ...runs.slice(1).map((run, i) => row(`run ${i + 2}, with both calls`, run.step, after(run))),
    ...(raised ? [across(raised, "now", " ")] : []),
    hasEnd ? row("`end`", end, { [SAVER]: saves(savedLast) }) : [{ text: "`end`", kind: "gone" }, { text: "not called", kind: "off", span: HOOKS.length }, " "],
  ];
}

function wordsOf({ directory, last_step: last, save_steps: every }, { runs, start, hasDirectory, hasEnd, raised, kept }) {
  return [
    `checkpoint_dir ${directory}, last_step ${last}, save_checkpoint_steps ${every}.`,
    `${hasDirectory ? HOOKS.length : HOOKS.length - SAVER - 1} hooks are called. The step starts at ${start}.`,
    `${runs.map(({ step }, i) => `${i ? "run" : "Run"} ${i + 1}, step ${step}`).join("; ")}.`,
    ...(raised ? [`Then ${raised}.`] : []),
    `end is ${hasEnd ? "" : "not "}called.`,
    `Checkpoints: ${kept.map((step) => `model.ckpt-${step}`).join(", ") || "none"}.`,
  ].join("\n");
}

// The same for all hooks but yours.
const each = (said, yours) => Object.fromEntries(HOOKS.map((_, hook) => [hook, hook === YOURS ? yours : said]));

// A row with what each hook does: it saves, it says stop, or it's called with nothing to report.
function rowOf(name, step, said, hasDirectory) {
  const cells = HOOKS.map((_, hook) => {
    if (!hasDirectory && hook <= SAVER) return " ";
    const text = said[hook] || "·";
    return { text, kind: text.startsWith("saves") ? "done" : text.startsWith("says") ? "now" : "plain" };
  });
  return [name, ...cells, String(step)];
}

// A row for a run or an error, which is no call of a hook.
const across = (text, kind, step) => [" ", { text, kind, span: HOOKS.length }, String(step)];
