"""`tf.math`: the functions of numbers under their newer home; each is the one that `tf` has.

Stands for the module tensorflow.math.
"""

from __future__ import annotations

import sys
from typing import Any


def __getattr__(name: str) -> Any:
    return getattr(sys.modules["minitf"], name)
