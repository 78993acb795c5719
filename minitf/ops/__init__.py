"""What a graph can contain: each op's shape rule, code and gradient; kernels.py has NumPy's part."""
