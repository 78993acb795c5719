"""What a run learned beside what it counted, after so many batches."""

from collections.abc import Sequence

from lab.drawing.parts import DONE, NOW, axis, chart, line, still
from lab.page.view import View

LEARNED, COUNTED = "Learned: share of test digits it recognizes", "Counted: the step"


def learned_and_counted(batches: Sequence, points: Sequence, other: Sequence = ()) -> View:
    """Return two pictures of a run: what it learned and what it counted, after so many batches.

    Each point is (step, share of right answers); `other` holds the shares of a run at rate 0.5.
    """
    (*_, (step, share)), last = points, batches[-1]
    words = f"After {last:,} batches, the model gets {share:.3f} of the test digits right"
    return still(*both(batches, points, other), words=f"{words}, and the step is {step:,}.")


def both(batches: Sequence, points: Sequence, other: Sequence = ()) -> list[dict]:
    """Describe both; what ends near guessing, or at another step than the batch, has gone wrong."""
    steps, shares = zip(*points, strict=True)
    end = 50 * -(-batches[-1] // 50)
    along, look = axis("batches", 0, end), {"basis": 330, "height": 250, "inset": (46, 22)}
    share, step = axis("share", 0, 1, ticks=[0, 0.5, 1]), axis("step", 0, end)
    learns, counts = shares[-1] > 0.5, steps[-1] == batches[-1]
    learned = line([*zip(batches, shares, strict=True)], "", DONE if learns else NOW)
    counted = line([(0, 0), *zip(batches, steps, strict=True)], "", DONE if counts else NOW)
    context = [line([*zip(batches, other, strict=True)])] if other else []
    half = [{"at": (end, y), "text": "rate 0.5", "anchor": "end", "dy": 18} for y in other[-1:]]
    diagonal = line([(0, 0), (end, end)], thin=True)
    each = {"at": (end, end), "text": "one step a batch", "anchor": "end", "dx": -40, "dy": 22}
    return [
        chart(along, share, [*context, learned], notes=half, title=LEARNED, **look),
        chart(along, step, [diagonal, counted], notes=[each], title=COUNTED, **look),
    ]
