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

project = "nodecluster"
html_title = f"nodecluster {MANIFEST['version']}"
extensions = ["myst_parser"]
myst_heading_anchors = 4
root_doc = "docs/README"
include_patterns = ["*.md", "docs/**.md"]
exclude_patterns = [path.name for path in ROOT.iterdir() if path.is_dir() and path.name != "docs"]
highlight_language = "none"
smartquotes = False
# Some examples are only parts of a file, or have an ellipsis in them.
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_search_scorer = str(Path(__file__).parent / "scorer.js")
html_copy_source = html_show_sourcelink = html_show_sphinx = html_show_copyright = False
# A page that was opened from a file may not read another one.
html_show_search_summary = False

def contents(index):
    """The pages that an index links to, each once, without those of other indexes."""
    directory = (ROOT / index).parent
    linked = re.findall(r"\]\(([\w./-]+)\.md", (ROOT / f"{index}.md").read_text())
    return [page for page in dict.fromkeys(linked) if (directory / f"{page}.md").parent == directory]


def sidebar():
    """Of the doors of the first page: the words on each, and the pages behind it."""
    doors = (ROOT / f"{root_doc}.md").read_text().split("\n## Five doors\n")[1]
    for caption, links in re.findall(r"^- \*\*(.+?):\*\*(.+?)(?=^- |\Z)", doors, re.MULTILINE | re.DOTALL):
        pages = re.findall(r"\]\(([\w./-]+)\.md\)", links)
        yield caption, ["README <../README>" if page == "../README" else page for page in pages]


def toctree(entries, options=""):
    listed = "\n".join(entries)
    return f"\n\n```{{toctree}}\n{options}:hidden:\n:titlesonly:\n\n{listed}\n```\n"


def add_sidebar(_app, page, source):
    if page == root_doc:
        for caption, entries in sidebar():
            source[0] += toctree(entries, f":caption: {caption}\n")
    elif page.endswith("/README"):
        source[0] += toctree(contents(page))


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
