// Cards on a track, in the order they run. They slide past each other, arrows stretch with them, and balls count what
// the runs gave. The reader may drag a card; one that would break an arrow bounces back.

import { h, isCalm, label, morph } from "./dom.js";
import { drag } from "./hands.js";

const [ROW, CARD, TOP] = [52, 42, 8]; // pixels
const [SLIDE, TURN, FLY, MANY, DRAIN] = [620, 150, 480, 1300, 450]; // milliseconds
const FLASH = 1400; // and how long the arrow that holds a card back stays marked
const SIZES = [18, 15, 12, 10, 8, 6, 5, 4, 3]; // of a ball: as large as fits
const STRETCH = 22; // pixels that a card can be pulled against an arrow

// `before` is what this function returned for the last picture: cards start where they are now.
export function cards(part, width, _focus, before) {
  const track = before?.track ?? new Track();
  track.head(part, width);
  return { track, drawing: track.drawing(), live: (figure, view) => track.live(figure.querySelector("svg.lab-cards"), view) };
}

class Track {
  constructor() {
    Object.assign(this, { places: new Map(), balls: [0, 0], script: null, held: null, strained: null });
    this.frame = this.frame.bind(this);
  }

  // A new picture: note where everything has to go, and by which script.
  head(part, width) {
    const last = this.part;
    const runs = part.taken.length - 1;
    Object.assign(this, { part, width, room: roomOf(part, width) });
    this.order = part.yours < 0 ? part.taken[runs] : part.yours;
    const goal = this.counted(runs);
    const more = runs - (last ? last.taken.length - 1 : runs);
    const from = this.script?.to ?? this.balls; // what is still on its way has arrived
    const size = this.size ?? sizeOf(goal, this.room);
    this.size = sizeOf(goal, this.room);
    if (!last || isCalm()) return this.arrive(goal);
    if (more || `${goal}` !== `${from}`) {
      const kind = more === 1 ? "one" : more > 1 ? "many" : "drain";
      this.balls = from;
      this.script = { kind, start: null, age: 0, from, to: goal, size, first: runs - more, order: last.yours < 0 ? last.taken.at(-1) : last.yours };
    }
    return undefined;
  }

  // How many runs gave the old and the new value, up to this one.
  counted(run) {
    const { taken, values } = this.part;
    const fresh = taken.slice(1, run + 1).filter((order) => values[order]).length;
    return [run - fresh, fresh];
  }

  arrive(goal) {
    Object.assign(this, { balls: goal, script: null });
    this.part.cards.forEach(({ name }, card) => this.places.set(name, { y: this.slot(card), v: 0 }));
  }

  slot(card) {
    return TOP + ROW * this.part.orders[this.order].indexOf(card);
  }

  // Called after each drawing: listens once, and moves on until everything is in its place.
  live(svg, view) {
    if (this.svg !== svg) {
      svg.addEventListener("pointerdown", (event) => this.grab(event));
      svg.addEventListener("keydown", (event) => this.key(event));
    }
    Object.assign(this, { svg, view });
    if (!this.isMoving && !isCalm()) {
      this.isMoving = true;
      this.then = null;
      requestAnimationFrame(this.frame);
    }
  }

  frame(now) {
    const time = Math.min(now - (this.then ?? now), 40);
    this.then = now;
    const isDone = this.advance(time);
    if (this.svg.isConnected) morph(this.svg, this.drawing());
    this.isMoving = !isDone && this.svg.isConnected;
    if (this.isMoving) requestAnimationFrame(this.frame);
  }

  // Let this many milliseconds pass; return whether everything is at rest.
  advance(time) {
    if (this.script) this.play((this.script.age += time));
    if (this.strained && !this.held && (this.strained.age += time) > FLASH) this.strained = null;
    const { orders, cards: all, taken } = this.part;
    const order = this.script?.kind === "many" ? orders[taken[this.script.run]] : orders[this.order];
    let isDone = !this.script && !this.strained && !this.held;
    all.forEach(({ name }, card) => {
      const place = this.places.get(name) ?? { y: this.slot(card), v: 0 };
      this.places.set(name, place);
      if (this.held !== card && !spring(place, TOP + ROW * order.indexOf(card), time, this.strained ? 11 : 20)) isDone = false;
    });
    return isDone;
  }

