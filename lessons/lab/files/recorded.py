"""What TensorFlow itself printed: recorded once, quoted by the lessons, compared in them."""

import json
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "data"


def recorded(what: str, library: str = "tensorflow") -> dict:
    """Return a recording: `recorded("experiment")["tensorflow"]` is the version that was asked."""
    [file] = DATA.glob(f"{library}_*_{what}.json")
    return json.loads(file.read_text(encoding="utf-8"))
