// Learning rates: each schedule of tf.train as a function of the step (minitf/training/learning_rate_decay.py).

import { axis, short } from "../scales.js";

const { PI, ceil, cos, exp, floor, fround, log, max, min } = Math;

// What each schedule computes, from its arguments and the step.
const SCHEDULES = {
  __proto__: null,
  exponential_decay: ({ learning_rate, decay_rate, ...given }, step) => learning_rate * decay_rate ** passed(given, step),
  natural_exp_decay: ({ learning_rate, decay_rate, ...given }, step) => learning_rate * exp(-decay_rate * passed(given, step)),
  inverse_time_decay: ({ learning_rate, decay_rate, ...given }, step) => learning_rate / (1 + decay_rate * passed(given, step)),
  polynomial_decay: ({ learning_rate, decay_steps, end_learning_rate, power, cycle }, step) => {
    const steps = cycle ? decay_steps * max(1, ceil(step / decay_steps)) : decay_steps;
    return (learning_rate - end_learning_rate) * (1 - min(step / steps, 1)) ** power + end_learning_rate;
  },
  piecewise_constant: ({ boundaries, values }, step) => values[boundaries.filter((boundary) => step > boundary).length],
  cosine_decay: ({ learning_rate, decay_steps, alpha }, step) => {
    const left = (1 + cos(PI * min(step / decay_steps, 1))) / 2;
    return learning_rate * (alpha + (1 - alpha) * left);
  },
  cosine_decay_restarts: ({ learning_rate, first_decay_steps, t_mul, m_mul, alpha }, step) => {
    const [period, done] = restarted(step / first_decay_steps, t_mul);
    const left = (m_mul ** period * (1 + cos(PI * done))) / 2;
    return learning_rate * (alpha + (1 - alpha) * left);
  },
  linear_cosine_decay: ({ learning_rate, decay_steps, num_periods, alpha, beta }, step) => {
    const part = min(step / decay_steps, 1);
    const left = (1 + cos(2 * PI * num_periods * part)) / 2;
    return learning_rate * ((alpha + 1 - part) * left + beta);
  },
};

const passed = ({ decay_steps, staircase }, step) => (staircase ? floor(step / decay_steps) : step / decay_steps);

// How many periods are over, and how much of the present one. TensorFlow computes this in float32.
function restarted(periods, factor) {
  if (factor === 1) return [floor(periods), periods - floor(periods)];
  const [t, p] = [fround(factor), fround(periods)];
  const over = floor(fround(fround(log(fround(1 - fround(p * fround(1 - t))))) / fround(log(t))));
  const length = factor ** over;
  return [over, (periods - (1 - length) / (1 - factor)) / length];
}

// The learning rates of the steps 0 to `last`.
export function rates(schedule, last, given) {
  return Array.from({ length: last + 1 }, (_, step) => SCHEDULES[schedule](given, step));
}

// Lesson 03: the schedule that the sliders choose, beside the posts'.
const POSTS = { learning_rate: 0.1, decay_steps: 10, decay_rate: 2 };

export function decay(state) {
  const last = 41; // the rate of step 40 holds until then
  const [posts, yours] = [rates("exponential_decay", 10, POSTS), rates("exponential_decay", last, state)];
  const picture = {
    type: "chart",
    x: axis("global step", 0, last, { ticks: [0, 10, 20, 30, 40] }),
    y: axis("learning rate", 0, 0.5),
    lines: [
      { points: posts.map((rate, step) => [step, rate]), dots: true, silent: true },
      { points: yours.map((rate, step) => [step, rate]), name: "your rate", kind: "done", steps: state.staircase },
    ],
    notes: [{ at: [10, posts[10]], text: "the posts' ten steps", dx: 10, dy: 16 }],
    height: 280,
  };
  const { decay_rate: factor, decay_steps: every } = state;
  const moves = factor < 1 ? "falls" : factor > 1 ? "grows" : "stays as it is";
  const how = factor === 1 ? "because decay_rate is 1" : state.staircase ? "in jumps" : "smoothly";
  const steps = every > 1 ? `${every} steps` : "step";
  const said = `It ${moves} ${how}: every ${steps} it is multiplied by ${short(factor)}.`;
  const numbers = [0, 10, 20, 30].map((step) => `${short(yours[step])} at step ${step}`).join(", ");
  return { parts: [picture, { type: "note", lines: [said], reserve: 22 }], words: `Learning rate: ${numbers}.\n${said}` };
}

// Lesson 05: any schedule, its formula, and the weight that it trains in noisy batches.
const LAST = 61; // the rate of step 60 holds until then
const CONSTANT = Array(LAST + 1).fill(0.4);
const UNTIL_THE_END = "passed = min(step / decay_steps, 1)";
const STAIRS = ["learning_rate", "decay_steps", "decay_rate", "staircase"];

