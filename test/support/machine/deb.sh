# The package for Debian.
add lintian
FORMAT=deb TOOL=dpkg INSTALL=-i REMOVE=-r
. "$HERE/package.sh"

step "lintian"
root "lintian --fail-on error /srv/old.deb && echo no error"
check '^no error$'
