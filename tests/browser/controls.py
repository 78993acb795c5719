"""Move the controls of a lesson's explorers, by keyboard and by mouse, and see that the picture follows.

An `Explorer` is the output of one cell that has controls, a picture, and words. Each `Control` knows
its own way of being moved; after each move the picture and the words must differ.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass

from playwright.sync_api import Locator

from tests.browser.jupyterlab import KERNEL_IS_IDLE, SECONDS, Lesson

WIDGET = "application/vnd.jupyter.widget-view+json"


@dataclass(frozen=True)
class Shown:
    """What an explorer shows: its pictures (their data) and its words."""

    pictures: str
    words: str


@dataclass(frozen=True)
class Explorer:
    """Controls, and the picture and the words that follow them, in the output of one cell."""

    lesson: Lesson
    number: int  # of the cell

    @property
    def cell(self) -> Locator:
        """The cell, wherever the page is scrolled to (what is far out of sight shows no text)."""
        return self.lesson.page.locator(f".jp-Notebook-cell[data-windowed-list-index='{self.number}']")

    def controls(self) -> list[Control]:
        """Bring the explorer into sight and return its controls, those of one kind together."""
        self.lesson.cell(self.number)
        return [
            kind(self, place)
            for kind in KINDS
            for place in self.cell.locator(f".jp-Cell-outputArea {kind.selector}").all()
            if place.is_visible()
        ]

    def sliders(self) -> list[Slider]:
        """Bring the explorer into sight and return its sliders, from top to bottom."""
        return [control for control in self.controls() if isinstance(control, Slider)]

    def shown(self) -> Shown:
        """Return what is to be seen now."""
        pictures, words = self.cell.locator(".jp-Cell-outputArea").evaluate(
            """async area => {
                const bytes = async image => {
                    const answer = await fetch(image.src);
                    return String(new Uint8Array(await answer.arrayBuffer()));
                };
                const pictures = await Promise.all([...area.querySelectorAll('img')].map(bytes));
                const drawings = [...area.querySelectorAll('svg')].map(svg => svg.outerHTML);
                const words = area.cloneNode(true);
                words.querySelectorAll('.jp-OutputPrompt, .widget-slider, .widget-dropdown,'
                    + ' .lab-flipbook-controls, svg, style, script').forEach(part => part.remove());
                return [[...pictures, ...drawings].join(), words.textContent.trim()];
            }"""
        )
        return Shown(pictures, words)

    def settled(self) -> Shown:
        """Return what is to be seen once it rests: a drag sends many values, the pictures lag."""
        shown, since = self.shown(), time.monotonic()
        while time.monotonic() < since + 0.3:
            self.cell.page.wait_for_timeout(30)
            now = self.shown()
            if now != shown or self.cell.page.evaluate(f"() => !({KERNEL_IS_IDLE})"):
                shown, since = now, time.monotonic()
        return shown


def explorers(lesson: Lesson) -> list[Explorer]:
    """Return what has controls, after a run."""
    found = []
    for number in lesson.numbers(WIDGET):
        lesson.cell(number).locator(".jp-OutputArea-output .jupyter-widgets").first.wait_for()
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
        """Return the words that stand beside the control."""
        return self.place.locator(".widget-label").first.text_content().strip()

    @property
    def value(self) -> float | str:
        """Return what the control says now."""
        raise NotImplementedError

    def by_keyboard(self) -> None:
        """Move the control by its keys, and see that the explorer follows."""
        raise NotImplementedError

    def by_mouse(self) -> None:
        """Move the control by the mouse, and see that the explorer follows."""
        raise NotImplementedError

    @contextlib.contextmanager
    def followed(self, act: str, seconds: float = SECONDS) -> Iterator[None]:
        """Do what stands inside, then wait until the value, the pictures and the words differ."""
        before, value = self.explorer.settled(), self.value
        yield
        deadline = time.monotonic() + seconds
        while True:
            after = self.explorer.settled()
            same = {
                "value": self.value == value,
                "picture": after.pictures == before.pictures,
                "words": after.words == before.words,
            }
            if not any(same.values()):
                return
            if time.monotonic() > deadline:
                unchanged = " and ".join(name for name, is_same in same.items() if is_same)
                raise AssertionError(f"{act} changes nothing in: {unchanged}")


@dataclass(frozen=True)
class Slider(Control):
    """A slider of ipywidgets."""

    selector = ".widget-slider"

    @property
    def value(self) -> float:
        """Return the number that stands after the slider."""
        return float(self.place.locator(".widget-readout").text_content())

    def by_keyboard(self) -> None:
        """Go one up, and back."""
        before = self.value
        self.press("ArrowRight")
        assert self.value > before
        self.press("ArrowLeft")
        assert self.value == before

    def by_mouse(self) -> None:
        """Drag it up."""
        before = self.value
        self.drag(0.9)
        assert self.value > before

    def press(self, key: str, seconds: float = SECONDS) -> None:
        """Press "ArrowLeft" or "ArrowRight" on the slider, and see that the explorer follows."""
        with self.followed(f"{key} on {self.name}", seconds):
            self._handle.focus()
            self._handle.press(key)

    def drag(self, share: float, seconds: float = SECONDS) -> None:
        """Drag the slider to this share of its length, and see that the explorer follows."""
        with self.followed(f"dragging {self.name}", seconds):
            self._handle.scroll_into_view_if_needed()
            handle = self._handle.bounding_box()
            track = self.place.locator(".noUi-base").bounding_box()
            mouse = self.place.page.mouse
            mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
            mouse.down()
            mouse.move(track["x"] + share * track["width"], track["y"] + track["height"] / 2, steps=5)
            mouse.up()

    @property
    def _handle(self) -> Locator:
        return self.place.locator(".noUi-handle")


@dataclass(frozen=True)
class Checkbox(Control):
    """A box to tick."""

    selector = ".widget-checkbox"

    @property
    def name(self) -> str:
        """Return the words after the box."""
        return self.place.locator(".widget-label-basic").text_content().strip()

    @property
    def value(self) -> str:
        """Return whether it is ticked."""
        return str(self._box.is_checked())

    def by_keyboard(self) -> None:
        """Press the space bar twice."""
        for _ in range(2):
            with self.followed(f"Space on {self.name}"):
                self._box.focus()
                self._box.press("Space")

    def by_mouse(self) -> None:
        """Click twice."""
        for _ in range(2):
            with self.followed(f"clicking {self.name}"):
                self._box.click()

    @property
    def _box(self) -> Locator:
        return self.place.locator("input")


@dataclass(frozen=True)
class Dropdown(Control):
    """A list of which one is chosen."""

    selector = ".widget-dropdown"

    @property
    def value(self) -> str:
        """Return what is chosen."""
        return self._list.evaluate("list => list.options[list.selectedIndex].text")

    def by_keyboard(self) -> None:
        """Choose the one below, and again the one above; the other way round where nothing is below."""
        is_last = self._list.evaluate("list => list.selectedIndex === list.options.length - 1")
        for key in ("ArrowUp", "ArrowDown") if is_last else ("ArrowDown", "ArrowUp"):
            with self.followed(f"{key} on {self.name}"):
                self._list.focus()
                self._list.press(key)

    def by_mouse(self) -> None:
        """Choose each in turn (a list that is open is drawn outside the page: no click reaches it)."""
        first = self.value
        others = [text for text in self._list.locator("option").all_inner_texts() if text != first]
        for text in [*others, first]:
            with self.followed(f"choosing {text!r} of {self.name}"):
                self._list.select_option(text)

    @property
    def _list(self) -> Locator:
        return self.place.locator("select")


@dataclass(frozen=True)
class ToggleButtons(Control):
    """Buttons of which one is pressed."""

    selector = ".widget-toggle-buttons"

    @property
    def value(self) -> str:
        """Return the one that is pressed."""
        return self.place.locator("button.mod-active").text_content()

    def by_keyboard(self) -> None:
        """Press one that is not pressed yet."""
        with self.followed(f"Enter on {self.name}"):
            button = self.place.locator("button:not(.mod-active)").first
            button.focus()
            button.press("Enter")

    def by_mouse(self) -> None:
        """Click one that is not pressed yet."""
        with self.followed(f"clicking {self.name}"):
            self.place.locator("button:not(.mod-active)").first.click()


@dataclass(frozen=True)
class Flipbook(Control):
    """Pictures of which one shows: buttons, a slider, and Play."""

    selector = ".lab-flipbook"

    @property
    def name(self) -> str:
        """Return the words that stand before the slider."""
        return self.place.locator("label").evaluate("label => label.firstChild.textContent").strip()

    @property
    def value(self) -> float:
        """Return the number of the picture."""
        return float(self.place.locator("output").text_content().partition(" ")[0])

    def by_keyboard(self) -> None:
        """From the first picture, go on by the arrow key, by the button, and back."""
        slider = self.place.locator("input")
        if self.value:
            self.press(slider, "Home")
        self.press(slider, "ArrowRight")
        assert self.value == 1
        self.press(self._button("Step"), "Enter")
        assert self.value == 2
        self.press(self._button("Back"), "Space")
        self.press(slider, "ArrowLeft")
        assert self.value == 0

    def by_mouse(self) -> None:
        """Click on the slider's end, then play from the start and stop."""
        track = self.place.locator("input")
        with self.followed("clicking the end of the slider"):
            box = track.bounding_box()
            track.click(position={"x": box["width"] - 3, "y": box["height"] / 2})
        assert self._button("Step").is_disabled()
        last = self.value
        with self.followed("clicking Play"):
            self._button("Play").click()
            while self.value < min(2, last):
                self.place.page.wait_for_timeout(30)
            if last > 2:
                self._button("Stop").click()
        assert self.value >= min(2, last)

    def press(self, place: Locator, key: str) -> None:
        """Press a key on a part of it, and see that the picture follows."""
        with self.followed(f"{key} on {self.name}"):
            place.focus()
            place.press(key)

    def _button(self, text: str) -> Locator:
        return self.place.get_by_role("button", name=text, exact=True)


KINDS = (Slider, Checkbox, Dropdown, ToggleButtons, Flipbook)
