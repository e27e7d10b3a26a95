#!/bin/bash
# Boots the systemd of this machine, in namespaces of its own and on an overlay of /, and does to it what
# happens to a server. Prints a transcript, and exits with 1 if a check failed. Nothing outside is changed.
# test/support/machine/run.sh [cycle] [socket] [credential] [deb] [rpm] [container]
set -u
HERE=$(cd "$(dirname "$0")" && pwd)
ROOT=$(cd "$HERE/../../.." && pwd)
NODE=$(command -v node)

skip() { echo "skipped: $*"; exit 0; }
[ "$(uname)" = Linux ] || skip "systemd needs Linux"
[ "$(id -u)" = 0 ] || skip "only root can mount an overlay"
[ -x /lib/systemd/systemd ] || skip "systemd is not installed"
CGROUPS=$(findmnt -n -o TARGET -t cgroup2 | head -n 1)
[ -n "$CGROUPS" ] || skip "cgroup v2 is not mounted"
unshare --mount --pid --fork --net true 2>/dev/null || skip "namespaces are not permitted"
if [ -z "${IN_NAMESPACE:-}" ]; then
  IN_NAMESPACE=1 exec unshare --mount "$0" "$@"
fi

MACHINE=$(mktemp -d /tmp/nodecluster-boot-XXXXXX)
CGROUP=$CGROUPS/nodecluster-boot.$$
mount --make-rprivate /
mount -t tmpfs tmpfs "$MACHINE" || skip "a tmpfs cannot be mounted"
mkdir -p "$MACHINE/upper" "$MACHINE/work" "$MACHINE/root" && mkdir "$CGROUP" || skip "$CGROUP cannot be made"
OUTPUT=$MACHINE/output
PID1= SHELL_PID= CHECKS=0 FAILED=0

boot() {
  bash -c "echo \$\$ > $CGROUP/cgroup.procs
    exec unshare --pid --fork --mount --uts --ipc --cgroup --net --propagation private $HERE/init.sh $MACHINE" \
    > "$MACHINE/console" 2>&1 &
  SHELL_PID=$!
  disown
  for _ in $(seq 100); do
    PID1=$(pgrep -P $SHELL_PID | head -n 1)
    [ -n "$PID1" ] && [ "$(cat "/proc/$PID1/comm")" = systemd ] && break
    sleep 0.1
  done
  for _ in $(seq 300); do
    STATE=$(inside systemctl is-system-running 2>/dev/null)
    case "$STATE" in running | degraded) break ;; esac
    sleep 0.2
  done
  say "systemd is $STATE"
}
# As at a power cut.
power_off() {
  kill -9 "$PID1" 2>/dev/null
  for _ in $(seq 50); do [ -z "$(cat "$CGROUP/cgroup.procs")" ] && break; sleep 0.1; done
  find "$CGROUP" -mindepth 1 -depth -type d -exec rmdir {} + 2>/dev/null
}
clean_up() {
  [ -n "$PID1" ] && power_off
  rmdir "$CGROUP" 2>/dev/null
  umount -l "$MACHINE" && rmdir "$MACHINE"
}
trap clean_up EXIT

inside() { timeout 180 nsenter -t "$PID1" -m -p -u -i -n -C env -i HOME=/root PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
# add <package…>: installs packages of Debian on the machine, which has no network.
add() {
  mkdir -p "$MACHINE/archives/partial"
  apt-get install -y --download-only --no-install-recommends -o DPkg::Lock::Timeout=240 \
    -o "Dir::Cache::archives=$MACHINE/archives" "$@" >"$MACHINE/add.log" 2>&1 || skip "$* could not be downloaded"
  tar -C "$MACHINE/archives" -c . | inside tar -x -C /var/cache/apt/archives
  inside apt-get install -y --no-download --no-install-recommends "$@" >"$MACHINE/add.log" 2>&1 || cat "$MACHINE/add.log"
}
say() { echo "--- $(date +%T) $*"; }
step() { echo; echo "## $*"; }
root() { echo "root# $*"; inside bash -c "$*" 2>&1 | tee "$OUTPUT"; }
deploy() { echo "deploy\$ $*"; inside su - deploy -c "$*" 2>&1 | tee "$OUTPUT"; }
# What the command before must have printed: an extended regular expression in one of its lines.
check() {
  CHECKS=$((CHECKS + 1))
  if grep -Eq -- "$1" "$OUTPUT"; then return; fi
  FAILED=$((FAILED + 1))
  echo "FAILED: expected $1"
}

boot
# Inside, /tmp is another one.
tar -C "$ROOT" -c bin src package.json node_modules test/support/machine | inside bash -c "
  useradd -m -s /bin/bash deploy && chmod 755 /srv && mkdir -p /srv/node/bin /srv/nodecluster
  tar --no-same-owner -x -C /srv/nodecluster && mv /srv/nodecluster/test/support/machine/*.cjs /srv/
  cp $NODE /srv/node/bin/node
  printf '#!/bin/sh\nexec /srv/node/bin/node /srv/nodecluster/bin/nodecluster.js \"\$@\"\n' > /usr/local/bin/nodecluster
  chmod 755 /usr/local/bin/nodecluster"
for scenario in ${*:-cycle socket}; do
  . "$HERE/$scenario.sh"
done
echo
say "$CHECKS checks, $FAILED failed"
[ $FAILED = 0 ]
