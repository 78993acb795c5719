"""The pages of the built site: as text, and open in a browser."""

import contextlib
import functools
import http.server
import threading
from html.parser import HTMLParser

import pytest

from tests.browser.jupyterlab import SECONDS
from tests.lessons.notebooks import LESSONS, ROOT

SITE = ROOT / "website" / "_build" / "html"
PAGES = sorted(str(path.relative_to(SITE)) for path in SITE.rglob("*.html")) if SITE.exists() else []
READ = [name for name in PAGES if not name.endswith((".py.html", "search.html"))]  # what is for reading
LESSON_PAGES = [f"lessons/{path.stem}.html" for path in sorted(LESSONS.glob("[0-9][0-9]_*.ipynb"))]

# Where a test opens the site: in the long form, both from disk and from a server.
FROM_DISK, FROM_SERVER = (
    pytest.mark.parametrize("address", [first, pytest.param(then, marks=pytest.mark.long)], indirect=True)
    for first, then in (("disk", "server"), ("server", "disk"))
)


def sources():
    """Yield the files that the site is made from."""
    yield from (ROOT / "README.md", ROOT / "CONTRIBUTING.md")
    for folder in ("lessons", "minitf", "website"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in {".ipynb", ".md", ".py", ".js", ".css", ".txt"} and "_build" not in path.parts:
                yield path


class Html(HTMLParser):
    """A page's links, its anchors, and what it loads."""

    def __init__(self, name):
        """Read the page `name`."""
        super().__init__()
        self.links = []
        self.loads = []
        self.names = set()
        self.feed((SITE / name).read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        """Note what an element links to or loads, and its name."""
        found = {name: value or "" for name, value in attrs}
        self.names |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag == "link" and found["rel"] in ("stylesheet", "icon", "shortcut icon"):
            self.loads.append(found["href"])
        if "src" in found and not found["src"].startswith("data:"):
            self.loads.append(found["src"])


@functools.cache
def read(name):
    """Return what the page `name` holds."""
    return Html(name)


@contextlib.contextmanager
def serving(site, folder, prefix):
    """Serve the site under this path; yield its address."""
    (folder / prefix).parent.mkdir(parents=True)
    (folder / prefix).symlink_to(site, target_is_directory=True)

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            """Say nothing."""

    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{prefix}"
        server.shutdown()


class Page:
    """A page of the site, open."""

    def __init__(self, browser, address, name, width=1400, theme="light", **more):
        """Open the page `name` of the site at `address`."""
        self.address, self.faults = address, list[str]()
        look = {"viewport": {"width": width, "height": 900}, "color_scheme": theme, **more}
        self.context = browser.new_context(**look, reduced_motion="reduce")  # else the theme scrolls slowly
        self.page = self.context.new_page()
        self.page.set_default_timeout(SECONDS * 1000)
        self.page.on("pageerror", lambda error: self.faults.append(f"{name}: {error}"))
        self.page.on("console", self._heard)
        self.page.on("request", self._asked)
        self.page.on("requestfailed", self._failed)
        self.page.goto(f"{address}/{name}")

    def _heard(self, message):
        if message.type in ("error", "warning"):
            self.faults.append(f"{self.page.url}: {message.text}")

    def _asked(self, request):
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.faults.append(f"{self.page.url}: asks another host for {request.url}")

    def _failed(self, request):
        if request.failure != "net::ERR_ABORTED":  # by going to another page
            self.faults.append(f"{self.page.url}: {request.url} failed: {request.failure}")

    def close(self):
        """Close it, and return what went wrong."""
        self.context.close()
        return self.faults

    def unfold(self):
        """Open everything that's folded."""
        self.page.evaluate("document.querySelectorAll('article details').forEach(fold => { fold.open = true })")
