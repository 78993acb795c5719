// Lesson 00: the posts' ten steps of training and what they print, in float32 as TensorFlow computes them.

import { curvatures } from "./descent.js";

const { abs, fround, log10, max, min } = Math;
const TEN = 10;
export const NEAR = 2.5; // how far from 1 the picture reaches before it zooms out
const ZOOMS = [1, 10, 1e3, 1e6, 1e7, 1e9, 1e12]; // by how much it does then

// The start, and what holds after each step: `w`, the learning rate, the counter, how far the picture reaches around 1.
export function tenSteps(rate, isCounted) {
  const bend = fround(curvatures(TEN).sum);
  const run = [{ w: 0, rate: fround(rate), count: 0, reach: NEAR }];
  for (let step = 0; step < TEN; step += 1) {
    const before = run[step];
    const count = before.count + (isCounted ? 1 : 0);
    const w = fround(before.w - fround(before.rate * fround(bend * fround(before.w - 1))));
    const doubled = fround(2 ** fround(count / TEN));
    run.push({ w, rate: fround(fround(rate) * doubled), count, reach: max(before.reach, reachFor(w)) });
  }
  // Nothing is seen in a picture that reaches much farther than its run.
  const most = reachOf(run);
  return run.map((step) => ({ ...step, reach: min(step.reach, most) }));
}

const reachFor = (w) => NEAR * (ZOOMS.find((zoom) => abs(w - 1) <= NEAR * zoom) ?? ZOOMS.at(-1));

// How often the picture has zoomed out by ten.
export const zoomOf = (reach) => log10(reach / NEAR);

// What just contains a whole run: it follows a drag smoothly.
export const reachOf = (run) => max(NEAR, ...run.map(({ w }) => 1.2 * abs(w - 1)));

// A line as the posts print it, "%.6g %d", in two parts.
export const printed = ({ rate, count }) => [String(Number(rate.toPrecision(6))), String(count)];

// `w` as a reader wants it.
export function readable(w) {
  const [size, sign] = [abs(w), w < 0 ? "−" : ""];
  if (size >= 1e9) return `${sign}${(size / 1e9).toFixed(2)} billion`;
  if (size >= 1e6) return `${sign}${(size / 1e6).toFixed(2)} million`;
  const digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 4;
  return `${sign}${Number(size.toFixed(digits)).toLocaleString("en", { maximumFractionDigits: digits })}`;
}
