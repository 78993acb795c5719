"""The worker scheduler: make one of four workers slow, and see who waits, or what is stale."""

from lab.controls.controls import segments, slider
from lab.controls.explorer import Explorer
from lab.drawing.parts import DONE, NOW, WAIT, Picture, axis, lanes, note
from lab.experiments.worker_schedule import LAST, WORKERS, Push, simulate

WAYS = ["asynchronous", "synchronous"]
TIME = axis("time: a batch takes one unit", 0, LAST, ticks=list(range(0, LAST + 1, 2)))
TITLE = "From pull (ring) to push: the staleness inside (orange if over 3), the step above"
SLOW = "time of a batch on worker 1"


class WorkerScheduler(Explorer):
    """Workers over time: drag the end of worker 1's first batch."""

    stores_all = True
    controls = slider("slow", SLOW, 3, 1, 4, 0.5, format=1), segments("way", "workers are", WAYS)

    def picture(self, slow: float, way: str) -> Picture:
        """Return a lane for each worker, and what they get done."""
        pushes = simulate(slow, way == WAYS[1])
        rows = [lane(worker, pushes) for worker in range(WORKERS)]
        handles = [{"control": "slow", "row": 0, "at": slow, "name": SLOW}]
        done = [push for push in pushes if push.end <= LAST]
        waited = sum(min(push.end, LAST) - min(push.ready, LAST) for push in pushes)
        oldest = max(push.staleness for push in done)
        said = f"By time {LAST}: {len(done)} batches, {done[-1].step} steps, "
        said += f"staleness up to {oldest}, waiting {waited:.3g} of {WORKERS * LAST} units."
        result = note(said, kind=NOW if oldest >= WORKERS else DONE, reserve=26)
        timeline = lanes(TIME, rows, title=TITLE, row=40, handles=handles)
        return Picture([timeline, result], f"Worker 1 takes {slow:g} for a batch, {way}. {said}")


def lane(worker: int, pushes: list[Push]) -> dict:
    """Draw a worker's batches: computing, waiting, and the steps they make."""
    bars, marks = [], []
    for push in pushes:
        if push.worker != worker or push.start >= LAST:
            continue
        ready, end, is_pushed = min(push.ready, LAST), min(push.end, LAST), push.end <= LAST
        kind, label = (NOW if push.staleness >= WORKERS else DONE), str(push.staleness) * is_pushed
        bars.append({"from": push.start, "to": ready, "kind": kind, "label": label})
        waits = "waits" * (end - ready > 0.6)  # if there is room for it
        bars += [{"from": ready, "to": end, "kind": WAIT, "label": waits}] * (ready < end)
        marks.append({"at": push.start, "shape": "ring"})
        marks += [{"at": end, "shape": "tick", "label": str(push.step)}] * is_pushed
    return {"name": f"worker {worker + 1}", "bars": bars, "marks": marks}
