"""What our two widgets share: a notebook that isn't run shows a picture and words in their place."""

import base64
import struct
from pathlib import Path

import anywidget

PICTURES = Path(__file__).parents[1] / "pictures"


class Widget(anywidget.AnyWidget):
    """An anywidget whose output also holds a picture, which `python -m tools.photograph` takes, and words."""

    picture: str  # the name of a PNG in lessons/pictures, which has two pixels for each point
    words: str

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs)
        png = (PICTURES / f"{self.picture}.png").read_bytes()
        width, height = struct.unpack(">II", png[16:24])
        data |= {"image/png": base64.b64encode(png).decode(), "text/plain": self.words}
        size = {"width": width // 2, "height": height // 2, "alt": self.words.replace("\n", " ")}
        return data, metadata | {"image/png": size}
