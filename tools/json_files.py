"""Write JSON that people read: sorted, and on one line whatever fits there."""

import json
import os
from pathlib import Path

WIDTH = 100
DATA = Path(__file__).resolve().parents[1] / "lessons" / "data"


def name_of(theme, version):
    """The file of lessons/data with what this version of TensorFlow answered."""
    major, minor, _ = version.split(".")
    return f"tensorflow_{major}_{minor}_{theme}.json"


def hand_over(theme, version, figures):
    """Write what TensorFlow answered to lessons/data, in the place of what an older one did."""
    for old in DATA.glob(f"tensorflow_*_{theme}.json"):
        old.unlink()
    write(DATA / name_of(theme, version), {"tensorflow": version, **figures})
    print(f"{name_of(theme, version)}: written")


def write(path, value):
    """Write a value to a file, which is replaced whole or not at all."""
    path = Path(path)
    temporary = path.with_name(path.name + ".part")
    temporary.write_text(pretty(value) + "\n", "utf-8")
    os.replace(temporary, path)


def pretty(value, indent=0, room=WIDTH):
    """The text of a value."""
    line = json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)
    if indent + len(line) <= room or not value or not isinstance(value, list | dict):
        return line
    pad = " " * (indent + 2)
    if isinstance(value, list):
        items = [pretty(item, indent + 2) for item in value]
        opening, closing = "[]"
    else:
        items = []
        for key in sorted(value):
            name = json.dumps(key, ensure_ascii=False) + ": "
            items.append(name + pretty(value[key], indent + 2, room - len(name) - 1))
        opening, closing = "{}"
    return f"{opening}\n{pad}" + f",\n{pad}".join(items) + f"\n{' ' * indent}{closing}"
