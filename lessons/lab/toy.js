// The first picture of the course: ten calm lines and, beside them, the number that nobody printed.

const { abs, floor, fround, log10, max, min, round, sin } = Math;
const clamp = (value, low, high) => min(max(value, low), high);

// The post's ten steps, in float32 as TensorFlow takes them.
const STEPS = 10;
const BEND = fround(2 * Array.from({ length: 10 }, (_, i) => (1 + i / 9) ** 2).reduce((a, b) => a + b)); // of the loss over w
const NEAR = 2.5; // how far around 1 the picture reaches at first
const ZOOMS = [1, 10, 1e3, 1e6, 1e7, 1e9, 1e12]; // and how many times as far once w has left it

// What holds at the start and after each step: w, the rate, the counter, and how many decades the picture has zoomed out.
function tenSteps(start, isPassed) {
  const run = [{ w: 0, rate: fround(start), count: 0, zoom: 0 }];
  for (let step = 0; step < STEPS; step += 1) {
    const before = run[step];
    const w = fround(before.w - fround(before.rate * fround(BEND * fround(before.w - 1))));
    const count = before.count + Number(isPassed);
    const rate = fround(fround(start) * fround(2 ** fround(count / STEPS)));
    const zoom = log10(ZOOMS.find((times) => abs(w - 1) <= NEAR * times));
    run.push({ w, rate, count, zoom: max(before.zoom, zoom) });
  }
  const most = log10(max(1, ...run.map(({ w }) => (1.2 * abs(w - 1)) / NEAR))); // from farther away, the run is a dot
  return run.map((state) => ({ ...state, zoom: min(state.zoom, most) }));
}

const lineOf = ({ rate, count }) => String(Number(rate.toPrecision(6))).padEnd(10) + String(count).padStart(4);

function readable(value) {
  const size = abs(value);
  const [unit, name] = size >= 1e9 ? [1e9, "\u00a0billion"] : size >= 1e5 ? [1e6, "\u00a0million"] : [1, ""];
  const digits = size >= 1e3 && !name ? 0 : size >= 10 ? 2 : 4;
  return (value < 0 ? "−" : "") + (size / unit).toLocaleString("en", { maximumFractionDigits: digits }) + name;
}

// Where everything is at a moment of the run. Step 1 is over, and printed, at the first beat.
const [BEAT, ROLL, ZOOM, EARLY, END] = [500, 360, 620, 110, 5620]; // ms: a step, a roll, a zoom, its start before the beat, all

function moment(run, time) {
  const stepAt = (at) => clamp(floor(at / BEAT), 0, run.length - 1);
  const to = stepAt(time + ROLL);
  const [from, goal] = [run[max(to - 1, 0)].w, run[to].w];
  const eased = (part) => (abs(goal - 1) > abs(from - 1) ? part ** 2.2 : 1 - (1 - part) ** 2.2); // faster away, slower home
  const place = (part) => from + (goal - from) * eased(clamp(part, 0, 1));
  const part = (time + ROLL - to * BEAT) / ROLL;
  let [zoom, force] = [0, 0]; // decades, and how violently the picture zooms out
  for (let step = 1; step < run.length; step += 1) {
    const decades = run[step].zoom - run[step - 1].zoom;
    const done = clamp((time + EARLY - step * BEAT) / ZOOM, 0, 1);
    zoom += decades * done * done * (3 - 2 * done);
    force += sin(Math.PI * done) * min(decades, 3) ** 0.5;
  }
  return { step: stepAt(time), w: place(part), tail: place(part - 0.35), been: run.slice(0, to).map(({ w }) => w), zoom, force };
}

