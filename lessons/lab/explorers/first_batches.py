"""What the first batches leave behind: accuracy, step, and the weights as pictures of digits."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import CenteredNorm


def draw_first_batches(
    batches: Sequence, steps: Sequence, shares: Sequence, weights: np.ndarray
) -> None:
    """Draw the share of right answers and the step over the batches, and the ten columns of weights."""
    figure = plt.figure(figsize=(7.5, 3.7))
    figure.subplots_adjust(top=0.93, hspace=0.55, wspace=0.3, bottom=0.08)
    for place, values, name in [(221, shares, "accuracy"), (222, steps, "step")]:
        plt.subplot(place)
        plt.plot(batches, values)
        plt.xlabel("batches")
        plt.ylabel(name)
        plt.ylim(0, max(1, *values) * 1.03)
    plt.subplot(212)
    pictures = np.hstack(weights.T.reshape(10, 28, 28))
    plt.imshow(pictures, cmap="RdBu", norm=CenteredNorm())  # what is nan stays empty
    plt.title("the weights: blue counts for the digit, red against it")
    plt.xticks(np.arange(14, 280, 28), range(10))
    plt.yticks([])
    plt.grid(False)
    # Training amplifies a machine's rounding, so these words are coarse.
    ends = f"about {shares[-1]:.1f} of the test digits right, the step {steps[-1]}"
    figure.words = f"After {batches[-1]} batches: {ends}, and the weights of ten digits as pictures"
