"""The boards of the case: each lesson clears one suspect, and nobody who is out comes back."""

from __future__ import annotations

from itertools import pairwise

import pytest

from lab import case

LESSONS = ["01", "02", "03", "04", "05"]


def test_each_lesson_clears_one_suspect_and_two_are_left_in_the_end():
    boards = {lesson: case(lesson).data for lesson in LESSONS}
    for board, after in pairwise(boards.values()):
        assert [one["suspect"] for one in after["cleared"][:-1]] == [one["suspect"] for one in board["cleared"]]
        assert board["left"] == [after["cleared"][-1]["suspect"], *after["left"]]
    assert boards["01"]["cleared"][0]["cleared"] == "01"
    assert len(boards["05"]["left"]) == 2
    assert case("06").data["left"] == boards["05"]["left"]


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_board_says_in_words_who_is_out_and_who_is_left(lesson):
    board = case(lesson)
    now = board.data["cleared"][-1]
    for words in (now["suspect"], now["why"], *board.data["left"]):
        assert words.replace("`", "") in board.words
    assert not board.data["closed"]


def test_the_last_board_closes_the_case():
    board = case("06")
    assert board.data["closed"]
    assert all(words in board.words for words in board.data["left"])


def test_lesson_00_lists_all_suspects():
    board = case("00")
    assert board.data["cleared"] == []
    assert all(words.replace("`", "") in board.words for words in board.data["left"])
    assert len(board.data["left"]) == len(case("06").data["cleared"]) + 2
