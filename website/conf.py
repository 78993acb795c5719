"""How Sphinx makes the pages (https://www.sphinx-doc.org/en/master/usage/configuration.html)."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

project = "global-step-course"
html_title = "TensorFlow 1's global_step"
html_baseurl = os.environ.get("SITE_URL", "")  # where the site will be; what is shared needs whole addresses
language = "en"
smartquotes = False  # as in the views, and in JupyterLab

extensions = ["myst_nb", "sphinx.ext.githubpages", "website.terms", "website.texts", "website.source", "website.heads"]
include_patterns = ["*.md", "lessons/*.ipynb", "minitf/README.md", "minitf/names.md"]
myst_enable_extensions = ["html_image"]
nb_execution_mode = "off"  # the notebooks hold what they print
nb_ipywidgets_js = {}  # nothing comes from another host
nb_code_prompt_show = "Show the result"
nb_code_prompt_hide = "Hide the result"
toc_object_entries = False
myst_heading_anchors = 4
myst_heading_slug_func = "website.source.slug"

html_theme = "furo"
html_theme_options = {  # the colours of the views
    "light_css_variables": {
        "color-brand-primary": "#0969a8",
        "color-brand-content": "#0969a8",
        "color-brand-visited": "#0969a8",
        "color-sidebar-background": "#f7f8f9",
    },
    "dark_css_variables": {
        "color-brand-primary": "#63b3ed",
        "color-brand-content": "#63b3ed",
        "color-brand-visited": "#63b3ed",
        "color-background-primary": "#16191d",
        "color-background-secondary": "#1b1f24",
        "color-sidebar-background": "#1b1f24",
    },
}
html_static_path = ["static", "_build/course/static"]
html_extra_path = ["_build/course/extra"]
html_favicon = "static/icon.svg"
html_css_files = ["kit.css", "site.css", "first_page.css"]
html_js_files = [(name, {"defer": "defer"}) for name in ("kit.js", "terms.js", "site.js")]
templates_path = ["templates"]
html_use_index = False  # minitf/names has them all
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_permalinks = False
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
