"""PyTorch's SummaryWriter writes the step that it's given, and no other."""

import tempfile

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from torch.utils.tensorboard import SummaryWriter

with tempfile.TemporaryDirectory() as folder:
    with SummaryWriter(folder) as writer:
        for step, reads in [(1, 0.202), (51, 0.828), (101, 0.848)]:
            writer.add_scalar("with global_step", reads, global_step=step)
            writer.add_scalar("without", reads)
    events = EventAccumulator(folder).Reload()
    for tag in ["with global_step", "without"]:
        print(f"{tag}:", [event.step for event in events.Scalars(tag)])
