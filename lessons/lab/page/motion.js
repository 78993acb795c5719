// Where everything in the toy is at a moment of its run: the ball, and how far the picture reaches.

import { zoomOf } from "./rules/posts.js";

export const BEAT = 500; // milliseconds from one step to the next
const [ROLL, ZOOM] = [360, 620]; // how long the ball rolls, and how long the picture zooms out
const LATER = 110; // when the zoom begins, the ball has just left; it arrives as the line is printed

export const lengthOf = (run) => run.length * BEAT + ZOOM; // until all is at rest

const within = (value) => Math.min(Math.max(value, 0), 1);
const soft = (part) => part * part * (3 - 2 * part);

// How much of a roll is over. A ball that runs away accelerates; one that comes home slows down.
const rolled = (part, isWilder) => (isWilder ? part ** 2.2 : 1 - (1 - part) ** 2.2);

// `time` is in milliseconds; step 1 is over, and printed, at the first beat.
export function moment(run, time) {
  const last = run.length - 1;
  const stepAt = (at) => Math.min(Math.max(Math.floor(at / BEAT), 0), last);
  const to = stepAt(time + ROLL);
  const [before, now] = [run[Math.max(to - 1, 0)], run[to]];
  const isWilder = Math.abs(now.w - 1) > Math.abs(before.w - 1);
  const place = (part) => before.w + (now.w - before.w) * rolled(within(part), isWilder);
  const part = to ? (time + ROLL - to * BEAT) / ROLL : 2;
  const tail = part < 1.4 ? place(part - 0.35) : null;
  return { step: stepAt(time), w: place(part), tail, been: run.slice(0, to), rolls: part < 1, ...zoomed(run, time) };
}

// The decades that the picture has zoomed out, and how violently it does: 0 at rest.
function zoomed(run, time) {
  let [zoom, force] = [0, 0];
  run.forEach(({ reach }, step) => {
    const more = step ? zoomOf(reach) - zoomOf(run[step - 1].reach) : 0;
    const part = within((time + LATER - step * BEAT) / ZOOM);
    if (!more || !part) return;
    zoom += more * soft(part);
    if (part < 1) force = Math.sin(Math.PI * part) * Math.min(more, 3) ** 0.5;
  });
  return { zoom, force };
}