// The picture: the loss over w, a parabola that looks the same from near and far, and the ball on it.
function valley({ w, tail, been, zoom, force }, width, height, time) {
  const [reach, base] = [NEAR * 10 ** zoom, height - 34];
  const part = (value) => clamp((value - 1) / reach, -20, 20); // from -1 to 1 in the picture
  const x = (u) => (u * width) / 2;
  const y = (u) => base - (base - 14) * u * u;
  const bowl = (a, b) => `M${x(a)},${y(a)}Q${x(a + b) / 2},${base - (base - 14) * a * b} ${x(b)},${y(b)}`;
  const [ball, ...path] = [w, ...been.toReversed()].map(part).map((u) => [x(u), y(u)]);
  const shown = (u, low, high) => clamp(min(u - low, high - u) * 10, 0, 1);
  const mark = (value) => {
    const [u, name] = [part(value), readable(value)];
    const isNamed = readable(abs(value)).length * 7 + 12 < abs(x(u)) || /^−?(0.)?2/.test(name); // the next is twice as far away
    const text = isNamed ? `<text x="${x(u)}" y="${base + 23}">${name}</text>` : "";
    return `<g opacity="${shown(abs(u), 0.16, 0.97)}"><path d="M${x(u)},0V${base}"/>${text}</g>`;
  };
  const ten = 10 ** (floor(log10(reach)) - 1);
  const marks = [-20, -10, -2, -1, 0, 1, 2, 10, 20].map((n) => n * ten).filter(Number.isInteger).map(mark);
  const before = force > 0.01 ? ZOOMS.map((times) => times / 10 ** zoom).filter((u) => u < 1) : []; // frames of what was seen
  const frame = (u) => `<path class="frame" d="M${x(-u)},${base}V${y(u)}H${x(u)}V${base}" opacity="${shown(u, 0.03, 0.82)}"/>`;
  return `<g transform="translate(${7 * force * sin(time / 13)} ${6 * force * sin(time / 9)})">
    <path d="M-999,${base}H999"/>${marks.join("")}
    <text class="goal" y="${base + 23}">1</text>${before.map(frame).join("")}
    <path class="bowl" d="${bowl(-1.1, 1.1)}"/>
    <path class="legs" d="M${[ball, ...path].join("L")}"/><path class="streak" d="${bowl(part(tail), part(w))}"/>
    ${path.map(([cx, cy]) => `<circle class="been" cx="${cx}" cy="${cy}" r="3.5"/>`).join("")}
    <circle class="ball" cx="${ball[0]}" cy="${ball[1] - 3}" r="9"/>
  </g>`;
}

// The slider's 160 places stand in equal ratios, from 0.005 to 0.2; at place 130, the rate is 0.1.
const rateAt = (place) => Number((0.005 * 40 ** (place / 160)).toPrecision(3));
const placeOf = (rate) => round((160 * log10(rate / 0.005)) / log10(40));
const CHANGES = "change:passed change:rate";

class Toy {
  constructor(model, el) {
    el.innerHTML = `<style>${THEME}</style><div class="global-step-toy" data-lm-suppress-shortcuts></div>`; // arrow keys are the slider's
    const root = el.lastChild.attachShadow({ mode: "open" });
    root.innerHTML = `<style>${CSS}</style>${HTML}`;
    for (const part of root.querySelectorAll("[id]")) this[part.id] = part;
    this.isStill = matchMedia("(prefers-reduced-motion: reduce)").matches; // then the reader goes step by step
    this.again.textContent = this.isStill ? "Step" : "Replay";
    this.back.hidden = !this.isStill;
    Object.assign(this, { model, last: STEPS, time: this.isStill ? END : 0 }); // the step to go up to; ms since the start
    this.seen = new IntersectionObserver(([it]) => (it.isIntersecting ? this.play() : this.draw()), { threshold: 0.4 });
    this.seen.observe(this.toy);
    this.follow = () => this.isTelling || this.uncover();
    model.on(CHANGES, this.follow);
    this.reveal.onclick = () => {
      this.uncover(500);
      this.again.focus({ preventScroll: true });
      this.toy.scrollIntoView({ block: "nearest", behavior: this.isStill ? "instant" : "smooth" });
    };
    this.yes.onchange = this.no.onchange = () => this.set({ passed: this.yes.checked });
    this.slider.oninput = () => this.set({ rate: rateAt(this.slider.value) }, () => this.goTo(STEPS));
    this.slider.onpointerup = () => this.play(); // a drag shows where the run leads, and letting go shows how
    this.again.onclick = () => (this.isStill ? this.goTo((this.last + 1) % (STEPS + 1)) : this.play());
    this.back.onclick = () => this.goTo(max(this.last - 1, 0));
    this.reset.onclick = () => this.set({ passed: true, rate: 0.1 });
  }

