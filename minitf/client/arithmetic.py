"""Runs calculate as TensorFlow's kernels do: denormal numbers count as zero, and nothing warns.

Denormal (or subnormal) numbers are those closer to zero than 1.2e-38 in float32, or 2.2e-308 in
float64. TensorFlow lets the processor take them for zero, in what a calculation is given and in
what it returns. So `exp(-88.0)` is 0, and its logarithm -inf. What only moves numbers, such as
`tf.identity`, feeding and fetching, doesn't change them. float16 keeps its denormal numbers: it is
calculated in float32, where they aren't denormal.

The processor has a switch for this in each thread. Linux (with glibc), macOS and Windows have
functions of C that set it, for x86-64 and ARM64. Elsewhere, denormal numbers stay what they are.
(The threads in which OpenBLAS multiplies large matrices are never switched; a denormal number in
their result counts as zero for whatever calculates with it.)

Mirrors tensorflow/core/platform/denormal.cc.
"""

import ctypes
import os
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

_SMALLEST_NORMAL, _SMALLEST = sys.float_info.min, 5e-324
_LARGEST_STATE = 64  # bytes; no system needs more

_X86_BITS = 0x8040  # of MXCSR: "flush to zero", for results, and "denormals are zeros", for inputs
_ARM_BITS = 1 << 24  # of FPCR: "flush to zero", for both

# By system and processor: the functions that read and set how a thread calculates, the position of
# the switch in what they read and set (in bytes), and the bits that turn it on.
_POSITIONS = {
    ("linux", "x86_64"): ("fegetmode", "fesetmode", 4, _X86_BITS),
    ("linux", "aarch64"): ("fegetmode", "fesetmode", 0, _ARM_BITS),
    ("darwin", "x86_64"): ("fegetenv", "fesetenv", 4, _X86_BITS),
    ("darwin", "arm64"): ("fegetenv", "fesetenv", 8, _ARM_BITS),
}
_WINDOWS_ON, _WINDOWS_OFF, _WINDOWS_MASK = 0x01000000, 0, 0x03000000  # _DN_FLUSH, _DN_SAVE, _MCW_DN


class Switch(NamedTuple):
    """`set(*on)` makes denormal numbers zero in this thread, and `set(*off)` keeps them again."""

    set: Callable[..., None]
    on: tuple[Any, ...]
    off: tuple[Any, ...]

    def works(self) -> bool:
        """Return whether it makes both denormal results and denormal inputs zero."""
        try:
            self.set(*self.on)
            found = _SMALLEST_NORMAL / 2, _SMALLEST * 1e300
        finally:
            self.set(*self.off)
        return found == (0, 0)


def _windows_switch() -> Switch:
    function = ctypes.PyDLL("ucrtbase")._controlfp
    return Switch(function, (_WINDOWS_ON, _WINDOWS_MASK), (_WINDOWS_OFF, _WINDOWS_MASK))


def _posix_switch() -> Switch:
    getter, setter, position, bits = _POSITIONS[sys.platform, os.uname().machine]
    functions = ctypes.PyDLL(None)
    on, off = (ctypes.create_string_buffer(_LARGEST_STATE) for _ in range(2))
    for state in (on, off):
        functions[getter](state)
    ctypes.c_uint32.from_buffer(on, position).value |= bits
    return Switch(functions[setter], (ctypes.byref(on),), (ctypes.byref(off),))


def _find_switch() -> Switch | None:
    """Return this system's switch, or None if it has none that works."""
    try:
        switch = _windows_switch() if sys.platform == "win32" else _posix_switch()
    except (AttributeError, KeyError, OSError):
        return None
    switch.set.restype = None  # which makes the call faster
    return switch if switch.works() else None


SWITCH = _find_switch()


@np.errstate(all="ignore")  # entering it in a `with` takes twice as long
def calculate(function: Callable, *arguments) -> Any:
    """Return `function(*arguments)`, calculated as TensorFlow's kernels calculate."""
    # The switch may be on already, in a function that tf.py_func calls and that runs a session.
    if SWITCH is None or _SMALLEST_NORMAL / 2 == 0:
        return function(*arguments)
    change, on, off = SWITCH
    try:
        change(*on)  # in the try, because Ctrl-C may raise right after it
        return function(*arguments)
    finally:
        change(*off)
