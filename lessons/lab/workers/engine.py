"""An engine runs a server and some workers, each in its own process, on Dask's `distributed`.

The lesson says what a server keeps and what a worker does.
"""

import atexit
import logging
import multiprocessing
from collections.abc import Callable, Sequence
from typing import Any

from lab.files.temporary_folder import temporary_folder
from lab.workers import parameter_server
from lab.workers.parameter_server import Remote

LOOPBACK = "127.0.0.1"  # no other machine can reach what listens here


class ServerLost(Exception):
    """The process that held the server is gone, and with it everything it held in memory."""


class Engine:
    """One process for a server and some for workers, on this machine.

    A server is an object that lives in one process. With what `serve` returns, you can call its
    methods from any process: `server.pull().result()`. It handles one call at a time.
    """

    def __init__(self, workers: int = 4):
        """Start one process more than `workers`."""
        import cloudpickle  # these imports are here because they take half a second

        _set_up_dask()  # before the import, which decides what to log
        from distributed import Client, LocalCluster

        cloudpickle.register_pickle_by_value(parameter_server)  # the processes don't import lab
        ports = dict.fromkeys(("dashboard_address", "worker_dashboard_address"), f"{LOOPBACK}:0")
        limits = {"threads_per_worker": 1, "memory_limit": 0, "silence_logs": logging.CRITICAL}
        place = {"host": LOOPBACK, "local_directory": temporary_folder(), **ports}
        self._cluster = LocalCluster(n_workers=workers + 1, **limits, **place)
        self._client = Client(self._cluster, direct_to_workers=True)
        self._workers, self._server_address, self._held = workers, "", []
        atexit.register(self.close)

    def serve(self, make: Callable, *arguments: Any) -> Remote:
        """Make an object in a process, and return a handle to call its methods from anywhere."""
        self._server_address = self._processes()[0]
        where = {"actor": True, "pure": False, "workers": [self._server_address]}
        made = self._client.submit(make, *arguments, **where)
        self._held.append(made)  # a server lives as long as its future
        return Remote(made.result())

    def run(self, work: Callable, server: Remote, shards: Sequence) -> list:
        """Run `work(server, shard)` for each shard, and again elsewhere if its process dies.

        Return the results; raise ServerLost if the server's process dies.
        """
        free = [address for address in self._processes() if address != self._server_address]
        where = {"pure": False, "workers": free, "allow_other_workers": True}
        running = self._client.map(work, [server] * len(shards), shards, **where)
        try:
            return self._client.gather(running)
        except (OSError, RuntimeError) as error:
            if "Actor" not in str(error):  # Dask's word for a server
                raise
            self._client.cancel(running)
            raise ServerLost("The server's process is gone.") from error

    def close(self) -> None:
        """End all processes that were started here."""
        atexit.unregister(self.close)
        self._client.close()
        self._cluster.close()

    def _processes(self) -> list[str]:
        """Wait until all processes are up (a killed one is restarted); return their addresses."""
        self._client.wait_for_workers(self._workers + 1, timeout=60)  # seconds
        known = self._client.scheduler_info(n_workers=-1)["workers"]
        return sorted(known, key=lambda address: str(known[address]["name"]))


def _set_up_dask() -> None:
    """Log nothing, here or in the processes, which may die and come back any number of times."""
    import dask

    # Where possible, one process imports Dask, and the others are copies of it.
    can_copy = "forkserver" in multiprocessing.get_all_start_methods()
    settings = {
        "logging": {"distributed": "critical", "distributed.client": "critical"},
        "distributed.comm.timeouts.connect": "10s",  # how long to try to reach a dead process
        # Else Dask gives up on a process that is dead again 15 seconds later. (distributed 2026.8)
        "distributed.deploy.lost-worker-timeout": "1 day",
        "distributed.worker.multiprocessing-method": "forkserver" if can_copy else "spawn",
    }
    dask.config.set(settings)  # permanently, because processes that restart need them as well
