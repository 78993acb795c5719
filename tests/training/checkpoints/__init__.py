"""Checkpoints that TensorFlow wrote, and what is in them: VALUES."""

import numpy as np

_NUMBERS = np.array([[0, 1, 2], [100, 5, 127]])
_DTYPES = ["float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]

# Many names that begin alike, every dtype, rank 0 to 3, no elements, strings of each length.
DENSE = {f"layer/{dtype}": _NUMBERS.astype(dtype) for dtype in _DTYPES}
DENSE |= {f"scalars/{dtype}": np.dtype(dtype).type(7) for dtype in _DTYPES}
DENSE |= {f"layer_{n}/weights": np.full((1, 2, n), n / 3, "float32") for n in range(4)}
DENSE |= {
    "layer/bool": np.array([True, False, True]),
    "scalars/bool": np.bool_(True),
    "layer/complex64": (_NUMBERS + 1j).astype("complex64"),
    "layer/complex128": _NUMBERS - 0.5j,
    "special": np.array([np.nan, np.inf, -np.inf, -0.0, 1e-45], "float32"),
    "largest": np.array([-(2**63), 2**63 - 1], "int64"),
    "text": np.array([[b"", b"a"], [b"\xff\0 of two lines\n", b"x" * 300]], "object"),
    "name": b"one string",
    "no_text": np.array([], "object").reshape(0, 2),
    "global_step": np.int64(1000),
}

SHARDED = {
    "first": np.arange(6.0, dtype="float32"),
    "second": np.int64(2),
    "third": np.array([b"on", b"the other"], "object"),
}

# Stored in slices: along one axis, of different lengths; along the second axis; and one in a single piece.
SLICED = {
    "rows": np.arange(14, dtype="float32").reshape(7, 2),
    "columns": np.arange(300, dtype="int32").reshape(2, 150),
    "whole": np.float32(0.5),
}

# Of tf.train.Checkpoint in TensorFlow 2: by the names of the variables.
OBJECTS = {"kernel": np.array([[1.5, 2.5]], "float32"), "step": np.int64(12)}

# Stored as bfloat16, which has their sign, exponent and first seven bits after the point; one of them in slices.
BFLOAT16 = {
    "all": np.array([[0.0, -0.0, 1.5], [np.inf, np.nan, -1e38]], "float32").view("uint32") >> 16 << 16,
    "one": np.uint32(0x3F810000),
    "rows": np.arange(14, dtype="float32").reshape(7, 2).view("uint32"),
}
BFLOAT16 = {name: value.view("float32") for name, value in BFLOAT16.items()}

VALUES = {"dense": DENSE, "sharded": SHARDED, "sliced": SLICED}

# Parts of an index, as they are stored: what each begins with, and a slice of two rows of a tensor.
HEADER, SLICE_OF_TWO = b"\x08\1", b"\x3a\4\x0a\2\x10\2"
