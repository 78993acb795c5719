"""`python -m tools.weigh`: how heavy each page of the built site is, and how soon it appears from disk.

Each page is opened three times in a browser that has nothing in its cache. The time runs from the request to the first
paint with content, and to the end of the first screen: everything is loaded, and the views are drawn.
"""

import statistics
from pathlib import Path
from urllib.parse import urlsplit

from tests.website.pages import READ, SITE, Page, read
from tools.chromium import chromium

TIMES = """() => [
    performance.getEntriesByName('first-contentful-paint')[0].startTime,
    performance.getEntriesByType('navigation')[0].loadEventEnd,
]"""


def weight(name):
    """Return the bytes of a page and of what it loads before a picture is opened."""
    loaded = {((SITE / name).parent / urlsplit(link).path).resolve() for link in read(name).loads}
    return sum(path.stat().st_size for path in {*loaded, Path(SITE / name)})


def times(browser, name):
    """Return the milliseconds until a page has content, and until its first screen is complete."""
    taken = []
    for _ in range(3):
        page = Page(browser, SITE.as_uri(), name)
        page.page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
        taken.append(page.page.evaluate(TIMES))
        page.close()
    return [statistics.median(times) for times in zip(*taken, strict=True)]


def main():
    """Print a line for each page."""
    with chromium() as browser:
        for name in READ:
            first, complete = times(browser, name)
            print(f"{name:45} {weight(name) / 1000:6.0f} kB  content {first:4.0f} ms  first screen {complete:4.0f} ms")


if __name__ == "__main__":
    main()
