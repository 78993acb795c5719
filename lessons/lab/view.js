// What an explorer shows: a picture and words, as HTML. It also keeps the keys of the explorer's controls for them.

function render({ model, el }) {
  const show = () => {
    el.innerHTML = model.get("value");
  };
  model.on("change:value", show);
  show();

  // JupyterLab has a use of its own for the arrow keys: a list to choose from would lose them.
  const keep = (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
  };
  const guard = () => {
    const box = el.closest(".widget-vbox");
    if (box) box.addEventListener("keydown", keep);
    else requestAnimationFrame(guard); // not yet on the page
  };
  guard();
}

export default { render };
