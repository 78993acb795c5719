"""The reader's bets are remembered from lesson to lesson, and lesson 06 shows them again."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from lab import case

pytestmark = pytest.mark.browser


def board(page: Page, lesson: str) -> Locator:
    """Draw a lesson's board, as if its page had just been opened."""
    page.evaluate(
        """(data) => {
          const host = document.createElement("div");
          document.querySelector("main").replaceChildren(host);
          modules.view.mount(host, data);
        }""",
        case(lesson).data,
    )
    return page.locator(".lab-case")


def test_bets_are_remembered_and_shown_again(kit_page):
    closed = board(kit_page, "06")
    expect(closed).to_contain_text("This browser hasn't seen a bet of yours.")
    expect(closed.locator(".open")).to_have_count(6)
    board(kit_page, "01").get_by_label("the argument").check()
    expect(board(kit_page, "01").get_by_label("the argument")).to_be_checked()
    expect(board(kit_page, "02")).to_contain_text("So far you've bet on the argument")
    expect(board(kit_page, "03")).to_contain_text("You had bet on the argument global_step, which is out now.")
    board(kit_page, "04").get_by_label("the loss").check()
    closed = board(kit_page, "06")
    expect(closed.locator(".wrong")).to_contain_text("01 ✗ the argument")
    expect(closed.locator(".right")).to_contain_text("04 ✓ the loss")
    expect(closed).to_contain_text("You were on the right track from lesson 04 on.")
