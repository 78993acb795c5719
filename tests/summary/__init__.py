"""The tests of minitf/summary."""
