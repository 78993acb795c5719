"""TensorFlow 1 is the referee: it and minitf are given the same cells, and must answer the same.

- `facts/` holds one transcript a theme: TensorFlow 1 code as people write it, and below each line
  what TensorFlow answered. It reads as a manual. The answers are written only by
  `python -m tools.record [theme ...]`, in an environment that has TensorFlow 2.21 (its
  `tensorflow.compat.v1` is TensorFlow 1's graph mode). A section whose answers change between five
  runs is refused: what TensorFlow leaves open is no fact.
- `transcripts.py` reads, runs and writes them, and says what a section may use.
- `test_transcripts.py` asks minitf every section and compares. It needs no TensorFlow.
- `test_live.py` asks an installed TensorFlow (`referee.py`), and compares it with the transcripts:
  `pytest -m tensorflow tests/conformance`.

What counts as the same is defined in `outcomes.py`. In short: strings, names, dtypes and shapes
exactly; float32 to five digits; of an error the type, its nearest built-in base and the core of its
message.

To add a behaviour: write a section without answers, record its theme, and read what came.
"""
