"""TensorFlow 1 is the referee: it and minitf run the same small programs, and must say the same.

- `programs/` holds one file a theme. A program is a function of `tf` and `np`: TensorFlow 1 code as
  people write it, returning what it observed (values, names, printed forms, error messages).
- `recorded/` holds what TensorFlow answered, one JSON file a theme. It is written only by
  `python -m tests.conformance.record [theme ...]`, in an environment that has TensorFlow 2.21 (its
  `tensorflow.compat.v1` is TensorFlow 1's graph mode). A program whose answer changes between five
  runs is refused: what TensorFlow leaves open is no fact.
- `test_recorded.py` runs every program on minitf and compares. It needs no TensorFlow.
- `test_live.py` runs every program on an installed TensorFlow and compares it with the recordings:
  `pytest -m tensorflow tests/conformance`.

What counts as the same is defined in `outcomes.py`. In short: strings, names, dtypes and shapes
exactly; float32 to five digits; of an error the type, its nearest built-in base and the core of its
message.

To add a behaviour: write the program, record its theme, read what it added to `recorded/`, and
commit both.
"""