  // How far the run is, or the many runs, or the emptying of the piles.
  play(age) {
    const { kind, from, to, first } = this.script;
    const runs = this.part.taken.length - 1;
    const length = { one: SLIDE + TURN * this.part.cards.length + FLY, many: MANY, drain: DRAIN }[kind];
    const share = Math.min(age / length, 1);
    if (kind === "many") {
      this.script.run = first + Math.floor((runs - first) * ease(share));
      this.balls = this.counted(this.script.run);
    }
    if (kind === "drain") this.balls = from.map((count, i) => Math.round(count + (to[i] - count) * ease(share)));
    if (share === 1) Object.assign(this, { script: null, balls: to });
  }

  // The number of cards that have run, while a run is shown; later, all of them.
  get ran() {
    return this.script?.kind === "one" ? (this.script.age - SLIDE) / TURN : Infinity;
  }

  grab(event) {
    const card = Number(event.target.closest("[data-card]")?.dataset.card ?? -1);
    if (card < 0 || event.button) return;
    event.preventDefault();
    event.target.closest("[data-card]").focus({ preventScroll: true });
    this.finish();
    const place = this.places.get(this.part.cards[card].name);
    const start = place.y - event.clientY;
    const end = () => {
      this.held = null;
      this.wake();
    };
    drag(this.view, event, ({ clientY }) => this.pull(card, start + clientY), end); // which first ends another one
    Object.assign(this, { held: card, strained: null });
    this.wake();
  }

  // The pointer holds a card at `y`: it trades places with those it passes, up to one that an arrow joins it with.
  pull(card, y) {
    const way = Math.sign(y - this.slot(card));
    while (way * (y - this.slot(card)) > ROW / 2 && this.step(card, way));
    const far = y - this.slot(card);
    const isFree = way * far <= ROW / 4 || this.holding(card, way) === null;
    const place = this.places.get(this.part.cards[card].name);
    place.y = this.slot(card) + (isFree && this.neighbour(card, Math.sign(far)) !== undefined ? far : Math.sign(far) * STRETCH * (1 - Math.exp(-Math.abs(far) / 60)));
    place.v = 0;
    if (isFree) this.strained = null;
    else this.strain(card, way);
    this.wake();
  }

  neighbour(card, way) {
    const order = this.part.orders[this.order];
    return order[order.indexOf(card) + way];
  }

  // The arrow that keeps a card from trading places with the next one up (-1) or down (1), or null.
  holding(card, way) {
    const other = this.neighbour(card, way);
    const [from, to] = way < 0 ? [other, card] : [card, other];
    return this.part.edges.find((edge) => edge.from === from && edge.to === to) ?? null;
  }

  // Trade places with the next card up or down, if no arrow forbids it.
  step(card, way) {
    const other = this.neighbour(card, way);
    if (other === undefined || this.holding(card, way)) return false;
    const order = this.part.orders[this.order].map((one) => (one === card ? other : one === other ? card : one));
    const before = this.slot(card);
    this.view.set({ [this.part.control]: order.map((one) => this.part.cards[one].name).join(", ") });
    return this.slot(card) !== before; // a stranger's orders may lack this one
  }

  strain(card, way) {
    const edge = this.holding(card, way);
    if (!edge) return;
    const [from, to] = [edge.from, edge.to].map((one) => this.part.cards[one].name);
    const said = `${to} has to wait for ${from}.`;
    this.strained = { from, to, said, age: 0 };
    if (this.view.spoken.textContent !== said) this.view.spoken.textContent = said;
  }

  key(event) {
    const way = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
    const target = event.target.closest("[data-card]");
    if (!way || !target) return;
    event.preventDefault();
    this.finish();
    const card = Number(target.dataset.card);
    this.strained = null;
    if (!this.step(card, way)) {
      this.strain(card, way);
      this.places.get(this.part.cards[card].name).v = way * 0.55; // a push that the arrow takes back
    }
    this.wake();
  }

  // Whatever is still on its way arrives at once: the reader takes over.
  finish() {
    if (this.script) Object.assign(this, { balls: this.script.to, script: null });
  }

  wake() {
    if (isCalm()) {
      if (this.held === null) this.part.cards.forEach(({ name }, card) => this.places.set(name, { y: this.slot(card), v: 0 }));
      morph(this.svg, this.drawing());
    } else this.live(this.svg, this.view);
  }

