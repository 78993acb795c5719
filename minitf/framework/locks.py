"""Locks that a forked process can use, whatever the threads of the first process were doing.

A fork copies a lock that another thread holds, but not that thread, so the copy would never be
released.
"""

import os
import threading
import weakref

# The objects that have a lock, each with the name of the lock's attribute.
_owners: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


def add_lock(owner, name: str) -> None:
    """Set an attribute to a new lock, which a forked process replaces."""
    setattr(owner, name, threading.RLock())
    _owners[owner] = name


def _replace_locks() -> None:
    for owner, name in _owners.items():
        setattr(owner, name, threading.RLock())


if hasattr(os, "register_at_fork"):  # there are no forks on Windows
    os.register_at_fork(after_in_child=_replace_locks)
