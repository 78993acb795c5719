"""Tests of the built site: `python -m website` builds it, `pytest -m website` looks at it."""
