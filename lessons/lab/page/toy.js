// The first picture of the course: what the posts printed, calmly, and beside it the number that nobody printed.

import { controlsOf } from "./controls.js";
import { h, isCalm, morph } from "./dom.js";
import { Linked } from "./linked.js";
import { BEAT, lengthOf, moment } from "./motion.js";
import { NEAR, printed, reachOf, readable, tenSteps, zoomOf } from "./rules/posts.js";
import { first, tidied } from "./scales.js";
import { bringInSight } from "./sight.js";
import { valley } from "./valley.js";

const ROUND = 2 * Math.PI * 46; // the ring around the counter
const UNCOVER = 500; // milliseconds until the ball moves
const COVERED = "The ten lines that the post printed go from 0.107177 1 to 0.2 10. What w is, they don't say.";
const WAIT = 600; // milliseconds without a change until a screen reader hears of it

export class Toy extends Linked {
  constructor(host, { controls = [], state = {} }) {
    super();
    this.controls = controls.filter(({ name }) => name === "way" || name === "rate");
    this.state = {};
    this.isStill = isCalm();
    this.time = this.isStill ? Infinity : -1; // of the run, in milliseconds; before 0, nothing has begun
    this.zoom = 0;
    this.build(host);
    this.take(state);
    this.watched = new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && this.begin(), { threshold: 0.4 });
    this.watched.observe(this.parts);
    this.resized = new ResizeObserver(() => this.draw());
    this.resized.observe(this.right);
  }

  build(host) {
    this.lines = Array.from({ length: 10 }, () => h("div", { class: "said" }, h("span"), h("span")));
    this.count = h("b", {}, "0");
    this.ring = h("circle", { class: "done", r: 46, cx: 54, cy: 54, "stroke-dasharray": ROUND, "stroke-dashoffset": ROUND });
    const ring = h("svg", { width: 96, height: 96, viewBox: "0 0 108 108", "aria-hidden": "true" }, h("circle", { r: 46, cx: 54, cy: 54 }), this.ring);
    const head = h("div", { class: "said heads" }, h("span", {}, "rate"), h("span", {}, "step"));
    const counter = h("div", { class: "counter" }, h("div", { class: "dial" }, ring, this.count), h("span", {}, "global_step"));
    this.left = h("figure", { class: "calm" }, h("figcaption", {}, "what the post printed"), h("div", { class: "both" }, h("div", { class: "lines" }, head, this.lines), counter));
    this.value = h("output", {});
    this.zoomed = h("span", { class: "zoomed" });
    this.scene = h("div", { class: "scene" });
    this.reveal = h("button", { type: "button", class: "reveal" }, "Show w");
    this.cover = h("div", { class: "cover" }, h("p", {}, "the number nobody printed"), this.reveal);
    this.name = h("figcaption", {}, "the number nobody printed");
    this.right = h("figure", { class: "wild" }, this.name, h("div", { class: "reading", "aria-hidden": "true" }, this.value, this.zoomed), this.scene, this.cover);
    this.parts = h("div", { class: "lab-parts lab-toy covered" }, this.left, this.right);
    this.spoken = h("p", { class: "lab-words", "aria-live": "polite" }, COVERED);
    const whole = h("div", { class: "lab-toy-frame" }, this.parts, this.below());
    host.append(whole, this.spoken);
    this.reveal.addEventListener("click", () => {
      this.uncover();
      setTimeout(() => bringInSight(whole), UNCOVER); // when the controls have their height
      this.play(UNCOVER);
      this.again.focus({ preventScroll: true });
    });
  }

  // The controls, which appear with the first run, and a question above them.
  below() {
    this.panel = controlsOf(this.controls, (changes) => this.set(changes), () => this.set(first(this.controls)));
    const button = (text, act) => {
      const it = h("button", { type: "button" }, text);
      it.addEventListener("click", act);
      return it;
    };
    this.again = button(this.isStill ? "Step" : "Replay", () => (this.isStill ? this.goTo(this.step >= 10 ? 0 : this.step + 1) : this.play()));
    const back = this.isStill && button("Back", () => this.goTo(this.step - 1));
    const reset = this.panel.grid.querySelector(".reset");
    this.panel.grid.append(h("div", { class: "acts" }, [back, this.again, reset].filter(Boolean)));
    this.asked = h("p", { class: "asked" });
    // While the slider is dragged, the picture shows where the run leads; when it is let go, how.
    const slider = this.panel.grid.querySelector("input[type=range]");
    slider?.addEventListener("pointerdown", () => (this.isHeld = true));
    slider?.addEventListener("keydown", () => (this.isHeld = false));
    slider?.addEventListener("change", () => {
      if (this.isHeld && !this.isStill) this.play();
      this.isHeld = false;
    });
    this.under = h("div", { class: "under" }, h("div", {}, this.asked, this.panel.grid));
    return this.under;
  }

  // What a reader does, and Python hears of it.
  set(changes) {
    const turns = changes.way !== undefined && changes.way !== this.state.way;
    this.take(changes);
    if (turns && !this.isStill) this.play();
    else this.end();
    this.tell(changes);
  }

  // What Python does.
  heard(values) {
    this.take(values);
    this.uncover();
    if (this.isStill) this.end();
    else this.play();
  }

  take(changes) {
    this.state = tidied(this.controls, { ...this.state, ...changes });
    this.run = tenSteps(this.state.rate, this.state.way !== "left out");
    this.panel.show(this.state);
    this.draw();
  }

  begin() {
    this.watched.disconnect();
    if (this.time < 0) this.play();
  }

  uncover() {
    this.watched.disconnect();
    this.parts.classList.remove("covered");
    this.under.classList.add("open");
    this.cover.inert = true;
  }

  // From the start, in real time, after a pause.
  play(pause = 0) {
    if (this.isStill) return this.end();
    cancelAnimationFrame(this.frame);
    let begun;
    const next = (now) => {
      begun ??= now + pause;
      this.time = now - begun;
      this.draw();
      if (this.time < lengthOf(this.run)) this.frame = requestAnimationFrame(next);
      else this.say();
    };
    this.time = 0;
    this.scrubs = false;
    this.frame = requestAnimationFrame(next);
    return undefined;
  }

  // All ten steps at once; the picture zooms as far as they reach.
  end() {
    cancelAnimationFrame(this.frame);
    this.time = Infinity;
    this.scrubs = true;
    let before;
    const goal = zoomOf(reachOf(this.run));
    const next = (now) => {
      const passed = before ? now - before : 16;
      before = now;
      this.zoom = this.isStill || Math.abs(goal - this.zoom) < 0.01 ? goal : goal + (this.zoom - goal) * Math.exp(-passed / 70);
      this.draw();
      if (this.zoom !== goal) this.frame = requestAnimationFrame(next);
      else this.say();
    };
    next();
  }

  goTo(step) {
    this.time = Math.min(Math.max(step, 0), 10) * BEAT + BEAT - 1;
    this.scrubs = false;
    this.draw();
    this.say();
  }

  draw() {
    const now = moment(this.run, this.time);
    this.step = now.step;
    const { w, reach } = this.run[now.step];
    const rest = { tail: null, force: 0, rolls: false };
    if (this.isStill) Object.assign(now, rest, { w, been: this.run.slice(0, now.step), zoom: zoomOf(reach) });
    if (this.scrubs) Object.assign(now, rest, { zoom: this.zoom });
    this.zoom = now.zoom;
    this.drawLines(now.step);
    if (this.scene.clientWidth) this.drawValley(now);
  }

  drawLines(step) {
    const { count } = this.run[step];
    this.lines.forEach((line, i) => {
      const parts = printed(this.run[i + 1]);
      [...line.children].forEach((part, n) => part.textContent !== parts[n] && (part.textContent = parts[n]));
      line.classList.toggle("there", i < step);
    });
    if (this.count.textContent !== String(count)) this.count.textContent = count;
    this.ring.classList.toggle("none", !count);
    this.ring.setAttribute("stroke-dashoffset", (ROUND * (1 - count / 10)).toFixed(1));
  }

  drawValley(now) {
    const { clientWidth: width, clientHeight: height } = this.scene;
    const scene = valley(now, { width, height, near: NEAR, clock: Number.isFinite(this.time) ? this.time : 0 });
    if (this.scene.firstChild) morph(this.scene.firstChild, scene);
    else this.scene.append(scene);
    this.value.textContent = `w = ${readable(now.w)}`;
    this.right.dataset.mood = moodOf(now.w, now.rolls);
    this.right.style.setProperty("--heat", `${Math.min(now.zoom / 7, 1) * 85}%`);
    const factor = 10 ** Math.round(now.zoom);
    this.zoomed.textContent = now.zoom < 0.5 ? "" : `zoomed out ${factor.toLocaleString("en")}×`;
    const isOver = now.step === 10;
    this.asked.textContent = isOver ? verdict(this.run.at(-1).w) : "";
  }

  // Once all is at rest, and not for each step.
  say() {
    clearTimeout(this.saying);
    this.saying = setTimeout(() => (this.spoken.textContent = this.inWords()), WAIT);
  }

  inWords() {
    if (this.parts.classList.contains("covered")) return COVERED;
    const [line, { w }] = [printed(this.run[this.step]).join(" "), this.run[this.step]];
    const how = `global_step is ${this.state.way}, and the rate starts at ${this.state.rate}.`;
    return `${how} After step ${this.step}, the post's line is ${line}, and w is ${readable(w)}.`;
  }

  dispose() {
    this.leave();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.saying);
    this.watched.disconnect();
    this.resized.disconnect();
    this.panel.stop();
  }
}

// A ball that only rolls through 1 isn't home.
const moodOf = (w, rolls) => (Math.abs(w - 1) < 0.05 && !rolls ? "home" : Math.abs(w - 1) > NEAR ? "gone" : "near");

function verdict(w) {
  const mood = moodOf(w);
  if (mood === "home") return "w is home, and the lines on the left look as calm as ever.";
  if (mood === "near") return "Not far. w should end at 1: can you bring it home?";
  return "w should end at 1. Can you bring it home?";
}
