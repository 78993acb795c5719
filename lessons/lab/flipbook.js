// Pictures of which one shows at a time: by slider, by button, by keyboard, or played one after the other.

const BEAT = 900; // milliseconds between two pictures while it plays

function render({ model, el }) {
  const add = (tag, parent, properties) =>
    parent.appendChild(Object.assign(document.createElement(tag), properties));
  const box = add("div", el, { className: "lab-flipbook" });
  const controls = add("div", box, { className: "lab-flipbook-controls" });
  const back = add("button", controls, { textContent: "Back" });
  const next = add("button", controls, { textContent: "Step" });
  const play = add("button", controls, { textContent: "Play" });
  const label = add("label", controls, { textContent: model.get("label") });
  const slider = add("input", label, { type: "range", min: 0, step: 1 });
  const readout = add("output", controls);
  readout.setAttribute("aria-live", "off"); // the words say it
  const words = add("p", box); // above the picture: a tall one would push them out of sight
  const picture = add("div", box);

  const last = () => model.get("frames").length - 1;
  let timer = null;

  // Draw at once, here in the page; the kernel is told, and need not answer.
  const go = (at) => {
    model.set("at", Math.max(0, Math.min(last(), at)));
    model.save_changes();
  };
  const stop = () => {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
    words.setAttribute("aria-live", "polite"); // a screen reader says it when it changes
  };
  const show = () => {
    const at = model.get("at");
    picture.innerHTML = model.get("frames")[at];
    words.textContent = model.get("captions")[at];
    slider.max = last();
    slider.value = at;
    readout.textContent = `${at} of ${last()}`;
    // Not `disabled`: a button that the keyboard is on would lose it.
    back.setAttribute("aria-disabled", at === 0);
    next.setAttribute("aria-disabled", at === last());
    play.disabled = last() === 0;
    if (at === last()) stop();
  };

  slider.addEventListener("input", () => go(Number(slider.value)));
  back.addEventListener("click", () => go(model.get("at") - 1));
  next.addEventListener("click", () => go(model.get("at") + 1));
  play.addEventListener("click", () => {
    if (timer !== null) return stop();
    if (model.get("at") === last()) go(0);
    play.textContent = "Stop";
    words.setAttribute("aria-live", "off"); // too much to say
    timer = setInterval(() => go(model.get("at") + 1), BEAT);
  });
  // JupyterLab has a use of its own for the arrow keys, Enter and Space. Here they belong to the controls.
  box.addEventListener("keydown", (event) => {
    const runsCell = event.key === "Enter" && event.shiftKey;
    if (runsCell || event.key === "Escape" || event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopPropagation();
  });
  model.on("change:at", show);
  stop();
  show();
  return stop; // when the view goes, nothing plays on
}

export default { render };
