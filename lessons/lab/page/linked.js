// A view whose values Python shares, if it is there. A subclass has `controls` and `state`, and says in `heard` what to do.

export class Linked {
  // The page tells Python. What Python's side echoes in the meantime isn't news.
  tell(changes) {
    if (!this.model) return;
    this.isTelling = true;
    for (const [name, value] of Object.entries(changes)) this.model.set(name, value);
    this.isTelling = false;
    this.model.save_changes();
  }

  // Python tells the page.
  follow = () => {
    if (this.isTelling) return;
    const values = this.controls.map(({ name }) => [name, this.model.get(name)]).filter(([, value]) => value !== undefined);
    if (values.some(([name, value]) => this.state[name] !== value)) this.heard(Object.fromEntries(values));
  };

  // `model` is null when Python has gone.
  connect(model) {
    this.leave();
    this.model = model;
    model?.on("change", this.follow);
    if (model) this.follow();
  }

  leave() {
    this.model?.off("change", this.follow);
    this.model = null;
  }
}
