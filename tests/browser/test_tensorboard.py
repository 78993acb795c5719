"""TensorBoard shows experiment A's loss over the step, and its graph with sensible shapes; lesson 12 opens it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import numpy as np
import pytest

import minitf as tf
from tests.browser.jupyterlab import SECONDS, SHUT_DOWN
from tests.lessons.notebooks import LESSONS, read

pytestmark = pytest.mark.browser
STEPS = 20
NOTEBOOK = read(LESSONS / "12_watching.ipynb")
IDS = [cell.id for cell in NOTEBOOK.cells]


@pytest.fixture(scope="module")
def training(tmp_path_factory):
    """Run experiment A; give the folder of its events, and the loss at each step."""
    folder, losses = tmp_path_factory.mktemp("events"), {}
    data = np.linspace(1, 2, 10).reshape([10, 1])
    with tf.Graph().as_default() as graph, tf.Session() as session:
        x = tf.placeholder(tf.float32, shape=[None, 1], name="x")
        y = tf.placeholder(tf.float32, shape=[None, 1], name="y")
        w = tf.Variable(tf.constant(0.0), name="w")
        global_step = tf.Variable(0, trainable=False, name="global_step")
        learning_rate = tf.train.exponential_decay(0.01, global_step, 10, 2, staircase=False)
        loss = tf.pow(w * x - y, 2)
        train_op = tf.train.GradientDescentOptimizer(learning_rate).minimize(loss, global_step=global_step)
        total = tf.reduce_sum(loss, name="total")
        tf.summary.scalar("loss", total)
        tf.summary.histogram("weight", w)
        merged = tf.summary.merge_all()
        session.run(tf.global_variables_initializer())
        with tf.summary.FileWriter(folder, graph) as writer:
            for _ in range(STEPS):
                step, summary, value = session.run([global_step, merged, total], {x: data, y: data})
                writer.add_summary(summary, step)
                losses[int(step)] = float(value)
                session.run(train_op, {x: data, y: data})
    return folder, losses


@pytest.fixture(scope="module")
def tensorboard(training, tmp_path_factory):
    """Serve the events by TensorBoard; give its address."""
    folder, _ = training
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tensorboard.main", f"--logdir={folder}", "--host=127.0.0.1", f"--port={port}"]
    log = tmp_path_factory.mktemp("tensorboard") / "log"
    with log.open("w") as output:
        # Its own folder for the notes it keeps about itself, so that no other server is found there.
        environment = os.environ | {"TMPDIR": str(log.parent)}
        server = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
    address, deadline = f"http://127.0.0.1:{port}", time.monotonic() + SECONDS
    try:
        while not _scalars(address):
            if server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"TensorBoard did not start, or found nothing:\n{log.read_text()[-2000:]}")
            time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait(10)


def _scalars(address):
    """The steps and values of the loss that TensorBoard has read; nothing before it has."""
    with (
        contextlib.suppress(urllib.error.URLError, OSError),
        urllib.request.urlopen(f"{address}/data/plugin/scalars/scalars?run=.&tag=loss", timeout=5) as answer,
    ):
        return {step: value for _, step, value in json.load(answer)}
    return {}


@pytest.fixture
def page(browser):
    """A page of the browser; no script of it may fail."""
    page, errors = browser.new_page(viewport={"width": 1400, "height": 900}), []
    page.set_default_timeout(SECONDS * 1000)
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    page.close()
    assert errors == []


def test_tensorboard_shows_the_loss_over_the_step(tensorboard, training, page):
    _, losses = training
    assert _scalars(tensorboard) == pytest.approx(losses)
    page.goto(f"{tensorboard}/#timeseries")
    card = page.locator("scalar-card", has_text="loss")
    card.locator("line-chart canvas, line-chart svg").first.wait_for()
    table = card.locator("tb-data-table")
    table.get_by_text(str(STEPS - 1), exact=True).first.wait_for()
    *_, value, step, _ = table.inner_text().split("\n\t\n")  # run, smoothed, value, step, relative
    assert float(value) == pytest.approx(losses[STEPS - 1], rel=1e-3, abs=1e-4)
    assert int(step) == STEPS - 1
    assert "0\n5\n10\n15" in card.locator("line-chart-axis").last.inner_text()


def test_tensorboard_shows_the_graph_with_its_shapes(tensorboard, page):
    page.goto(f"{tensorboard}/#graphs&run=.")
    page.locator("g.node").first.wait_for()
    names = page.locator("g.node").evaluate_all("nodes => nodes.map(node => node.getAttribute('data-name'))")
    assert {"x", "y", "w", "global_step", "Pow", "ExponentialDecay", "GradientDescent", "gradients"} <= set(names)
    page.locator("g.edge text").first.wait_for(state="attached")
    labels = page.locator("g.edge text").all_text_contents()
    assert {"?×1", "scalar"} <= set(labels)
    assert all(re.fullmatch(r"scalar|\?×1|\d+ tensors", label) for label in labels), labels
    widths = page.locator("g.edge path.edgeline").evaluate_all(
        "lines => lines.map(line => parseFloat(getComputedStyle(line).strokeWidth))"
    )
    assert max(widths) < 5  # unknown shapes are drawn as giant arrows


def test_tensorboard_shows_the_histogram(tensorboard, page):
    page.goto(f"{tensorboard}/#histograms")
    mountains = page.locator("vz-histogram-timeseries .histogram path")
    mountains.first.wait_for(state="attached")
    assert mountains.count() == STEPS


def test_tensorboard_opens_in_the_lesson(open_lesson):
    lesson = open_lesson("12_watching.ipynb")
    cell = lesson.cell(IDS.index("board"))
    button, hint = cell.get_by_role("button", name="Open TensorBoard"), cell.locator(".lab-hint")
    assert hint.inner_text() == "Run this cell to open TensorBoard."
    button.click()  # nothing happens, and the words are no longer quiet
    assert hint.evaluate("hint => hint.classList.contains('now')")
    assert cell.locator("iframe").count() == 0
    lesson.run_all()
    cell = lesson.cell(IDS.index("board"))
    button = cell.get_by_role("button", name="Open TensorBoard")
    button.wait_for()
    assert not cell.locator(".lab-hint").is_visible()
    assert cell.locator("iframe").count() == 0  # nothing starts by itself
    button.press("Enter")
    cell.locator(".lab-note", has_text="Starting TensorBoard. This takes a few seconds.").wait_for()
    button.press("Enter")  # an impatient reader gets the same server
    address = cell.get_by_role("link", name="TensorBoard in its own tab").get_attribute("href")
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)  # this machine alone can reach it
    page = cell.frame_locator("iframe")
    card = page.locator("scalar-card", has_text="loss")
    card.scroll_into_view_if_needed()
    table = card.locator("tb-data-table")
    table.get_by_text("1.3485", exact=True).wait_for()  # the last values, as the lesson prints them
    table.get_by_text("1.2664", exact=True).wait_for()
    # TensorBoard smooths with 0.6 at first: it shows what the lesson's formula gives.
    shown = re.findall(r"(?:fast|slow)\s+([\d.]+)", table.inner_text())
    [printed] = [output.text for output in NOTEBOOK.cells[IDS.index("ends")].outputs]
    [ours] = re.findall(r"0\.6 +([\d.]+) +([\d.]+)", printed)
    assert [f"{float(number):.3f}" for number in shown] == list(ours)
    assert cell.locator("iframe").get_attribute("src") == address
    lesson.page.evaluate(SHUT_DOWN)
    assert _ends(address)  # with the kernel


def _ends(address: str) -> bool:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(address, timeout=5).close()
        except (urllib.error.URLError, OSError):
            return True
        time.sleep(0.2)
    return False
