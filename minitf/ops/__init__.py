"""What can stand in a graph: each op's shape rule, NumPy code and gradient, side by side."""
