// A question with options: radio buttons, and, if it has a text, a button to answer.

function render({ model, el }) {
  const add = (tag, parent, properties) =>
    parent.appendChild(Object.assign(document.createElement(tag), properties));
  const box = add("fieldset", el, { className: "lab-choice" });
  add("legend", box, { innerHTML: model.get("question") });
  const name = `choice-${crypto.randomUUID()}`; // of this view alone: radio buttons of one name are a group
  const radios = model.get("options").map((option, index) => {
    const label = add("label", box);
    const radio = add("input", label, { type: "radio", name });
    add("span", label, { innerHTML: option });
    radio.addEventListener("change", () => {
      model.set("chosen", index);
      model.save_changes();
    });
    return radio;
  });
  const button = add("button", box, { textContent: model.get("button"), hidden: !model.get("button") });
  button.addEventListener("click", () => {
    model.set("answers", model.get("answers") + 1);
    model.save_changes();
  });
  const reply = add("p", box);
  reply.setAttribute("aria-live", "polite"); // a screen reader says it when it changes

  const follow = () => {
    radios.forEach((radio, index) => (radio.checked = index === model.get("chosen")));
    button.disabled = model.get("chosen") < 0;
    reply.innerHTML = model.get("reply");
  };
  model.on("change:chosen change:reply", follow);
  follow();

  // JupyterLab has a use of its own for the arrow keys, Enter and Space. Here they belong to the buttons.
  box.addEventListener("keydown", (event) => {
    const runsCell = event.key === "Enter" && event.shiftKey;
    if (runsCell || event.key === "Escape" || event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopPropagation();
  });
}

export default { render };