  drawing() {
    const { part, width, room } = this;
    return h(
      "svg",
      { class: "lab-cards", width, height: room.height, role: "group", "aria-label": part.title },
      h("g", {}, part.cards.map((_, i) => this.slotOf(i))),
      h("g", {}, part.edges.map((edge) => this.edge(edge))),
      h("g", {}, part.cards.map((card, i) => this.card(card, i))),
      h("g", { class: "above" }, this.held !== null && this.face(part.cards[this.held], this.held)), // over the others
      h("g", {}, part.bins.map((name, i) => this.bin(name, i))),
      h("g", {}, this.single()),
      label(0, room.height - 6, this.said(), { class: this.strained ? "note k-now" : "detail" }),
    );
  }

  said() {
    const { taken, yours, isFull } = this.part;
    if (this.strained) return this.strained.said;
    if (yours >= 0) return "The ring is your own order. It isn't counted.";
    if (isFull) return "A thousand runs are enough: Clear begins again.";
    return taken.length > 1 ? " " : "Press Shuffle, or drag a card up or down.";
  }

  slotOf(i) {
    const y = TOP + ROW * i;
    return [
      h("rect", { class: "slot", x: this.room.left, y, width: this.room.card, height: CARD, rx: 6 }),
      label(0, y + CARD / 2 + 4, `${i + 1}.`, { class: "detail" }),
    ];
  }

  // An arrow on the left of the cards, further out the further it goes.
  edge({ from, to, order, kind }) {
    const { cards: all, edges } = this.part;
    const into = edges.filter((edge) => edge.to === to).findIndex((edge) => edge.from === from);
    const [a, b] = [from, to].map((card) => this.places.get(all[card].name)?.y ?? 0);
    const [y0, y1] = [a + CARD - 10, b + 9 + 11 * into];
    const out = Math.min(8 + 0.3 * Math.abs(b - a), this.room.left - 24) / 0.75; // a curve reaches three quarters of this
    const [x0, x1] = [this.shifted(from), this.shifted(to)].map((shift) => this.room.left + shift);
    const isStrained = this.strained?.from === all[from].name && this.strained?.to === all[to].name;
    return h(
      "g",
      { kind: isStrained ? "now" : kind, class: isStrained ? "strained" : "" },
      h("path", { class: order ? "edge order" : "edge", d: `M${x0},${num(y0)}C${num(x0 - out)},${num(y0)} ${num(x1 - 6 - out)},${num(y1)} ${num(x1 - 6)},${num(y1)}` }),
      h("path", { class: "head", d: `M${num(x1)},${num(y1)}l-8,-4v8Z` }),
    );
  }

  // How far a card makes room while it passes others: one that goes up keeps to the left half (-1), one that goes down to
  // the right half (1).
  lane(card) {
    const v = this.held === card ? 0 : this.places.get(this.part.cards[card].name)?.v ?? 0;
    return Math.max(-1, Math.min(1, v * 7));
  }

  shifted(card) {
    return num((Math.max(0, this.lane(card)) * this.room.card) / 2);
  }

  card(card, i) {
    const { name, does } = card;
    const place = this.part.orders[this.order].indexOf(i) + 1;
    const said = `${name}, ${place} of ${this.part.cards.length}: ${does[this.part.values[this.order]]}. Arrow keys move it.`;
    return h("g", { class: "slider", "data-card": i, tabindex: 0, role: "button", "aria-label": said }, this.face(card, i));
  }

  face({ name, does, kind }, i) {
    const { part, room, ran } = this;
    const place = part.orders[this.order].indexOf(i);
    const isDone = ran >= place + 1;
    const aside = Math.abs(this.lane(i));
    const wide = room.card * (1 - aside / 2);
    const look = [ran >= place && !isDone && "lit", this.held === i && "held"].filter(Boolean).join(" ");
    return h(
      "g",
      { class: `node card ${look}`, kind, transform: `translate(${num(room.left + this.shifted(i))} ${num(this.places.get(name)?.y ?? 0)})` },
      h("rect", { width: num(wide), height: CARD, rx: 6 }),
      label(12, 18, name, { class: "code" }),
      label(12, 34, this.script?.kind === "many" || !isDone || aside > 0.1 ? " " : does[part.values[this.order]], { class: "detail" }),
      h("path", { class: "grip", "stroke-opacity": num(1 - aside), d: `M${num(wide - 20)},17h8m-8,4h8m-8,4h8` }),
    );
  }

