// The ops of one run are cards, in the order they run. The reader shuffles them, or moves one as far as the edges allow,
// and two bins count what the runs have read.

const STYLE = `
:host { --blue: light-dark(#0969a8, #63b3ed); --orange: light-dark(#b35900, #f6a04d); --grey: light-dark(#6b7178, #9aa1a9);
  --paper: light-dark(#fff, #111); max-width: 784px; color: light-dark(#24292f, #dfe2e6); font: 14px/1.45 system-ui, sans-serif; }
.bar, .below { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; }
button, select { padding: 3px 12px; border: 1px solid var(--grey); border-radius: 4px; color: inherit; background: none; font: inherit; }
.track { position: relative; height: 114px; margin-top: 12px; }
.track > * { position: absolute; box-sizing: border-box; }
.card { width: var(--long); height: 48px; padding: 4px 10px; border: 1px solid var(--grey); border-radius: 6px; background: var(--paper);
  line-height: 19px; white-space: nowrap; cursor: grab; touch-action: pan-y; user-select: none;
  transform: translate(var(--at), 64px); transition: transform 0.35s; }
.card::before { content: attr(aria-valuenow); float: right; font-size: 12px; }
.card b { font: 13px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.card small { display: block; font-size: 12px; }
.card.read { border-color: var(--blue); background: color-mix(in srgb, var(--blue) 12%, var(--paper)); }
.card.update { border-color: var(--orange); background: color-mix(in srgb, var(--orange) 14%, var(--paper)); }
.card:not([aria-valuenow]) { display: none; } /* until its place is known, so that it doesn't fly there */
.card.held { z-index: 1; cursor: grabbing; box-shadow: 0 3px 8px rgb(0 0 0 / 30%); transition: none; }
.column { height: calc(var(--count) * 54px); }
.column .card { width: min(240px, 100% - 64px); height: 46px; touch-action: none; transform: translate(64px, var(--at)); }
.column svg { transform: matrix(0, 1, 1, 0, 0, 0); transform-origin: 0 0; } /* across becomes down */
svg { overflow: visible; pointer-events: none; }
.track path { fill: none; stroke: var(--grey); stroke-width: 1.5; transition: d 0.35s, opacity 0.35s; }
.track .loose path { transition: none; }
.control .line { stroke-dasharray: 5 4; }
.track .head { fill: var(--grey); }
.chosen, .strained { --grey: var(--orange); }
.track .strained .line { stroke-width: 3.5; }
.absent path { opacity: 0; }
.said { min-height: 2.9em; margin: 10px 0 4px; }
.bin { text-align: center; }
.pile { display: block; width: 136px; height: 94px; margin-bottom: 4px; border: solid var(--grey); border-width: 0 2px 2px; }
.pile path { stroke: var(--blue); stroke-linecap: round; }
.here { color: var(--blue); font-weight: bold; }
.verdict { flex: 1 1 260px; margin: 0; padding: 2px 12px; border-left: 3px solid var(--blue); }
.verdict.race { border-color: var(--orange); }
@media (prefers-reduced-motion: reduce) { .card, .track path { transition: none; } }
`;

const [SLIDE, TURN, FALL, POUR] = [350, 150, 400, 700]; // milliseconds: cards move, each op has its turn, one ball falls, a hundred do
const [TOP, WIDE, HIGH] = [64, 136, 94]; // pixels: above the cards, for arrows; and a bin's inside
const KEYS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -9, End: 9 }; // by how many places each moves a card
const NAMES = ["old", "new"];
const TRAITS = ["edge", "order", ...NAMES];
const animate = (...all) => matchMedia("(prefers-reduced-motion: reduce)").matches || Element.prototype.animate.call(...all);
const appear = (node, delay) => animate(node, [{ opacity: 0 }, {}], { delay, duration: TURN, fill: "backwards" });

