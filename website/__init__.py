"""The course as a web site: `python -m website` builds it."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LESSONS = ROOT / "lessons"
sys.path.insert(0, str(LESSONS))  # where `lab` is, which draws the views
