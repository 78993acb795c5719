"""What a graph can contain: each op's shape rule, code and gradient; NumPy's part is kernels.py."""
