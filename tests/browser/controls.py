"""Move the controls of a lesson's explorers, by keyboard and by mouse, and see that the picture follows.

An `Explorer` is the view in the output of one cell. Each `Control` knows its own way of being moved; after each move
the picture or its words must differ, and neither the controls nor the parts of the view may have moved by a pixel.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass

from playwright.sync_api import Locator

from tests.browser.jupyterlab import SECONDS, Lesson
from tests.lessons.notebooks import VIEW

# Where everything is that must stay where it is: the controls and the parts of this view. (If no part changes its size,
# nothing that follows the cell moves.)
PLACES = """cell => {
    const view = cell.querySelector('.lab-view');
    const parts = [...view.querySelectorAll('.lab-controls > *, .lab-hint, .lab-parts > figure')];
    const box = part => { const {x, y, width, height} = part.getBoundingClientRect(); return [x, y, width, height]; };
    const places = parts.map(part => [part.classList[0] ?? part.tagName, ...box(part).map(Math.round)]);
    const [, top] = box(view);
    return places.map(([name, x, y, w, h]) => [name, x, h ? y - Math.round(top) : 0, w, h]);
}"""


@dataclass(frozen=True)
class Explorer:
    """Controls, and the picture and the words that follow them, in the output of one cell."""

    lesson: Lesson
    number: int  # of the cell

    @property
    def cell(self) -> Locator:
        """The cell, wherever the page is scrolled to."""
        return self.lesson.place(self.number)

    def controls(self) -> list[Control]:
        """Bring the explorer into sight and return its controls, those of one kind together."""
        self.lesson.cell(self.number)
        return [
            kind(self, place)
            for kind in KINDS
            for place in self.cell.locator(f".lab-view {kind.selector}").all()
            if place.is_visible()
        ]

    def shown(self) -> tuple[str, str]:
        """Return the picture and the words that are visible now."""
        return self.cell.evaluate(
            "cell => [cell.querySelector('.lab-parts').outerHTML, cell.querySelector('.lab-words').textContent]"
        )

    def places(self) -> list:
        """Return where everything is that must not move."""
        return self.cell.evaluate(PLACES)

    def settled(self, seconds: float = 0.1) -> tuple[str, str]:
        """Return what is visible once it rests so long: a drag sends many values, the pictures lag."""
        shown, since = self.shown(), time.monotonic()
        while time.monotonic() < since + seconds:
            self.cell.page.wait_for_timeout(20)
            now = self.shown()
            if now != shown or self.lesson.is_busy():
                shown, since = now, time.monotonic()
        return shown

    def reset(self) -> None:
        """Bring all controls back to where they started."""
        self.cell.locator(".lab-controls .reset").click()
        self.settled()


def explorers(lesson: Lesson) -> list[Explorer]:
    """Return the views that have controls."""
    found = []
    for number in lesson.numbers(VIEW):
        lesson.cell(number).locator(".lab-view > *").first.wait_for(state="attached")
        for button in lesson.place(number).locator(".reveal").all():  # which uncovers the controls
            button.click()
        explorer = Explorer(lesson, number)
        if explorer.controls():
            found.append(explorer)
    return found


@dataclass(frozen=True)
class Control:
    """One control of an explorer."""

    explorer: Explorer
    place: Locator
    selector = ""  # how the page names this kind

    @property
    def name(self) -> str:
        """Return the words beside the control."""
        return self.place.evaluate(
            "it => it.getAttribute('aria-label') ?? (it.labels ? it.labels[0] : it.previousElementSibling).textContent"
        ).strip()

    @property
    def value(self) -> str:
        """Return what the control says now."""
        return self.place.input_value()

    def by_keyboard(self) -> None:
        """Move the control by its keys, and see that the explorer follows."""
        raise NotImplementedError

    def by_mouse(self) -> None:
        """Move the control by the mouse, and see that the explorer follows."""
        raise NotImplementedError

    @contextlib.contextmanager
    def followed(self, act: str, seconds: float = SECONDS) -> Iterator[None]:
        """Do what is inside, wait until the picture or the words differ, and see that nothing else moved."""
        (picture, words), value, places = self.explorer.shown(), self.value, self.explorer.places()
        yield
        deadline = time.monotonic() + seconds
        while True:
            now, said = self.explorer.settled()
            same = {"value": self.value == value, "picture": now == picture, "words": said == words}
            if not same["value"] and not (same["picture"] and same["words"]):
                break
            if time.monotonic() > deadline:
                unchanged = " and ".join(name for name, is_same in same.items() if is_same)
                raise AssertionError(f"{act} changes nothing in: {unchanged}")
        pairs = list(zip(places, self.explorer.places(), strict=True))
        if any((old[-1] > 0) != (new[-1] > 0) for old, new in pairs):  # other controls show: the rest stays where it is
            pairs = [pair for pair in pairs if pair[0][0] in ("FIGURE", "lab-hint")]
        moved = [pair for pair in pairs if pair[0] != pair[1]]
        assert not moved, f"{act} moves {moved[0][0]} to {moved[0][1]}"


@dataclass(frozen=True)
class Slider(Control):
    """A slider, also that of a stepper."""

    selector = ".lab-controls input[type=range]"

    def by_keyboard(self) -> None:
        """Go one up (down, where that is the end), and back."""
        before = self.value
        for key in ("ArrowRight", "ArrowLeft") if not self._is_at("max") else ("ArrowLeft", "ArrowRight"):
            self.press(key)
        assert self.value == before

    def by_mouse(self) -> None:
        """Click near its other end."""
        with self.followed(f"clicking {self.name}"):
            box = self.place.bounding_box()
            x = 0.1 if float(self.value) > float(self.place.get_attribute("max")) / 2 else 0.9
            self.place.click(position={"x": x * box["width"], "y": box["height"] / 2})

    def press(self, key: str, seconds: float = SECONDS) -> None:
        """Press a key on the slider, and see that the explorer follows."""
        with self.followed(f"{key} on {self.name}", seconds):
            self.place.press(key)

    def _is_at(self, end: str) -> bool:
        return float(self.value) == float(self.place.get_attribute(end))


@dataclass(frozen=True)
class Tick(Control):
    """A box to tick."""

    selector = ".lab-controls input[type=checkbox]"

    @property
    def value(self) -> str:
        """Return whether it is ticked."""
        return str(self.place.is_checked())

    def by_keyboard(self) -> None:
        """Press the space bar twice."""
        for _ in range(2):
            with self.followed(f"Space on {self.name}"):
                self.place.press("Space")

    def by_mouse(self) -> None:
        """Click twice."""
        for _ in range(2):
            with self.followed(f"clicking {self.name}"):
                self.place.click()


@dataclass(frozen=True)
class Menu(Control):
    """A list of which one is chosen."""

    selector = ".lab-controls select"

    def by_keyboard(self) -> None:
        """Choose the one below, and again the one above; the other way round where nothing is below."""
        is_last = self.place.evaluate("list => list.selectedIndex === list.options.length - 1")
        for key in ("ArrowUp", "ArrowDown") if is_last else ("ArrowDown", "ArrowUp"):
            with self.followed(f"{key} on {self.name}"):
                self.place.press(key)

    def by_mouse(self) -> None:
        """Choose the last one, then the first again (an open list is drawn outside the page: no click reaches it)."""
        first, *_, last = [text for text in self.place.locator("option").all_inner_texts() if text != self.value]
        for text in [last, first]:
            with self.followed(f"choosing {text!r} of {self.name}"):
                self.place.select_option(text)


@dataclass(frozen=True)
class Segments(Control):
    """Buttons of which one is pressed."""

    selector = ".lab-controls .segments"

    @property
    def value(self) -> str:
        """Return the one that is pressed."""
        return self.place.locator("input:checked").input_value()

    def by_keyboard(self) -> None:
        """Press an arrow key: the next one is chosen."""
        with self.followed(f"ArrowRight on {self.name}"):
            self.place.locator("input:checked").press("ArrowRight")

    def by_mouse(self) -> None:
        """Click one that is not pressed yet."""
        with self.followed(f"clicking {self.name}"):
            self.place.locator("input:not(:checked) + span").first.click()


@dataclass(frozen=True)
class Handle(Control):
    """What can be dragged inside a picture."""

    selector = ".lab-handle"

    @property
    def value(self) -> str:
        """Return where it is."""
        return self.place.get_attribute("transform")

    def by_keyboard(self) -> None:
        """Go one up (down, where that is the end) and back."""
        self.place.focus()
        for key in ("ArrowLeft", "ArrowRight") if self._is_at_its_end() else ("ArrowRight", "ArrowLeft"):
            with self.followed(f"{key} on the handle {self.name}"):
                self.place.page.keyboard.press(key)  # the new drawing has left it the focus

    def by_mouse(self) -> None:
        """Drag it a little to one side, then back."""
        way = -60 if self._is_at_its_end() else 60
        for side in (way, -way):
            with self.followed(f"dragging the handle {self.name}"):
                self.drag(side)

    def _is_at_its_end(self) -> bool:
        return self.place.evaluate("handle => handle.ariaValueNow === handle.ariaValueMax")

    def drag(self, way: float) -> None:
        """Drag it so many pixels to the right."""
        page, box = self.place.page, self.place.locator("circle").last.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + way, y, steps=8)
        page.mouse.up()


@dataclass(frozen=True)
class Buttons(Control):
    """A stepper's buttons."""

    selector = ".lab-controls .wide:has(button)"

    @property
    def name(self) -> str:
        """Return what the buttons say."""
        return ", ".join(self.place.locator("button").all_inner_texts())

    @property
    def value(self) -> str:
        """Return which moment it is."""
        return self.explorer.cell.locator(".lab-controls output").text_content()

    def by_keyboard(self) -> None:
        """Step and go back."""
        self.explorer.cell.locator(".lab-controls input[type=range]").press("Home")
        for name in ("Step", "Back"):
            with self.followed(f"Enter on {name}"):
                self.place.get_by_role("button", name=name).press("Enter")

    def by_mouse(self) -> None:
        """Play, and stop."""
        with self.followed("clicking Play"):
            self.place.get_by_role("button", name="Play").click()
            self.place.page.wait_for_timeout(2000)
            stop = self.place.get_by_role("button", name="Stop")
            if stop.count():
                stop.click()


