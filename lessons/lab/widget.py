"""An anywidget that also has a picture and words, for a notebook that isn't run."""

import base64
import struct
from pathlib import Path
from typing import Any

import anywidget

PICTURES = Path(__file__).parents[1] / "pictures"


class Widget(anywidget.AnyWidget):
    """A subclass names its module (`_esm`) and its picture, and says in `words` what it shows."""

    picture = ""  # in lessons/pictures, without .png
    words = ""

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict]:
        data, metadata = super()._repr_mimebundle_(**kwargs)
        png = (PICTURES / f"{self.picture}.png").read_bytes()
        width, height = struct.unpack(">II", png[16:24])  # in pixels, two for each point
        data |= {"image/png": base64.b64encode(png).decode(), "text/plain": self.words}
        size = {"width": width // 2, "height": height // 2, "alt": self.words.replace("\n", " ")}
        return data, metadata | {"image/png": size}
