# The image of packaging/container/Dockerfile, with packages of Debian.
add podman crun netavark iptables haproxy
git -C "$ROOT" ls-files -z | tar -C "$ROOT" --null -T - -c | inside tar --no-same-owner -x -C /srv/nodecluster
# An overlay cannot be on another one, podman's own limits can exceed those of this machine, and its control groups may
# be incomplete.
inside sh -c 'mkdir -p /var/lib/containers && mount -t tmpfs tmpfs /var/lib/containers; cat > /etc/containers/containers.conf' <<'END'
[containers]
cgroups = "disabled"
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
END
inside sh -c 'mkdir /srv/rootfs && cp -L --parents /bin/true $(ldd /bin/true | grep -o "/[^ ]*") /srv/rootfs &&
  podman run --rm --rootfs /srv/rootfs /bin/true' >"$MACHINE/podman.log" 2>&1 ||
  skip "podman cannot run: $(tail -n 1 "$MACHINE/podman.log")"

step "Reloaded and replaced behind HAProxy, under 20 clients"
root "cd /srv/nodecluster && BUILDAH_ISOLATION=chroot /srv/node/bin/node test/support/machine/container/run.js && echo passed"
check '^passed$'