@dataclass(frozen=True)
class Runs(Control):
    """Buttons that count runs."""

    selector = ".lab-controls .lab-runs"

    @property
    def name(self) -> str:
        """Return what the first button says."""
        return self.place.locator("button").first.inner_text()

    @property
    def value(self) -> str:
        """Return how often each bin was hit."""
        return str(self.explorer.cell.locator(".lab-cards .name").all_text_contents())

    def by_keyboard(self) -> None:
        """Press the first button with Enter."""
        with self.followed(f"Enter on {self.name}"):
            self.place.locator("button").first.press("Enter")

    def by_mouse(self) -> None:
        """Click them all."""
        for button in self.place.locator("button").all():
            with self.followed(f"clicking {button.inner_text()}"):
                button.click()


@dataclass(frozen=True)
class Cards(Control):
    """Cards that can be dragged up and down."""

    selector = ".lab-cards"

    @property
    def name(self) -> str:
        """Return what the explorer calls it."""
        return "your order"

    @property
    def value(self) -> str:
        """Return where the cards are."""
        return str(self.place.locator(".slider").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))"))

    def by_keyboard(self) -> None:
        """Move a card that nothing holds up, and down again."""
        self.place.locator(".slider", has_text="update_w").focus()
        for key in ("ArrowUp", "ArrowDown"):
            with self.followed(f"{key} on a card"):
                self.place.page.keyboard.press(key)

    def by_mouse(self) -> None:
        """Drag it up, and down again."""
        page = self.place.page
        for way in (-52, 52):
            with self.followed("dragging a card"):
                box = self.place.locator(".slider", has_text="update_w").bounding_box()
                x, y = box["x"] + 30, box["y"] + 20
                page.mouse.move(x, y)
                page.mouse.down()
                page.mouse.move(x, y + way, steps=8)
                page.mouse.up()


KINDS = (Slider, Tick, Menu, Segments, Handle, Buttons, Runs, Cards)