  bin(name, i) {
    const { room, balls, script } = this;
    const [x, count] = [room.bins[i], balls[i]];
    const turned = script ? Math.min(script.age / 300, 1) : 1; // from the old size of balls to the new one
    const size = script ? script.size + (this.size - script.size) * turned : this.size;
    let d = "";
    for (let ball = 0; ball < count; ball += 1) {
      const [a, b] = [spotOf(ball, script?.size ?? this.size, room, i), spotOf(ball, this.size, room, i)];
      d += `M${num(a[0] + (b[0] - a[0]) * turned)},${num(a[1] + (b[1] - a[1]) * turned)}h0`;
    }
    return h(
      "g",
      { kind: "done" },
      h("path", { class: "balls", d: d || "M0,0", "stroke-width": count ? size - 1 : 0 }),
      h("path", { class: "bin", d: `M${x},${room.rim}V${room.floor}H${x + room.bin}V${room.rim}` }),
      label(x + room.bin / 2, room.floor + 20, `${count} ${name}`, { class: "name", kind: "plain", "text-anchor": "middle" }),
    );
  }

  // The ball of this run, which flies from its card into a pile; or a ring, for an order that isn't counted.
  single() {
    const { part, script, size, room, balls } = this;
    const value = part.values[this.order];
    if (script?.kind === "many" || script?.kind === "drain") return h("circle", { class: "ball", r: 0 });
    const [x, y] = spotOf(balls[value], size, room, value);
    const isCounted = part.yours < 0 && part.taken.length > 1;
    if (!script) {
      if (isCounted) return lastOf(spotOf(Math.max(balls[value] - 1, 0), size, room, value), size);
      return h("circle", { class: "ball ring", kind: "now", r: size / 2 - 1.5, transform: `translate(${num(x)} ${num(y)})` });
    }
    const share = (script.age - SLIDE - TURN * part.cards.length) / FLY;
    if (share <= 0) return h("circle", { class: "ball", r: 0 });
    const [x0, y0] = [room.left + room.card - 20, (this.places.get(part.cards[part.gives]?.name)?.y ?? 0) + CARD / 2];
    const rise = Math.min(share / 0.65, 1); // first up and over the rim, then down
    const fall = Math.max((share - 0.65) / 0.35, 0);
    const over = lerp(y0, Math.min(y0, room.rim - 14), 1 - (1 - rise) ** 3);
    return lastOf([lerp(x0, x, rise ** 2), lerp(over, y, Math.min(fall, 1) ** 2)], size);
  }
}

const lastOf = ([x, y], size) => h("circle", { class: "ball", kind: "now", r: size / 2 - 0.5, transform: `translate(${num(x)} ${num(y)})` });
const lerp = (a, b, share) => a + (b - a) * share;
const num = (value) => Number(value.toFixed(1));
const ease = (share) => (share < 0.5 ? 2 * share ** 2 : 1 - 2 * (1 - share) ** 2);

// Move a place on its spring for some milliseconds; return whether it's at rest. Little `damping` lets it bounce.
function spring(place, goal, time, damping) {
  for (let left = time; left > 0; left -= 4) {
    const step = Math.min(left, 4) / 1000;
    const push = 110 * (goal - place.y) - damping * place.v * 1000;
    place.v += (push * step) / 1000;
    place.y += place.v * 1000 * step;
  }
  if (Math.abs(goal - place.y) > 0.2 || Math.abs(place.v) > 0.005) return false;
  Object.assign(place, { y: goal, v: 0 });
  return true;
}

// Where the cards and the two bins are.
function roomOf({ cards: all }, width) {
  const isNarrow = width < 520;
  const left = isNarrow ? 66 : 104;
  const card = isNarrow ? Math.max(120, Math.min(160, width - left - 122)) : 232;
  const first = left + card + (isNarrow ? 14 : 48);
  const bin = Math.max(40, Math.min(130, (width - first - 12) / 2 - 2));
  const tall = ROW * all.length + TOP;
  const bins = [first, first + bin + 12];
  return { left, card, bin, bins, rim: TOP + 22, floor: tall - 30, height: tall + 26 };
}

// As large as lets the higher pile fit, with room for one more.
function sizeOf(counts, { bin, rim, floor }) {
  const most = Math.max(...counts) + 1;
  return SIZES.find((size) => Math.floor((bin - 4) / size) * Math.floor((floor - rim - 2) / size) >= most) ?? SIZES.at(-1);
}

// The middle of a ball in its pile, which is filled row by row.
function spotOf(ball, size, { bin, bins, floor }, i) {
  const across = Math.max(1, Math.floor((bin - 4) / size));
  const margin = (bin - across * size) / 2;
  return [bins[i] + margin + size * ((ball % across) + 0.5), floor - 2 - size * (Math.floor(ball / across) + 0.5)];
}
