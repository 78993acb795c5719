"""How fast minitf is, compared with the same work written by hand in NumPy."""
