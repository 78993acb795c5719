"""Tests of `python -m minitf --explain`."""
