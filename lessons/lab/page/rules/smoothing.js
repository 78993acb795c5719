// Lesson 12: noisy losses, and the averages that TensorBoard draws through them.

import { axis } from "../scales.js";

const [HIGH, ZOOM] = [5, [0.5, 2.5]]; // where the points and the averages are cut off
const NOISY = 0.5; // with less smoothing than this, an average is drawn as thin as the points

// The values as TensorBoard smooths them: the old sum keeps the fraction `weight`. What isn't finite is left out.
export function smoothed(values, weight) {
  let [total, count] = [0, 0];
  return values.map((value) => {
    if (!Number.isFinite(value)) return value;
    count += 1;
    total = weight * total + (1 - weight) * value;
    return total / (1 - weight ** count); // so far, the weights add up to 1 - weight ** count
  });
}

export function smoothing({ smoothing: weight }, { runs, least }) {
  const steps = axis("step", 0, Math.max(...runs.map(({ values }) => values.length)));
  const points = (values) => values.map((value, i) => [i + 1, value === null ? null : Math.min(value, 2 * HIGH)]);
  const isSmooth = weight >= NOISY;
  const all = runs.map(({ name, values }, i) => ({ name, values, average: smoothed(values, weight), kind: ["done", "now"][i] }));
  const both = {
    type: "chart",
    title: `${all.length > 1 ? "both averages" : "the average"} (the line at ${least} is the loss from noise alone)`,
    x: steps,
    y: axis("loss", ...ZOOM),
    lines: all.map(({ name, average, kind }) => ({ points: points(average), name, kind, thin: !isSmooth })),
    rules: [{ y: least }],
    height: 220,
  };
  const apart = all.map(({ name, values, average, kind }) => ({
    type: "chart",
    title: `${name}: the points${isSmooth ? ", and their average" : ""}`,
    x: steps,
    y: axis("loss", 0, HIGH, { ticks: [0, 2, 4] }),
    lines: [{ points: points(values), kind, thin: true }, ...(isSmooth ? [{ points: points(average), kind, silent: true }] : [])],
    height: 160,
    basis: 330,
  }));
  const last = (average) => average.findLast(Number.isFinite)?.toFixed(3) ?? "nan";
  const ends = all.map(({ name, average }) => `${name}: ${last(average)} at step ${average.length}.`);
  return { parts: [both, ...apart], words: [`Smoothing ${weight.toFixed(2)}.`, ...ends].join("\n") };
}
