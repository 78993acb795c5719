"""All findings, in the order of the report. Importing this package enters them into FINDINGS."""

from minitf.explain.findings import (
    finding_the_step,
    counting,
    rates,
    weights,
    order,
    checkpoints,
    watching,
)

__all__ = ["checkpoints", "counting", "finding_the_step", "order", "rates", "watching", "weights"]
