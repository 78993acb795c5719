"""The tests of minitf/extras."""
