// JupyterLab says "Error displaying widget" where a stored widget has lost its model. This shows the picture stored beside it.
//
// JupyterLab loads this script as if webpack had built it, and asks the container `_JUPYTERLAB[name]` for a plugin.

(() => {
  const WIDGET = "application/vnd.jupyter.widget-view+json";
  let scope; // what JupyterLab shares, by name and version
  const shared = async (name) => (await Object.values(scope[name])[0].get())();

  // A renderer of ipywidgets that falls back on the picture; ipywidgets calls it again once it has restored what it can.
  function withPicture(renderer) {
    const render = renderer.renderModel.bind(renderer);
    renderer.renderModel = async (model) => {
      await render(model);
      const [png, { width } = {}] = [model.data["image/png"], model.metadata["image/png"]];
      if (!png || !/^(Loading|Error displaying) widget/.test(renderer.node.textContent)) return;
      const picture = { src: `data:image/png;base64,${png}`, alt: model.data["text/plain"], width: width ?? 720 };
      renderer.node.replaceChildren(Object.assign(document.createElement("img"), picture));
    };
    return renderer;
  }

  async function plugin() {
    const [{ INotebookTracker }, { IJupyterWidgetRegistry }] = await Promise.all(["@jupyterlab/notebook", "@jupyter-widgets/base"].map(shared));
    const activate = (app, tracker) => {
      // Each notebook has a registry of renderers, in which ipywidgets, activated before us, has just put its own.
      tracker.widgetAdded.connect((_, { content: { rendermime } }) => {
        const given = rendermime.getFactory(WIDGET);
        if (given) rendermime.addFactory({ ...given, createRenderer: (options) => withPicture(given.createRenderer(options)) }, -10);
      });
    };
    return () => ({ id: "global-step-course:pictures", autoStart: true, requires: [INotebookTracker, IJupyterWidgetRegistry], activate });
  }

  window._JUPYTERLAB ??= {};
  window._JUPYTERLAB["global-step-course"] = { init: (given) => void (scope = given), get: plugin };
})();
