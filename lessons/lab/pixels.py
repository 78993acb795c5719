"""Pixels are a small picture in a scene, such as a digit, or the weights that look for it."""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass

import numpy as np

from lab.chart import BLUE, VERMILLION
from lab.scene import DRAW, PAINT


@dataclass(frozen=True, eq=False)
class Pixels:
    """Numbers from -1 to 1 as squares: blue above 0, vermillion below; the nearer to 0, the paler."""

    x: float
    y: float
    width: float
    height: float
    numbers: np.ndarray  # rows and columns

    def colors(self) -> np.ndarray:
        """Return red, green, blue and opacity of each square: what is pale lets the page's theme through."""
        blue, vermillion = (
            np.frombuffer(bytes.fromhex(c[1:]), np.uint8) for c in (BLUE, VERMILLION)
        )
        numbers = np.nan_to_num(np.clip(self.numbers, -1, 1))[..., None]
        solid = np.rint(255 * np.abs(numbers)).astype(np.uint8)
        return np.concatenate([np.where(numbers < 0, vermillion, blue), solid], axis=-1)


def _draw_pixels(pixels: Pixels) -> str:
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(pixels.colors()).save(file, "png")
    data = base64.b64encode(file.getvalue()).decode()
    return (
        f'<image x="{pixels.x:.1f}" y="{pixels.y:.1f}" width="{pixels.width:.1f}" '
        f'height="{pixels.height:.1f}" style="image-rendering: pixelated" '
        f'preserveAspectRatio="none" href="data:image/png;base64,{data}"/>'
    )


def _paint_pixels(axes: object, pixels: Pixels) -> None:
    x, y = pixels.x, pixels.y
    place = (x, x + pixels.width, y + pixels.height, y)
    limits = axes.get_xlim(), axes.get_ylim()
    axes.imshow(pixels.colors(), extent=place, interpolation="nearest", aspect="auto", zorder=1)
    axes.set(xlim=limits[0], ylim=limits[1])


DRAW[Pixels] = _draw_pixels
PAINT[Pixels] = _paint_pixels
