"""How Sphinx makes the pages (https://www.sphinx-doc.org/en/master/usage/configuration.html)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

project = "global-step-course"
html_title = "Who adds one to the step?"
language = "en"
smartquotes = False  # as in the views, and in JupyterLab

extensions = ["myst_nb", "sphinx.ext.githubpages", "website.terms", "website.texts", "website.source"]
include_patterns = ["index.md", "CONTRIBUTING.md", "lessons/*.ipynb", "minitf/README.md", "minitf/names.md"]
myst_enable_extensions = ["html_image"]
nb_execution_mode = "off"  # the notebooks hold what they print
nb_ipywidgets_js = {}  # nothing comes from another host
nb_code_prompt_show = "Show the result"
nb_code_prompt_hide = "Hide the result"
toc_object_entries = False
myst_heading_anchors = 4
myst_heading_slug_func = "website.source.slug"

html_theme = "furo"
html_static_path = ["static", "_build/course/static"]
html_extra_path = ["_build/course/extra"]
html_favicon = "static/icon.svg"
html_css_files = ["kit.css", "site.css"]
html_js_files = [(name, {"defer": "defer"}) for name in ("kit.js", "terms.js", "site.js")]
templates_path = ["templates"]
html_use_index = False  # minitf/names has them all
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_permalinks = False
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
