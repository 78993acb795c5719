"""Whatever graph: the compiled program gives what executing op by op gives."""

from hypothesis import given

from tests.client.graphs import cases
from tests.client.runs import compare
from tests.support import examples


@examples(500)
@given(cases())
def test_a_program_gives_what_executing_op_by_op_gives(case):
    compare(case)
