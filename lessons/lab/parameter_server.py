"""A parameter server keeps Variables in a session of its own; what it lets others do, a subclass says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import minitf as tf


class ParameterServer:
    """A graph, a session, and a Saver; from the folder's last checkpoint on, if there is one."""

    def __init__(self, build: Callable[[], None], folder: str | None = None):
        """Build the graph, then restore its Variables from `folder`, or else initialize them."""
        self.folder = folder
        with tf.Graph().as_default() as graph:
            build()
            initialize = tf.global_variables_initializer()
            self.saver = tf.train.Saver()
        self.session = tf.Session(graph=graph)
        checkpoint = folder and tf.train.latest_checkpoint(folder)
        if checkpoint:
            self.saver.restore(self.session, checkpoint)
        else:
            self.session.run(initialize)

    def run(self, fetches: Any, feed_dict: dict | None = None) -> Any:
        """Run the session; one run reads or changes all that it has to in one piece."""
        return self.session.run(fetches, feed_dict)
