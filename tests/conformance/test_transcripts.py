"""minitf answers every cell of every transcript as TensorFlow did when it was recorded."""

import pytest

import minitf as tf
from tests.conformance import transcripts
from tests.conformance.outcomes import differences

SECTIONS = [pytest.param(it, id=f"{it.theme.path.stem}.{it.name}") for it in transcripts.every()]


@pytest.mark.filterwarnings("ignore:invalid escape sequence")  # of protobuf, which reads such a text as TensorFlow does
@pytest.mark.parametrize("section", SECTIONS)
def test_minitf_answers_as_tensorflow(section):
    for cell, (outcome, error) in zip(section.cells, section.observed(tf), strict=True):
        lines = differences(cell.answer(), outcome)
        if lines:
            place = f"{section.theme.path}:{cell.line}: {section.text}\n>>> {cell.code}"
            raise AssertionError("\n".join([place, *lines])) from error


def test_a_wrong_answer_is_told_with_its_place():
    [param, *_] = SECTIONS
    section = param.values[0]
    wrong = transcripts.Section(section.theme, "wrong", "It is 2.", [transcripts.Cell("1 + 1", "3", 7)])
    with pytest.raises(AssertionError, match=r"\.md:7: It is 2\.\n>>> 1 \+ 1\noutcome: 3 recorded, 2 observed"):
        test_minitf_answers_as_tensorflow(wrong)
    unexpected = transcripts.Section(section.theme, "none", "Nothing is said.", [transcripts.Cell("1 + 1")])
    with pytest.raises(AssertionError, match="None recorded, 2 observed"):
        test_minitf_answers_as_tensorflow(unexpected)


@pytest.mark.parametrize("name", transcripts.themes())
def test_a_theme_that_is_read_and_written_stays_the_same(name):
    theme = transcripts.load(name)
    assert str(theme) == theme.path.read_text("utf-8")
    assert all(section.text and section.cells for section in theme.sections.values())


def test_a_section_has_what_it_asks_for():
    def run(*codes):
        theme = transcripts.Theme(transcripts.FOLDER / "theme.md", "A theme.", setup="SEVEN = 7\n")
        section = transcripts.Section(theme, "one", "It is run.", [transcripts.Cell(code) for code in codes])
        return [outcome for outcome, _ in section.observed(tf)]

    assert run("int(sess.run(tf.constant(SEVEN)))", "tf.get_default_session() is sess") == [7, True]
    assert run("tf.get_default_session()", "with tf.Session() as sess: pass") == [None, None]
    assert run("import os", "os.listdir(folder)") == [None, []]
    [raised] = run("1 / 0")
    assert raised == {"$raises": "ZeroDivisionError", "base": "ArithmeticError", "message": "division by zero"}
