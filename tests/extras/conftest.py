"""Every test begins with an empty default graph."""

from tests.support import empty_default_graph

__all__ = ["empty_default_graph"]
