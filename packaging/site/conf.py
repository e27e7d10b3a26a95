"""The documentation as a site: its pages are the Markdown files as they are in the repository.

By Sphinx, whose sites work from a file and at any address, search included. VitePress 1 must know its address and
loads modules, which a browser refuses from a file; Pagefind fetches its index, which it refuses too.
"""

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MANIFEST = json.loads((ROOT / "package.json").read_text())
REPOSITORY = MANIFEST["homepage"].split("#")[0] + "/tree/main/"

project = html_title = "nodecluster"
extensions = ["myst_parser"]
myst_heading_anchors = 4
root_doc = "README"
include_patterns = ["*.md", "docs/**.md"]
exclude_patterns = [path.name for path in ROOT.iterdir() if path.is_dir() and path.name != "docs"]
highlight_language = "none"
smartquotes = False
# Some examples are only parts of a file, or have an ellipsis in them.
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_copy_source = html_show_sourcelink = html_show_sphinx = False
# A page that was opened from a file may not read another one.
html_show_search_summary = False

# By the first part of their names; the pages of docs/ that are not here are guides.
FIRST_GUIDES = ["production", "from-pm2", "troubleshooting"]
REFERENCE = [
    *["commands", "configuration", "errors", "json", "api", "words", "compatibility"],
    *["benchmarks", "benchmarks-figures", "reliability-figures"],
]
EXPLANATIONS = ["how-a-worker-is-judged", "reliability", "comparison", "architecture"]


def pages(directory):
    names = sorted(path.stem for path in (ROOT / directory).glob("*.md"))
    return [f"{directory}/{name}" for name in names]


def of_docs(names):
    return [f"docs/{name}" for name in names]


NAMED = of_docs(FIRST_GUIDES + REFERENCE + EXPLANATIONS)
SIDEBAR = {
    "Guides": of_docs(FIRST_GUIDES) + [page for page in pages("docs") if page not in NAMED],
    "Watching": pages("docs/observability"),
    "Recipes": pages("docs/recipes"),
    "Reference": of_docs(REFERENCE),
    "Explanations": of_docs(EXPLANATIONS),
    "Decisions": pages("docs/decisions"),
    "The project": ["CONTRIBUTING", "SECURITY", "CHANGELOG"],
}


def add_sidebar(_app, page, source):
    if page == root_doc:
        for caption, entries in SIDEBAR.items():
            listed = "\n".join(entries)
            source[0] += f"\n\n```{{toctree}}\n:caption: {caption}\n:hidden:\n:titlesonly:\n\n{listed}\n```\n"


def link_directories(_app, _page, source):
    """A directory is not part of the site."""
    source[0] = re.sub(r"\]\((?:\.\./)*([\w/-]+/)\)", rf"]({REPOSITORY}\1)", source[0])


def make_accessible(_app, _page, _template, context, _doctree):
    """What is wider than the page can be scrolled with the keyboard, and the captions of the sidebar have a level."""
    wide = r'<(pre(?=>)|div(?= class="table-wrapper))'
    tree = context["furo_navigation_tree"]
    context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')
    if "body" in context:
        context["body"] = re.sub(wide, r'<\1 tabindex="0"', context["body"])


def setup(app):
    app.connect("source-read", add_sidebar)
    app.connect("source-read", link_directories)
    app.connect("html-page-context", make_accessible, priority=900)
