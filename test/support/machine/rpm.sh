# The package for Fedora, with the rpm of Debian, which does not know the packages of the machine.
add rpm
inside sh -c '[ -e /usr/bin/node ] || ln -s /srv/node/bin/node /usr/bin/node'
FORMAT=rpm TOOL='rpm --force-debian --nodeps' INSTALL=-U REMOVE=-e
. "$HERE/package.sh"
