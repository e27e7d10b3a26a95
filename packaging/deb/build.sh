#!/bin/sh
# `npm run build:deb [-- <directory>]` makes the Debian package of what `npm run build` makes, by default in dist/.
# Two builds of one commit are the same. Needs dpkg-deb.
set -eu
umask 022
target=$(realpath -m "${1:-$(dirname "$0")/../../dist}")
cd "$(dirname "$0")"
mkdir -p "$target"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}"

# put <file> <path in the package> [<mode>]
put() { install -D -m "${3:-644}" "$1" "$work/tree/$2"; }
lib=$work/tree/usr/lib/nodecluster
node ../../scripts/build.js "$lib"
chmod 755 "$lib"/bin/*
mkdir "$work/tree/usr/bin"
for name in nodecluster.js nodecluster-runtime; do
  ln -s "../lib/nodecluster/bin/$name" "$work/tree/usr/bin/${name%.js}"
done

for page in "$lib"/man/*; do
  put "$page" "usr/share/man/man${page##*.}/${page##*/}"
done
rm -r "$lib/man"
completion() {
  node "$lib/bin/nodecluster.js" completion "$1" >"$work/$1"
  put "$work/$1" "$2"
}
completion bash usr/share/bash-completion/completions/nodecluster
completion zsh usr/share/zsh/vendor-completions/_nodecluster
completion fish usr/share/fish/vendor_completions.d/nodecluster.fish

units=usr/lib/systemd/system
put nodecluster@.service "$units/nodecluster@.service"
put root.conf "$units/nodecluster@root.service.d/root.conf"

doc=usr/share/doc/nodecluster
mv "$lib/LICENSE" "$work/copyright"
echo 'The licences of the packages inside: /usr/lib/nodecluster/THIRD-PARTY-LICENCES.md' >>"$work/copyright"
put "$work/copyright" "$doc/copyright"
version=$(node -p 'require(process.argv[1]).version.replace("-", "~")' "$lib/package.json")
filled() {
  sed -e "s/@VERSION@/$version/" -e "s|@HOMEPAGE@|$(node -p 'require(process.argv[1]).homepage.replace(/#.*/, "")' "$lib/package.json")|" -e "s/@DATE@/$(date -Rud "@$SOURCE_DATE_EPOCH")/" \
    -e "s/@NODE@/$(node -p 'require(process.argv[1]).engines.node.replace(">=", "")' "$lib/package.json")/" \
    -e "s/@SIZE@/$(find "$work/tree" -type f -printf '%s\n' | awk '{ sum += $1 } END { print int(sum / 1024) }')/" "$1" >"$work/$1"
}
filled changelog
put "$work/changelog" "$doc/changelog"
find "$work/tree/usr/share/man" "$work/tree/$doc/changelog" -type f -exec gzip -9n {} +
ln -s nodecluster-run.1.gz "$work/tree/usr/share/man/man1/nodecluster-runtime.1.gz"

filled control
put "$work/control" DEBIAN/control
for script in postinst prerm postrm; do put "$script" "DEBIAN/$script" 755; done
(cd "$work/tree" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
dpkg-deb --build --root-owner-group "$work/tree" "$target/nodecluster_${version}_all.deb"
