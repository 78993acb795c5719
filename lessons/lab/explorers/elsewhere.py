"""The explorer of other libraries: one experiment, TensorFlow 1 beside each, and what a mistake changes."""

import difflib
from collections.abc import Iterator, Sequence

from lab.controls.controls import segments
from lab.controls.explorer import Stored
from lab.drawing.parts import DONE, GONE, NOW, PLAIN, Picture, code, note, stack
from lab.files.recorded import recorded

LIBRARIES = {"TensorFlow 1": "tensorflow", "Keras": "keras", "PyTorch": "pytorch", "optax": "optax"}
RIGHT = "no mistake"  # the program as it should be
MARKS = {"- ": (GONE, "left out"), "+ ": (NOW, "new")}
COUNTER = ("get_or_create_global_step(", "SGD(schedule)", "ExponentialLR(", "optimizer.init(")
ADDS_ONE = ("global_step=step", "apply_gradients(", "scheduler.step()", "updates, state =")
ROWS = 14  # lines of the longest program, with those that a mistake leaves out


class ElsewhereExplorer(Stored):
    """Choose a library and a mistake: its program beside TensorFlow 1's, and what each comes to."""

    controls = (
        segments("library", "beside it", list(LIBRARIES)[1:]),
        segments("mistake", "mistake", [RIGHT, "nobody counts", "only w is restored"]),
    )
    wide = True

    def picture(self, library: str, mistake: str) -> Picture:
        """Return both programs, with the lines marked that count, are new or are left out."""
        parts, said = [], [f"{mistake}:"]
        for name in ("TensorFlow 1", library):
            runs = recorded("elsewhere", LIBRARIES[name])["runs"]
            right, run = runs[RIGHT], runs[mistake]
            lines = list(compared(right["program"], run["program"]))
            end = "after 10 updates: rate {}, step {}, w {}".format(*run["printed"][-1].split())
            above = note(end, title=name, kind=PLAIN if mistake == RIGHT else NOW)
            parts.append(stack(above, code(lines, wrap=True), basis=400, reserve=20 * ROWS + 46))
            marked = [f"{one['note']}: {one['text'].strip()}" for one in lines if one["note"]]
            said += [f"{name}, {end}", *marked]
        return Picture(parts, "\n".join(said))


def compared(right: Sequence[str], wrong: Sequence[str]) -> Iterator[dict]:
    """Yield the lines of both programs, without imports, and mark those that matter."""
    for text in difflib.ndiff(without_imports(right), without_imports(wrong)):
        if text[:2] in ("  ", *MARKS):
            kind, said = MARKS.get(text[:2]) or counting(text)
            yield {"text": text[2:], "kind": kind, "note": said}


def counting(text: str) -> tuple[str, str]:
    """Say what a line of a program has to do with the counter, if anything."""
    if any(part in text for part in ADDS_ONE):
        return DONE, "adds one"
    return (DONE, "the counter") if any(part in text for part in COUNTER) else (PLAIN, "")


def without_imports(program: Sequence[str]) -> list[str]:
    """Return the lines that say something about the experiment."""
    return [text for text in program if text and not text.startswith(("import ", "from "))]
