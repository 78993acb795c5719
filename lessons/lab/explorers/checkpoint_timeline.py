"""The checkpoint timeline: how often to save, how many to keep, and when to kill the first run."""

from lab.controls.controls import slider
from lab.controls.explorer import Explorer
from lab.drawing.parts import DONE, GONE, NOW, Picture, axis, lanes
from lab.experiments.stop_and_resume import LAST, Half, stop_and_resume


class CheckpointTimeline(Explorer):
    """Choose how often to save and how many to keep, and drag the mark that kills the run."""

    controls = (
        slider("killed", "killed after step", 18, 1, LAST - 1),
        slider("every", "save every ... steps", 4, 1, 12),
        slider("keep", "max_to_keep", 2, 1, 6),
    )

    def settings(self) -> list[dict]:
        """Return the usual settings, and every place of the mark."""
        places = (self.state | {"killed": step} for step in range(1, LAST))
        return [*super().settings(), *places]

    def picture(self, killed: int, every: int, keep: int) -> Picture:
        """Return both runs over one axis, each with its checkpoints below its steps."""
        first, second = stop_and_resume(every, keep, killed)
        start, end = second.start, killed + 0.5
        lifts = (28, 52) if every == 1 else (28, 28)  # of the checkpoints; neighbours alternate
        rows = [_run("first run", first, lifts), _run("second run", second, lifts)]
        rows[0]["marks"] += [{"at": end, "shape": "cross", "kind": NOW}, _text("killed", end, -28)]
        if killed > start:
            rows[1]["bars"].append({"from": start + 0.5, "to": end, "kind": NOW})
            rows[1]["marks"].append(_text("twice", start / 2 + killed / 2 + 0.9, -2))
        name = "killed after step"
        handle = {"control": "killed", "name": name, "row": 0, "at": end, "lift": -24}
        places = {"from": [0, start, lifts[start % 2]], "to": [1, start]}
        links = [{**places, "label": "restored", "kind": DONE}] if start else []
        title = f"max_to_keep={keep}: older checkpoints are struck through"
        along = axis("step", 0, LAST, ticks=[*range(0, LAST + 1, 4)])
        timeline = lanes(along, rows, title=title, row=108, links=links, handles=[handle])
        words = [
            f"Saved every {every} steps; max_to_keep is {keep}.",
            f"First run: killed after step {killed}. Checkpoints kept: {_list(first.kept)}.",
            f"Second run: starts with step {start + 1}. Done twice: {_list(range(start + 1, killed + 1))}.",
            f"In the folder at the end: {_list(second.found)}.",
        ]
        return Picture([timeline], "\n".join(words))


def _run(name: str, half: Half, lifts: tuple[int, int]) -> dict:
    """Draw the steps of one program as dots, and its checkpoints as boxes below them."""
    bar = {"from": half.start, "to": half.end, "kind": DONE, "thin": True}
    marks = [{"at": step, "kind": DONE} for step in range(half.start + 1, half.end + 1)]
    for step in half.saved:
        box = {"at": step, "shape": "box", "label": f"{step}", "lift": lifts[step % 2]}
        marks.append({**box, "kind": DONE if step in half.kept else GONE})
    return {"name": name, "bars": [bar], "marks": marks}


def _text(text: str, at: float, lift: float) -> dict:
    return {"at": at, "shape": "text", "label": text, "lift": lift}


def _list(steps: list[int] | range) -> str:
    return ", ".join(map(str, steps)) or "none"
