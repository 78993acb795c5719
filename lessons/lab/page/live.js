// Brings together a view in the page and its model in a live kernel, whichever comes first.

// This module may be loaded twice, by our JupyterLab extension and by anywidget, so both share one registry.
const registry = (globalThis[Symbol.for("global-step-course")] ??= { models: new Map(), uses: new Map() });
const { models, uses } = registry; // both keyed by the model's id: the model, and the functions that wait for it

// Announce that the model with this id is live. Returns a function that takes the announcement back.
export function announce(id, model) {
  models.set(id, model);
  uses.get(id)?.forEach((use) => use(model));
  return () => {
    if (models.get(id) !== model) return;
    models.delete(id);
    uses.get(id)?.forEach((use) => use(null));
  };
}

// Call `use(model)` now if it is live, and whenever it is announced; `use(null)` when it has gone. Returns a function that cancels this.
export function whenLive(id, use) {
  const all = uses.get(id) ?? new Set();
  uses.set(id, all.add(use));
  if (models.has(id)) use(models.get(id));
  return () => all.delete(use) && all.size === 0 && uses.delete(id);
}
