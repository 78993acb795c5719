"""Wrong answers to the exercise of lesson 13."""

from __future__ import annotations

BATCHES = "batches = -(-examples // batch_size)"
ROUNDS = "-(-batches // workers) if synchronous else batches"
EPOCH = "step // steps_per_epoch(examples, batch_size, workers, synchronous)"


def _answer(batches: str = BATCHES, steps: str = ROUNDS, epoch: str = EPOCH) -> str:
    """Return lesson 13's exercise with another way to count."""
    return f"""
def steps_per_epoch(examples, batch_size, workers, synchronous):
    {batches}
    return {steps}


def epoch_at(step, examples, batch_size, workers, synchronous):
    return {epoch}
"""


MUTANTS = {
    "13_many_workers": [
        ("an example is a step", _answer("batches = examples"), "A step uses a batch, not one example"),
        ("the last batch dropped", _answer("batches = examples // batch_size"), "The last batch of an epoch may be"),
        (
            "the last round dropped",
            _answer(steps="batches // workers if synchronous else batches"),
            "the last round may have fewer batches",
        ),
        ("rounds forgotten", _answer(steps="batches"), "In a synchronous round the workers compute a batch each"),
        ("rounds always", _answer(steps="-(-batches // workers)"), "The workers change nothing"),
        (
            "the two ways swapped",
            _answer(steps="batches if synchronous else -(-batches // workers)"),
            "each push adds one, whoever pushes",
        ),
        (
            "every worker counts every round",
            _answer(steps="batches * workers if synchronous else batches"),
            "More workers cannot make more rounds",
        ),
        (
            "batches that are no whole number",
            _answer("batches = examples / batch_size", "batches / workers if synchronous else batches"),
            "It should be a whole number",
        ),
        ("epochs counted from one", _answer(epoch=f"{EPOCH} + 1"), "Epochs are counted from 0"),
        ("an epoch and a part", _answer(epoch=EPOCH.replace("//", "/")), "divide with //"),
        (
            "the epoch of the other way",
            _answer(epoch=EPOCH.replace("synchronous)", "not synchronous)")),
            "Ask steps_per_epoch for the same way of working",
        ),
        ("nothing returned", _answer(epoch="None"), "gives None"),
        ("an error inside", _answer(steps="batches // 0"), "stops: ZeroDivisionError"),
    ]
}
