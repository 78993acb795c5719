"""The building blocks of a graph: dtypes, shapes, errors, names, and the table of ops."""
