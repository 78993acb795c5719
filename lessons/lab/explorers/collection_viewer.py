"""The collection viewer: ways to make the script's step, its collections, and the curve it draws."""

import minitf as tf
from lab.controls.controls import menu
from lab.controls.explorer import Stored
from lab.drawing.curves import accuracy_curve
from lab.drawing.parts import DONE, NOW, OFF, PLAIN, Picture, code, table
from lab.experiments.ways_to_count import WAYS, Look, look

LINES = 3  # of code, at most
MOST = 4  # Variables in a collection


class CollectionViewer(Stored):
    """A menu of ways to make the counter of the inherited script."""

    controls = (menu("way", "the counter", list(WAYS)),)

    def picture(self, way: str) -> Picture:
        """Return the code, the collections, the two questions of get_global_step, and the curve."""
        seen = look(WAYS[way])
        lines = [{"text": text} for text in [*WAYS[way].splitlines(), "", ""][:LINES]]
        columns, asked = held(seen), search(seen)
        keys = [f'"{getattr(tf.GraphKeys, key)}"' for key in columns]
        rows = zip(*([*cells, *" " * MOST][:MOST] for cells in columns.values()), strict=True)
        parts = [
            code(lines, wrap=True),
            accuracy_curve(seen.points, height=140),
            table(list(rows), keys, groups=[*columns], title="The collections", widths=[215] * 3),
            table(asked, title="How get_global_step() looks for the step", widths=[235, 410]),
        ]
        names = {key: ", ".join(cell["text"] for cell in cells) for key, cells in columns.items()}
        words = [f"{key}: {these}." for key, these in names.items()]
        words += [f"{question} {answer['text']}" for question, answer in asked]
        words.append(f"The points are at steps {', '.join(str(step) for step, _ in seen.points)}.")
        return Picture(parts, "\n".join(words))


def held(seen: Look) -> dict[str, list[dict]]:
    """Return each collection's Variables, marking the one found or those in conflict."""
    found, steps = getattr(seen.found, "name", None), seen.held["GLOBAL_STEP"]
    kinds = dict.fromkeys(steps, NOW if found is None else PLAIN) | {found: DONE}
    empty = [{"text": "empty", "kind": OFF}]
    return {
        key: [{"text": name, "kind": kinds.get(name, PLAIN)} for name in names] or empty
        for key, names in seen.held.items()
    }


def search(seen: Look) -> list[tuple[str, dict]]:
    """Return get_global_step's questions (the second only if needed), its result and its log."""
    several, found = len(seen.held["GLOBAL_STEP"]), seen.found is not None
    first, second = ("no, it's empty", PLAIN), ("yes", DONE) if found else ("no", PLAIN)
    if several:
        many = (f"yes, {several}, so which one?", NOW)
        first, second = ("yes, one", DONE) if found else many, ("it doesn't look there", OFF)
    logs = seen.log[0].replace(":tensorflow:", ": ") if seen.log else "nothing"
    answers = {
        "1. Is anything in GLOBAL_STEP?": first,
        "2. Is anything named global_step:0?": second,
        "It returns": (repr(seen.found), DONE if found else NOW),
        "It logs": (logs, NOW if seen.log else OFF),
    }
    return [(question, {"text": text, "kind": kind}) for question, (text, kind) in answers.items()]