  // Python hears of what the reader sets, and what the model echoes is no news.
  set(values, show = () => this.play()) {
    this.isTelling = true;
    for (const [name, value] of Object.entries(values)) this.model.set(name, value);
    this.isTelling = false;
    this.model.save_changes();
    show();
  }

  uncover(pause) {
    this.toy.classList.remove("covered");
    this.play(pause);
  }

  // From the start, in real time.
  play(pause = 0) {
    this.goTo(STEPS);
    const begun = performance.now() + pause;
    const next = () => {
      this.time = performance.now() - begun;
      this.draw();
      if (this.time < END) this.frame = requestAnimationFrame(next);
    };
    if (!this.isStill) next();
  }

  // All at once, up to this step.
  goTo(step) {
    this.seen.disconnect();
    cancelAnimationFrame(this.frame);
    [this.last, this.time] = [step, END];
    this.draw();
  }

  draw() {
    const [isPassed, rate] = [this.model.get("passed"), this.model.get("rate")];
    [this.yes.checked, this.no.checked, this.slider.value] = [isPassed, !isPassed, placeOf(rate)];
    this.slider.ariaValueText = this.start.textContent = rate;
    const run = tenSteps(rate, isPassed).slice(0, this.last + 1);
    const now = moment(run, this.time);
    const { count, w } = run[now.step];
    const isHome = abs(w - 1) < 0.05;
    this.lines.textContent = run.slice(1, now.step + 1).map(lineOf).join("\n");
    this.lines.style.height = `${now.step}lh`;
    [this.count.textContent, this.ring.style.strokeDashoffset] = [count, STEPS - count];
    this.w.textContent = `w = ${readable(now.w)}`;
    this.zoomed.textContent = now.zoom < 0.5 ? "" : `zoomed out ${(10 ** round(now.zoom)).toLocaleString("en")} times`;
    this.wild.className = isHome ? "home" : abs(now.w - 1) > NEAR ? "gone" : "";
    this.wild.style.setProperty("--heat", `${min(now.zoom / 7, 1) * 85}%`);
    const { offsetWidth: width, offsetHeight: height } = this.wild;
    this.valley.setAttribute("viewBox", `${-width / 2} 0 ${width} ${height}`);
    this.valley.innerHTML = valley(now, width, height, this.time);
    const verdict = isHome ? "It's home, and the lines look as calm as ever." : "It should be 1. Can you bring it home?";
    const isOver = this.time >= STEPS * BEAT;
    this.found.textContent = isOver ? `After step ${now.step}, w is ${readable(w)}. ${now.step < STEPS ? "" : verdict}` : "";
  }
}

const HTML = `
  <div id="toy" class="covered">
    <figure>
      <figcaption>what the script prints<pre>rate      step</pre></figcaption><pre id="lines"></pre>
      <svg viewBox="-50 -50 100 100" stroke-width="3" aria-hidden="true"><circle r="46" /><circle id="ring" r="46" pathLength="10" /></svg>
      <div id="dial"><b id="count"></b><code>global_step</code></div>
    </figure>
    <figure id="wild">
      <svg id="valley" aria-hidden="true"></svg><figcaption>the number nobody printed</figcaption>
      <div aria-hidden="true"><b id="w"></b><br /><span id="zoomed"></span></div>
      <div id="cover"><b>the number nobody printed</b><button id="reveal">Show w</button></div>
    </figure>
    <div id="controls">
      <p id="found" aria-live="polite"></p><span id="way">global_step is</span>
      <div role="radiogroup" aria-labelledby="way">
        <label><input type="radio" name="way" id="yes" />passed</label> <label><input type="radio" name="way" id="no" />left out</label>
      </div>
      <label for="slider">starting rate</label><input type="range" id="slider" max="160" /><span id="start"></span>
      <div id="acts"><button id="back">Back</button> <button id="again"></button> <button id="reset">Reset</button></div>
    </div>
  </div>`;

// The page says whether it is light or dark, or else the reader's system does.
const THEME = `
  body:is([data-jp-theme-light="true"], [data-theme="light"], .vscode-light) .global-step-toy { color-scheme: light; }
  body:is([data-jp-theme-light="false"], [data-theme="dark"], .vscode-dark) .global-step-toy { color-scheme: dark; }`;

