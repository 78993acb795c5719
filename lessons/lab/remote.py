"""A remote calls the methods of a server that lives in another process: `remote.pull().result()`."""

from __future__ import annotations

from typing import Any


class Remote:
    """It may be handed to any process. A call whose server has died raises OSError."""

    def __init__(self, actor: Any):
        """Take what Dask calls an actor."""
        self._actor = actor

    def __getattr__(self, method: str) -> Any:
        call = getattr(self._actor, method)
        # Where Dask looks up, after an error, whether the server has moved. If it is dead, it would never
        # answer; without a place to look, it raises OSError. (distributed 2026.8)
        self._actor._future = None
        return call

    def __reduce__(self) -> tuple:
        return Remote, (self._actor,)


async def die() -> None:  # a coroutine, for Dask waits for the answer of any other function
    """Kill this process, as `kill -9` does."""
    import psutil

    psutil.Process().kill()
