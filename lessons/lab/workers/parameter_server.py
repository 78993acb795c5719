"""A parameter server, and how other processes call it. Each process receives this whole file."""

from collections.abc import Callable
from typing import Any

import minitf as tf


class ParameterServer:
    """Variables in the server's own session; a subclass says what others can do with them."""

    def __init__(self, build: Callable[[], None], folder: str | None = None):
        """Build the graph; restore `folder`'s last checkpoint if there is one, else initialize."""
        self.folder = folder
        with tf.Graph().as_default() as graph:
            build()
            initialize = tf.global_variables_initializer()
            self.saver = tf.train.Saver()
        self.session = tf.Session(graph=graph)
        if checkpoint := folder and tf.train.latest_checkpoint(folder):
            self.saver.restore(self.session, checkpoint)
        else:
            self.session.run(initialize)

    def run(self, fetches: Any, feed_dict: dict | None = None) -> Any:
        """Run the session; one run does all its reads and changes without interruption."""
        return self.session.run(fetches, feed_dict)


class Remote:
    """Calls the methods of a server that lives in another process: `remote.pull().result()`.

    You can hand it to any process. A call raises OSError if the server has died.
    """

    def __init__(self, actor: Any):
        """Take what Dask calls an actor."""
        self._actor = actor

    def __getattr__(self, method: str) -> Any:
        call = getattr(self._actor, method)
        # After an error, Dask asks here whether the server has moved, and a dead server would never
        # answer. With nothing to ask, Dask raises OSError. (distributed 2026.8)
        self._actor._future = None
        return call

    def __reduce__(self) -> tuple:
        return Remote, (self._actor,)