const CSS = `
  :host { --text: light-dark(#24292f, #dfe2e6); --grey: light-dark(#6b7178, #9aa1a9); --line: light-dark(#d8dbdf, #3a3f45);
    --blue: light-dark(#0969a8, #63b3ed); --orange: light-dark(#b35900, #f6a04d); --paper: light-dark(#fff, #111);
    display: block; max-width: 784px; container-type: inline-size; color-scheme: light dark; accent-color: var(--blue);
    --wash: light-dark(#fdebdc, #4a2810); color: var(--text); font: 14px/1.5 system-ui, sans-serif; }
  #toy { display: grid; grid-template-columns: 2fr 3fr; gap: 10px 12px; }
  figure { box-sizing: border-box; position: relative; height: 350px; margin: 0; padding: 8px 14px; overflow: hidden;
    border: 1px solid var(--line); border-radius: 10px; background: color-mix(in oklab, var(--paper), var(--wash) var(--heat, 0%)); }
  figcaption { color: var(--grey); font-size: 13px; }
  pre { margin: 0; overflow: hidden; font: 14px/28px ui-monospace, monospace; }
  figure > svg, #dial { position: absolute; top: 120px; right: 14px; width: 100px; color: var(--grey); text-align: center; }
  #count { display: block; color: var(--blue); font-size: 36px; font-weight: 300; line-height: 100px; }
  path, circle { fill: none; stroke: var(--line); }
  #ring { stroke: var(--blue); stroke-dasharray: 10; stroke-dashoffset: 10; rotate: -90deg; }
  #wild > * { position: relative; text-align: center; }
  #wild > :is(#valley, #cover) { position: absolute; inset: 0; width: 100%; height: 100%; }
  text { fill: var(--text); font-size: 12px; text-anchor: middle; }
  .goal { fill: var(--blue); font-weight: 700; }
  .bowl { stroke: var(--grey); stroke-width: 2; }
  .frame { stroke: var(--orange); stroke-dasharray: 4 4; }
  .legs { stroke: var(--orange); opacity: 0.5; }
  .streak { stroke: var(--orange); stroke-width: 7; stroke-linecap: round; opacity: 0.35; }
  .been { fill: var(--paper); stroke: var(--orange); stroke-width: 1.5; }
  .ball { fill: var(--orange); stroke: var(--paper); stroke-width: 1.5; }
  #w { font-size: clamp(24px, 4cqi, 28px); line-height: 38px; font-variant-numeric: tabular-nums; }
  .gone #w { color: var(--orange); }
  .home :is(#w, .ball) { color: var(--blue); fill: var(--blue); }
  #cover { display: grid; place-content: center; gap: 14px; justify-items: center; font-size: 20px;
    background: repeating-linear-gradient(-45deg, light-dark(#f3f5f7, #1b1e22) 0 12px, var(--paper) 12px 24px); }
  #toy:not(.covered) #cover { visibility: hidden; opacity: 0; }
  .covered > #controls { display: none; }
  button { padding: 3px 12px; border: 1px solid var(--grey); border-radius: 5px; color: inherit; background: none; font: inherit; }
  #reveal { padding: 8px 26px; border: 0; color: var(--paper); background: var(--blue); font-size: 16px; font-weight: 600; }
  #controls { display: grid; grid: auto / auto 1fr minmax(4em, auto); grid-column: 1 / -1; align-items: center; gap: 4px 12px; }
  #found { grid-column: 1 / -1; min-height: 1lh; margin: 0; font-weight: 600; }
  #acts { grid-area: 2 / 3; }
  @container (max-width: 560px) {
    #toy { grid-template-columns: 1fr; } figure { height: 226px; } figure > svg, #dial { top: 40px; right: 12%; }
    pre { font-size: 13px; line-height: 17px; } #found { min-height: 2lh; }
    label[for] { grid-column: 1; } #acts { grid-area: auto / 1 / auto / -1; }
  }
  @media (prefers-reduced-motion: no-preference) { #lines, #ring, #cover { transition: 0.35s; } }`;

export default {
  render({ model, el }) {
    const toy = new Toy(model, el);
    return () => model.off(CHANGES, toy.follow);
  },
};
