"""Time two ways of doing the same work in turns, so that a busy machine slows both equally."""

import statistics
import time
from typing import NamedTuple


class Pair(NamedTuple):
    """The median seconds of both, and the median of the ratios of neighbouring measurements."""

    ours: float
    by_hand: float
    ratio: float

    @classmethod
    def of(cls, pairs):
        """The medians of pairs of neighbouring measurements."""
        ours, by_hand = zip(*pairs, strict=True)
        ratios = [a / b for a, b in pairs]
        return cls(*(statistics.median(values) for values in (ours, by_hand, ratios)))


def interleaved(ours, by_hand, calls, rounds=15):
    """Time `calls` calls of each in turns, `rounds` times, after one round that doesn't count."""
    _seconds(ours, calls), _seconds(by_hand, calls)
    pairs = [(_seconds(ours, calls), _seconds(by_hand, calls)) for _ in range(rounds)]
    return Pair.of(pairs)


def _seconds(function, calls):
    start = time.perf_counter()
    for _ in range(calls):
        function()
    return (time.perf_counter() - start) / calls
