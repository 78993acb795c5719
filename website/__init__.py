"""The course as a web site: `python -m website` makes it from the notebooks, README.md and minitf's docstrings."""
