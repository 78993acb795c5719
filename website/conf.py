"""How Sphinx makes the pages (https://www.sphinx-doc.org/en/master/usage/configuration.html)."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ["PYTHONPATH"] = os.pathsep.join(map(str, [ROOT, ROOT / "lessons"]))  # for the lessons' kernels

project = "TensorFlow 1's global_step"
html_title = project
language = "en"
smartquotes = False  # as in JupyterLab

extensions = ["myst_nb", "sphinx_design", "sphinxext.opengraph", "sphinx.ext.githubpages", "website.terms"]
include_patterns = ["*.md", "lessons/*.ipynb", "minitf/README.md", "minitf/names.md", "**/*.py.md"]
exclude_patterns = ["README.md"]  # index.md and others show its parts
myst_enable_extensions = ["colon_fence", "html_image"]
myst_heading_anchors = 4
myst_heading_slug_func = "website.slug"
nb_execution_mode = "force"
nb_execution_timeout = 120
nb_execution_show_tb = True
nb_merge_streams = True
nb_ipywidgets_js = {}  # nothing comes from another host
nb_code_prompt_show = "Show the {type}"
nb_code_prompt_hide = "Hide the {type}"
suppress_warnings = ["mystnb.unknown_mime_type"]
ogp_site_url = os.environ.get("SITE_URL", "")  # where the site will be; what is shared needs whole addresses
ogp_image = "_static/preview.png"
ogp_social_cards = {"enable": False}
toc_object_entries = False

html_theme = "furo"
html_theme_options = {  # the colours of the figures
    "light_css_variables": {
        "color-brand-primary": "#0969a8",
        "color-brand-content": "#0969a8",
        "color-brand-visited": "#0969a8",
    },
    "dark_css_variables": {
        "color-brand-primary": "#63b3ed",
        "color-brand-content": "#63b3ed",
        "color-brand-visited": "#63b3ed",
        "color-background-primary": "#111111",
        "color-background-secondary": "#191c20",
    },
}
html_static_path = ["static", "../lessons/pictures/preview.png"]
templates_path = ["templates"]
html_favicon = "static/icon.svg"
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_search_scorer = str(ROOT / "website" / "_build" / "course" / "scorer.js")
html_use_index = False  # minitf/names has them all
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_permalinks = False
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
