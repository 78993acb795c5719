"""How a graph runs: a compiler that turns it into a NumPy program, and the Session that calls it."""
