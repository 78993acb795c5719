"""How fast minitf is, as a ratio to the same work written by hand in NumPy."""
