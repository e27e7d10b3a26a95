#!/bin/sh
# `npm run docs:site` makes a static site of the documentation in site/. It needs Python 3.11. Sphinx and its theme are
# installed in a virtual environment below node_modules, so that neither the project nor the machine gets them.
set -eu
cd "$(dirname "$0")/../.."
environment=node_modules/.cache/docs-site
python=$environment/bin/python
"$python" -c 'import furo, myst_parser' 2>/dev/null || {
  python3 -m venv "$environment"
  "$python" -m pip install --quiet --disable-pip-version-check --requirement packaging/site/requirements.txt
}
# A page may have been removed since the last time.
rm -rf site
"$python" -m sphinx --quiet --fail-on-warning --keep-going -c packaging/site -d "$environment/doctrees" . site
echo '<!doctype html><meta http-equiv="refresh" content="0; url=docs/README.html"><a href="docs/README.html">nodecluster</a>' >site/index.html