function render({ model, el }) {
  const graphs = model.get("graphs");
  const { cards, read, update } = Object.values(graphs)[0]; // all choices have the same ops
  const edges = Object.values(graphs).flatMap((graph) => graph.edges);
  const arrows = [...new Map(edges.map((edge) => [`${edge.from} ${edge.to}`, edge])).values()]; // of all choices, each once

  const host = el.appendChild(document.createElement("div"));
  const root = host.attachShadow({ mode: "open" });
  const kind = (name) => (name === read ? "read" : name === update ? "update" : "");
  const card = ({ name }) => `<div class="card ${kind(name)}" data-name="${name}" tabindex="0" role="slider" aria-label="${name}"
    aria-valuemin="1" aria-valuemax="${cards.length}"><b>${name}</b><small></small></div>`;
  const bin = `<div class="bin"><svg class="pile" aria-hidden="true"><path /><path class="last" /></svg><span class="count"></span></div>`;
  root.innerHTML = `<style>${STYLE}</style>
    <div class="bar">
      <label>control edge &nbsp;<select>${Object.keys(graphs).map((choice) => `<option>${choice}</option>`)}</select></label>
      <button>Shuffle</button><button>Run 100</button><button>Clear</button>
    </div>
    <div class="track" role="group" aria-label="The ops of one run, in their order" style="--count: ${cards.length}">
      <svg aria-hidden="true">${arrows.map(() => '<g><path class="line" /><path class="head" /></g>').join("")}</svg>
      ${cards.map(card).join("")}
    </div>
    <p class="said" role="status">Press Shuffle, or move a card: drag it, or use the arrow keys.</p>
    <div class="below">${bin}${bin}<p class="verdict"></p></div>`;
  const all = (selector) => [...root.querySelectorAll(selector)];
  const [track, said, verdict, select] = [".track", ".said", ".verdict", "select"].map((selector) => root.querySelector(selector));
  select.parentNode.hidden = select.length === 1;
  const nodes = Object.fromEntries(all(".card").map((node) => [node.dataset.name, node]));

  let isRow, pitch; // of the cards, which are in a column where a row has no room
  let held = null; // the card under a pointer: { name, pointer, start, offset }
  let strained = null; // the edge that has just kept a card in its place

  const graph = () => graphs[model.get("edge")];
  const valueOf = (order) => Number(order.indexOf(update) < order.indexOf(read));
  const reads = (order) => `${read} reads ${valueOf(order)}, the ${NAMES[valueOf(order)]} value`;

  function change(values, words) {
    strained = null;
    said.textContent = words;
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
    draw();
  }

  // Let some runs take any order but the one before, and count what they read.
  function run(runs) {
    let order = model.get("order");
    const counts = NAMES.map((name) => model.get(name));
    for (let i = 0; i < runs; i += 1) {
      const others = graph().orders.filter((other) => `${other}` !== `${order}`);
      order = others[Math.floor(Math.random() * others.length)];
      counts[valueOf(order)] += 1;
    }
    change({ order, old: counts[0], new: counts[1] }, `In run ${counts[0] + counts[1]}, ${reads(order)}.`);
    if (runs === 1) return watch(order);
    all(".last").forEach((ball) => appear(ball, POUR));
    all(".pile :first-child").forEach((balls) => animate(balls, [{ clipPath: "inset(100% 0 0)" }, { clipPath: "inset(0)" }], POUR));
  }

  // Show one run: each op has its turn, and then a ball falls.
  function watch(order) {
    order.forEach((name, i) => {
      animate(nodes[name], [{ boxShadow: "0 0 0 3px var(--blue)" }, {}], { delay: SLIDE + TURN * i, duration: 2 * TURN });
      appear(nodes[name].lastChild, SLIDE + TURN * i);
    });
    const [ball, delay] = [all(".last")[valueOf(order)], SLIDE + TURN * order.length];
    animate(ball, [{ translate: "0 -90px", opacity: 0 }, { opacity: 1 }, {}], { delay, duration: FALL, fill: "backwards" });
    [said, ...all(".count")].forEach((words) => appear(words, delay + FALL));
  }

  const begin = (edge) => change({ edge, order: graphs[edge].orders[0], old: 0, new: 0 }, "");

  // The card before (-1) or after (1) this one, and the edge that joins the two, if there is one.
  function next(name, way) {
    const order = model.get("order");
    const other = order[order.indexOf(name) + way];
    const [from, to] = way < 0 ? [other, name] : [name, other];
    return [other, graph().edges.find((edge) => edge.from === from && edge.to === to)];
  }

  // Let a card trade places with the next one, unless an edge forbids it; return whether it moved.
  function move(name, way) {
    const [other, edge] = next(name, way);
    if (edge) {
      strained = edge;
      said.textContent = `${edge.to} has to wait for ${edge.from}${edge.control ? ": there's a control edge" : ", whose value it uses"}.`;
      draw();
    }
    if (edge || !other) return false;
    const order = model.get("order").map((one) => (one === name ? other : one === other ? name : one));
    change({ order }, `In your order, ${reads(order)}. Only shuffled runs are counted.`);
    return true;
  }

  const along = (event) => (isRow ? event.clientX : event.clientY);
  const nameAt = (event) => event.target.closest(".card")?.dataset.name;

  function grab(event) {
    const name = nameAt(event);
    if (!name || event.button) return;
    held = { name, pointer: event.pointerId, start: along(event), offset: 0 };
    nodes[name].setPointerCapture(event.pointerId);
    draw();
  }

  function pull(event) {
    if (held?.pointer !== event.pointerId) return;
    const far = () => along(event) - held.start;
    const way = Math.sign(far());
    while (Math.abs(far()) > pitch / 2 && move(held.name, way)) held.start += way * pitch;
    const [other, edge] = next(held.name, Math.sign(far()));
    held.offset = other && !edge ? far() : 20 * Math.tanh(far() / 60); // a card that can't pass gives way a little
    draw();
  }

  function press(event) {
    if (!event.shiftKey && !event.ctrlKey && !event.metaKey) event.stopPropagation(); // JupyterLab has other uses for these keys
    const [name, places] = [nameAt(event), KEYS[event.key]];
    if (!name || !places) return;
    event.preventDefault();
    const way = Math.sign(places);
    for (let i = 0; i !== places && move(name, way); i += way);
    if (strained) animate(nodes[name], [{}, { translate: isRow ? `${10 * way}px` : `0 ${10 * way}px` }, {}], 250);
  }

  const startOf = (name) => pitch * model.get("order").indexOf(name) + (held?.name === name ? held.offset : 0);

  function draw() {
    const order = model.get("order");
    isRow = track.clientWidth >= 138 * cards.length;
    pitch = isRow ? track.clientWidth / cards.length : 54;
    track.classList.toggle("column", !isRow);
    track.style.setProperty("--long", `${pitch - 12}px`);
    select.value = model.get("edge");
    cards.forEach(({ name, does }) => {
      const [node, value] = [nodes[name], does[valueOf(order)]];
      node.style.setProperty("--at", `${startOf(name)}px`);
      node.classList.toggle("held", held?.name === name);
      node.lastChild.textContent = value;
      node.ariaValueNow = order.indexOf(name) + 1;
      node.ariaValueText = `${node.ariaValueNow} of ${cards.length}, ${value}`;
    });
    all("g").forEach((g, i) => drawArrow(g, arrows[i]));
    drawBins(valueOf(order));
    verdict.textContent = graph().verdict;
    verdict.classList.toggle("race", new Set(graph().orders.map(valueOf)).size > 1);
  }

  // An arrow leaves the end of one card and arrives at the start of another; two that arrive there don't cross.
  function drawArrow(g, { from, to, control }) {
    const into = graph().edges.filter((edge) => edge.to === to);
    const edge = into.find((one) => one.from === from);
    const nearer = into.filter((one) => startOf(one.from) > startOf(from)).length;
    const [start, end] = [startOf(from) + 0.75 * (pitch - 12), startOf(to) + (0.2 + 0.2 * nearer) * (pitch - 12)];
    const peak = TOP - Math.min(20 + 0.12 * Math.abs(end - start), 76);
    g.firstChild.setAttribute("d", `M${start},${TOP}C${start},${peak} ${end},${peak} ${end},${TOP - 7}`);
    g.lastChild.setAttribute("d", `M${end},${TOP}l-4,-8h8Z`);
    const looks = [control && "control", edge ? edge.chosen && "chosen" : "absent", edge && edge === strained && "strained"];
    g.setAttribute("class", [...looks, [from, to].includes(held?.name) && "loose"].filter(Boolean).join(" "));
  }

  // Fill the bins row by row, with balls as large as lets the higher pile fit.
  function drawBins(value) {
    const counts = NAMES.map((name) => model.get(name));
    const across = Math.max(9, Math.ceil(Math.sqrt(1.8 * Math.max(...counts))));
    const size = WIDE / across;
    const spot = (ball) => [size * ((ball % across) + 0.5), HIGH - size * (Math.floor(ball / across) + 0.5)];
    all(".bin").forEach(({ firstChild: pile, lastChild: caption }, i) => {
      const balls = Array.from({ length: counts[i] }, (_, ball) => `M${spot(ball)}h0`);
      pile.firstChild.setAttribute("d", balls.slice(0, -1).join(""));
      pile.lastChild.setAttribute("d", balls.slice(-1).join("")); // by itself, for it may fall
      pile.style.strokeWidth = 0.9 * size;
      caption.textContent = `${counts[i]} ${NAMES[i]}`;
      caption.classList.toggle("here", value === i && counts[i] > 0);
    });
  }

  // JupyterLab and the web site say in the body's attributes whether the page is light or dark.
  function followTheme() {
    const { jpThemeLight, theme } = document.body.dataset;
    host.style.colorScheme = { true: "light", false: "dark", light: "light", dark: "dark" }[jpThemeLight ?? theme] ?? "light dark";
  }

  const acts = [() => run(1), () => run(100), () => begin(model.get("edge"))];
  all("button").forEach((button, i) => (button.onclick = acts[i]));
  select.onchange = () => begin(select.value);
  Object.assign(track, { onpointerdown: grab, onpointermove: pull, onlostpointercapture: () => draw((held = null)) });
  root.addEventListener("keydown", press);
  TRAITS.forEach((name) => model.on(`change:${name}`, draw));
  const [size, theme] = [new ResizeObserver(draw), new MutationObserver(followTheme)];
  size.observe(track);
  theme.observe(document.body, { attributes: true });
  followTheme();
  return () => {
    [size, theme].forEach((observer) => observer.disconnect());
    TRAITS.forEach((name) => model.off(`change:${name}`, draw));
    host.remove();
  };
}

export default { render };
