#!/bin/bash
# The first process of the machine: makes its root directory and becomes systemd.
M=$1
R=$M/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$M/upper,workdir=$M/work" "$R" || exit 1
mount -t proc proc "$R/proc"
mount -t sysfs sysfs "$R/sys"
mount -t cgroup2 cgroup2 "$R/sys/fs/cgroup" || exit 1
mount -t tmpfs tmpfs "$R/dev" -o mode=755
mkdir "$R/dev/pts" "$R/dev/shm"
mount -t devpts devpts "$R/dev/pts" -o newinstance,ptmxmode=0666
ln -s pts/ptmx "$R/dev/ptmx"
while read -r name major minor; do mknod -m 666 "$R/dev/$name" c "$major" "$minor"; done <<DEVICES
null 1 3
zero 1 5
full 1 7
random 1 8
urandom 1 9
tty 5 0
DEVICES
ln -s /proc/self/fd "$R/dev/fd"
for name in stdin:0 stdout:1 stderr:2; do ln -s "/proc/self/fd/${name#*:}" "$R/dev/${name%:*}"; done
touch "$R/dev/console"
mount -t tmpfs tmpfs "$R/run" -o mode=755
mount -t tmpfs tmpfs "$R/tmp" -o mode=1777

# Only the first time: the services of this machine, and what would touch its kernel and devices, do not start.
if [ ! -e "$M/prepared" ]; then
  rm -rf "$R"/etc/systemd/system/*
  for unit in systemd-udevd.service systemd-udevd-kernel.socket systemd-udevd-control.socket \
    systemd-udev-trigger.service systemd-udev-settle.service systemd-modules-load.service \
    systemd-sysctl.service systemd-random-seed.service systemd-remount-fs.service \
    systemd-binfmt.service proc-sys-fs-binfmt_misc.automount systemd-tmpfiles-clean.timer \
    systemd-networkd.service systemd-resolved.service systemd-timesyncd.service getty.target console-getty.service; do
    ln -s /dev/null "$R/etc/systemd/system/$unit"
  done
  : > "$R/etc/fstab"
  touch "$M/prepared"
fi
hostname boot-test
mkdir -p "$R/.old"
cd "$R" && pivot_root . .old || exit 1
umount -l /.old
# As on a machine, where this is not a container: otherwise no service gets its credentials.
mount --make-rshared /
exec env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot / /lib/systemd/systemd --system --unit=multi-user.target </dev/null