// Each schedule: its arguments in the order of TensorFlow, and its formula.
const SHOWN = {
  __proto__: null,
  exponential_decay: [STAIRS, "learning_rate * decay_rate ** {passed}"],
  natural_exp_decay: [STAIRS, "learning_rate * exp(-decay_rate * {passed})"],
  inverse_time_decay: [STAIRS, "learning_rate / (1 + decay_rate * {passed})"],
  polynomial_decay: [
    ["learning_rate", "decay_steps", "end_learning_rate", "power", "cycle"],
    `end + (learning_rate - end) * (1 - passed) ** power, ${UNTIL_THE_END}`,
  ],
  piecewise_constant: [
    ["boundaries_0", "boundaries_1", "values_0", "values_1", "values_2"],
    "values[0] while step <= boundaries[0], values[1] while step <= boundaries[1], then values[2]",
  ],
  cosine_decay: [
    ["learning_rate", "decay_steps", "alpha"],
    `learning_rate * (alpha + (1 - alpha) * (1 + cos(pi * passed)) / 2), ${UNTIL_THE_END}`,
  ],
  cosine_decay_restarts: [
    ["learning_rate", "first_decay_steps", "t_mul", "m_mul", "alpha"],
    "cosine_decay again and again, each time t_mul times as long and m_mul times as high",
  ],
  linear_cosine_decay: [
    ["learning_rate", "decay_steps", "num_periods", "alpha", "beta"],
    `learning_rate * (beta + (alpha + 1 - passed) * (1 + cos(2 * pi * num_periods * passed)) / 2), ${UNTIL_THE_END}`,
  ],
};

export function schedules({ schedule, ...state }, { noise }) {
  const names = SHOWN[schedule][0];
  const given = schedule === "piecewise_constant" ? inLists(state) : Object.fromEntries(names.map((name) => [name, state[name]]));
  const yours = rates(schedule, LAST, given);
  if (jumpsOf(yours).includes(LAST)) yours.pop(); // a curve doesn't end in a jump
  const [trained, constant] = [yours, CONSTANT].map((now) => weights(now, noise));
  const [call, formula] = inWords(schedule, given);
  const numbers = [0, 20, 40, 60].map((step) => `${short(yours[step])} at step ${step}`).join(", ");
  const ends = `At step 60, w is ${short(trained[60])}; at a constant rate, ${short(constant[60])}.`;
  const parts = [
    overSteps("learning rate", 0.8, CONSTANT, yours, jumpsOf(yours)),
    overSteps("w, trained on noisy batches", 2, constant, trained),
    { type: "note", lines: [`\`${call}\``, formula], reserve: 86 },
  ];
  const controls = Object.fromEntries(Object.keys(state).map((name) => [name, { hidden: !names.includes(name) }]));
  return { parts, words: `${call}\nLearning rate: ${numbers}.\n${ends}`, controls };
}

const inLists = (state) => ({
  boundaries: [state.boundaries_0, state.boundaries_1],
  values: [state.values_0, state.values_1, state.values_2],
});

// The weight before each step of gradient descent. Each noisy batch asks for a different weight; 1 is right.
function weights(now, noise) {
  let weight = 0;
  return now.map((rate, step) => {
    const before = weight;
    weight -= rate * 2 * (weight - noise[step]); // the gradient of (weight - asked) ** 2
    return before;
  });
}

function overSteps(title, top, constant, yours, steps = []) {
  const out = yours.findIndex((value) => !(value >= -top && value <= 2 * top));
  const near = yours.slice(0, out < 0 ? LAST + 1 : out + 1); // w may run away
  return {
    type: "chart",
    title,
    x: axis("global step", 0, LAST, { ticks: [0, 20, 40, 60] }),
    y: axis(title, 0, top),
    lines: [
      { points: constant.map((value, step) => [step, value]), name: "constant rate" },
      { points: near.map((value, step) => [step, value]), name: "your schedule", kind: "done", steps },
    ],
    basis: 330,
    height: 190,
  };
}

// The steps at which a rate jumps: it doesn't move that way just before or after.
function jumpsOf(now) {
  const changes = now.slice(1).map((rate, i) => rate - now[i]);
  const around = (i) => changes[i] ?? 0;
  return changes.flatMap((change, i) => (change && around(i - 1) * change <= 0 && change * around(i + 1) <= 0 ? [i + 1] : []));
}

function inWords(schedule, given) {
  const { learning_rate: rate, ...others } = given;
  const python = (value) => (Array.isArray(value) ? `[${value.join(", ")}]` : typeof value === "boolean" ? (value ? "True" : "False") : value);
  const rest = Object.entries(others).map(([name, value]) => `${name}=${python(value)}`);
  const call = `${schedule}(${[...(rate === undefined ? [] : [rate]), "step", ...rest].join(", ")})`;
  const steps = given.staircase ? "floor(step / decay_steps)" : "(step / decay_steps)";
  const longer = given.cycle ? "; past decay_steps, the line is twice as long, then three times, and so on" : "";
  return [call, `The formula: ${SHOWN[schedule][1].replace("{passed}", steps)}${longer}.`];
}
