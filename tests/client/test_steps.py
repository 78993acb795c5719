"""The example of client/steps.py gives what it shows."""

import doctest

import minitf as tf
from minitf.client import steps


def test_the_example_gives_what_it_shows():
    with tf.Graph().as_default():
        done = doctest.testmod(steps, extraglobs={"tf": tf})
    assert done.failed == 0 and done.attempted
