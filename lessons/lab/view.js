// What an explorer shows: a picture and words, as HTML. It also keeps the keys of the explorer's controls for them.

function render({ model, el }) {
  const show = () => {
    el.innerHTML = model.get("value");
  };
  el.setAttribute("aria-live", "polite"); // a screen reader says the words when they change
  model.on("change:value", show);
  show();

  // JupyterLab has a use of its own for the arrow keys: a list to choose from would lose them.
  const keep = (event) => {
    const runsCell = event.key === "Enter" && event.shiftKey;
    if (runsCell || event.key === "Escape" || event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopPropagation();
  };
  let tries = 100;
  const guard = () => {
    const box = el.closest(".widget-vbox");
    if (box) box.addEventListener("keydown", keep);
    else if (tries-- > 0) requestAnimationFrame(guard); // not yet on the page
  };
  guard();
}

export default { render };
