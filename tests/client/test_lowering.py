"""Whatever graph: the compiled program gives what executing op by op gives."""

import numpy as np
import pytest
from hypothesis import given

import minitf as tf
from tests.client.graphs import WITH_ATTRIBUTES, Case, Run, cases
from tests.client.runs import compare
from tests.support import assert_same, examples


@examples(250)
@given(cases())
def test_a_program_gives_what_executing_op_by_op_gives(case):
    compare(case)


@pytest.mark.parametrize("name", WITH_ATTRIBUTES)
def test_the_same_op_with_other_attributes_is_other_work(name):
    x = tf.placeholder(tf.float64, [2, 2])
    feeds = {x: np.array([[1.0, 2.0], [0.0, -3.0]])}
    function, attributes = WITH_ATTRIBUTES[name]
    fetches = [function(x, attribute) for attribute in attributes]
    compare(Case(x.graph, [Run(fetches, feeds)]))
    session = tf.Session()
    for fetch, found in zip(fetches, session.run(fetches, feeds), strict=True):
        assert_same(found, session.run(fetch, feeds), fetch.name, 1e-12)
