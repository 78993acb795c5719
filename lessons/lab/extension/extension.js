// JupyterLab says "Error displaying widget" where a stored widget has lost its model. This shows the picture stored beside it,
// and lets sliders have the arrow keys.
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
    const { INotebookTracker } = await shared("@jupyterlab/notebook");
    const { IJupyterWidgetRegistry } = await shared("@jupyter-widgets/base");
    const activate = (app, tracker) => {
      // An arrow key on a slider moves the slider, although JupyterLab has shortcuts for some of them.
      const keep = ({ key, target }) => {
        if (target.matches?.(".noUi-handle")) target.toggleAttribute("data-lm-suppress-shortcuts", key.startsWith("Arrow"));
      };
      window.addEventListener("keydown", keep, true);
      // Each notebook has a registry of renderers, to which ipywidgets adds its own, and again when a kernel starts.
      tracker.widgetAdded.connect((_, { content: { rendermime } }) => {
        const add = rendermime.addFactory.bind(rendermime);
        rendermime.addFactory = (factory, rank) => {
          const createRenderer = (options) => withPicture(factory.createRenderer(options));
          add(factory.mimeTypes.includes(WIDGET) ? { ...factory, createRenderer } : factory, rank);
        };
        const given = rendermime.getFactory(WIDGET);
        if (given) rendermime.addFactory(given, -10);
      });
    };
    return () => ({ id: "global-step-course:pictures", autoStart: true, requires: [INotebookTracker, IJupyterWidgetRegistry], activate });
  }

  window._JUPYTERLAB ??= {};
  window._JUPYTERLAB["global-step-course"] = { init: (given) => void (scope = given), get: plugin };
})();
