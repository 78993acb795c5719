"""The building blocks of a graph: dtypes, shapes, errors, names, the op registry and the graph."""
