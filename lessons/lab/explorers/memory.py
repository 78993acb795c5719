"""Which lines change the graph, and which a session's state: a program, run as far as you like."""

import matplotlib.pyplot as plt

import minitf as tf

PLACES = [["program", "the graph", "the graph"], ["program", "session a", "session b"]]


def draw_memory(program: str, line: int) -> None:
    """Run a program up to a line; draw what its graph and its sessions `a` and `b` hold then."""
    lines, before, now, error = program.splitlines(), {}, {}, ""
    with tf.Graph().as_default():
        names = {"tf": tf}
        for text in lines[:line]:
            before, error = now, _error(text, names)
            now = _held(names)
    figure, axes = plt.subplot_mosaic(PLACES, width_ratios=[2, 1, 1])
    figure.subplots_adjust(0.01, 0.03, 0.99, 0.91, wspace=0.06, hspace=0.4)
    axes["program"].axis("off")
    for number, text in enumerate(lines, start=1):
        color = "C1" if number == line else "C2" if number > line else "#24292f"
        place = (0, 1.02 - number / len(lines))
        axes["program"].text(*place, text, color=color, size=9, family="monospace")
    for name, held in now.items():
        _box(axes[name], name, held, changed=held != before.get(name, ""))
    figure.words = "; ".join(f"{name}: {held or 'nothing'}" for name, held in now.items())
    if error:
        print(error)


def _error(text: str, names: dict[str, object]) -> str:
    try:
        exec(text, names)
    except tf.errors.FailedPreconditionError as error:
        return f"{type(error).__name__}: {error.message}"
    return ""


def _held(names: dict[str, object]) -> dict[str, str]:
    """Say what the graph and each session hold."""
    built = [n for n, v in names.items() if isinstance(v, tf.Variable | tf.Tensor | tf.Operation)]
    held = {"the graph": ", ".join(built)}
    for name in "ab":
        entries = names[name].state.items() if name in names else []
        held[f"session {name}"] = ", ".join(f"{key} = {value}" for key, value in entries)
    return held


def _box(ax: plt.Axes, name: str, held: str, changed: bool) -> None:
    ax.set(title=name, xticks=[], yticks=[], facecolor="#fcebdc" if changed else "#ffffff")
    ax.spines[:].set(visible=True, color="C1" if changed else "C2")
    ax.text(0.5, 0.5, held, ha="center", va="center")
