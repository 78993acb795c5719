// Our JupyterLab extension: it draws a notebook's views from their stored data, run or not, trusted or not.
//
// JupyterLab loads this script as if webpack had built it, and asks the container `_JUPYTERLAB[name]` for a plugin.

(() => {
  const OURS = "application/vnd.global-step-course";
  const WIDGET = "application/vnd.jupyter.widget-view+json";
  const RANK = -20; // before ipywidgets, which has -10
  const script = document.currentScript.src;
  const beside = (name) => new URL(name, script).href;
  let scope; // what JupyterLab shares, by name and version
  let recall; // what a reader answered, by a question's id (memory.js)

  const shared = async (name) => (await Object.values(scope[name])[0].get())();

  async function plugin() {
    const [{ Widget }, { IRenderMimeRegistry }, { INotebookTracker, NotebookActions }, { mount }, { whenLive }, memory] = await Promise.all([
      ...["@lumino/widgets", "@jupyterlab/rendermime", "@jupyterlab/notebook"].map(shared),
      ...["view.js", "live.js", "memory.js"].map((name) => import(beside(name))),
    ]);

    recall = memory.recall;

    class View extends Widget {
      async renderModel({ data }) {
        this.end?.();
        const host = document.createElement("div");
        this.node.replaceChildren(host);
        const view = mount(host, JSON.parse(data[OURS]), data["text/plain"]);
        const id = data[WIDGET]?.model_id;
        const cancel = id && whenLive(id, (model) => view.connect(model));
        this.end = () => {
          cancel?.();
          view.dispose();
          this.end = null;
        };
      }

      dispose() {
        this.end?.();
        super.dispose();
      }
    }

    const activate = (app, rendermime, tracker) => {
      const style = { rel: "stylesheet", href: beside("kit.css") };
      document.head.append(Object.assign(document.createElement("link"), style));
      // Each notebook copies this registry when it opens, and none opens before all plugins are active.
      rendermime.addFactory({ safe: true, mimeTypes: [OURS], createRenderer: () => new View() }, RANK);
      tracker.widgetAdded.connect((_, panel) => stayClean(panel.context.model));
      NotebookActions.executionScheduled.connect((_, { cell }) => cell.outputHidden && keepFolded(cell));
      NotebookActions.executed.connect((_, { notebook, cell }) => unfoldIfAnswered(notebook, cell));
      document.addEventListener(memory.COMPARED, ({ detail }) => {
        if (!detail.cleared) tracker.forEach(({ content }) => unfoldAfter(content, detail.id));
      });
    };
    const requires = [IRenderMimeRegistry, INotebookTracker];
    return () => ({ id: "global-step-course:views", autoStart: true, requires, activate });
  }

  // What follows a prediction is stored folded. JupyterLab unfolds what is run; this waits until there is an answer.

  const folded = new WeakSet(); // models of cells that were folded when they were last run

  function keepFolded(cell) {
    folded.add(cell.model);
    cell.node.classList.add("lab-running"); // hides what arrives
  }

  function unfoldIfAnswered(notebook, cell) {
    if (!cell.node.classList.contains("lab-running")) return;
    const id = predictionOf(notebook, cell);
    if (!id || recall(id)) return unfold(cell);
    cell.outputHidden = true;
    return cell.node.classList.replace("lab-running", "lab-waits"); // kit.css says for what
  }

  function unfold(cell) {
    cell.node.classList.remove("lab-running", "lab-waits");
    cell.outputHidden = false;
  }

  // The id of the prediction that a cell shows, if it shows one.
  function predictionIn({ model }) {
    const outputs = model.type === "code" ? model.outputs.toJSON() : [];
    const view = outputs.map(({ data }) => data?.[OURS]).find(Boolean);
    const [asked] = (view && JSON.parse(view).questions) ?? [];
    return asked?.after && asked.id;
  }

  // The id of the prediction that a folded result belongs to: the last one above it, with only such results between.
  function predictionOf(notebook, cell) {
    for (const above of notebook.widgets.slice(0, notebook.widgets.indexOf(cell)).reverse()) {
      const id = predictionIn(above);
      if (id) return id;
      if (above.model.type === "code" && !above.outputHidden && !folded.has(above.model)) return undefined;
    }
    return undefined;
  }

  // Open the results of a prediction that have been run: others open once they are.
  function unfoldAfter(notebook, id) {
    for (const cell of notebook.widgets) {
      const waits = cell.outputHidden && cell.node.classList.contains("lab-waits");
      if (waits && predictionOf(notebook, cell) === id) unfold(cell);
    }
  }

  // When a kernel starts, JupyterLab writes the names and versions of kernel and language into the notebook, marks it
  // as changed, and saves it. We don't count this as a change, so that opening a lesson leaves its file alone.
  function stayClean(model) {
    const content = () => {
      const { metadata, ...rest } = model.sharedModel.toJSON();
      const { kernelspec, language_info, ...others } = metadata;
      return JSON.stringify([rest, others, kernelspec?.name]); // another kernel is a change
    };
    let stored = content();
    model.stateChanged.connect((_, { name }) => {
      if (name !== "dirty") return;
      if (!model.dirty) stored = content(); // read from the file, or saved
      else queueMicrotask(() => model.dirty && content() === stored && (model.dirty = false));
    });
  }

  window._JUPYTERLAB ??= {};
  window._JUPYTERLAB["global-step-course"] = { init: (given) => void (scope = given), get: plugin };
})();
