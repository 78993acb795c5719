"""A run that was killed, the run that resumed it, and the checkpoints of both."""

import matplotlib.pyplot as plt

ARROW = {"arrowstyle": "->", "color": "C0"}
KEPT = {"boxstyle": "square", "facecolor": "#e3f0fa", "edgecolor": "C0"}
DELETED = {"boxstyle": "square", "facecolor": "#ffffff", "edgecolor": "#ffffff"}


def draw_two_runs(first: list[int], second: list[int], save_every: int, kept: list[int]) -> None:
    """Draw the steps of two runs as dots, and below each its checkpoints, kept or deleted."""
    start = second[0] - 1
    again = [step for step in second if step <= first[-1]]
    for y, steps, look in [(1, first, "oC0"), (0, second, "oC0"), (0, again, "oC1")]:
        plt.plot(steps, [y] * len(steps), look)
    plt.plot(first[-1] + 0.6, 1, "xC1", markersize=9)
    plt.text(first[-1] + 1.1, 1, "killed", color="C1", va="center")
    if again:
        plt.text((second[0] + first[-1]) / 2, 0.15, "twice", color="C1", ha="center")
    if start:
        plt.annotate("", (start, 0), (start, 0.55), arrowprops=ARROW)
        plt.text(start - 0.4, 0.25, "restored", color="C0", ha="right")
    for step in range(save_every, second[-1] + 1, save_every):
        run, look = 1 if step <= start else 0, KEPT if step in kept else DELETED
        text = plt.text(step, run - 0.32, step, fontsize=8, ha="center", va="center", bbox=look)
        if step not in kept:
            text.set_color("C2")
            plt.plot([step - 0.5, step + 0.5], [run - 0.32] * 2, "C2", linewidth=1, zorder=9)
    plt.title("Dots are steps, and boxes are checkpoints; those crossed out were deleted.")
    plt.xlabel("step")
    plt.xlim(0, second[-1] + 1)
    plt.xticks(range(0, second[-1] + 1, 4))
    plt.yticks([1, 0], ["first run", "second run"])
    plt.ylim(-0.6, 1.3)
    plt.grid(False)
    plt.gcf().subplots_adjust(left=0.14)
    plt.gcf().words = "two rows of dots, the steps of both runs, with their checkpoints as boxes"
