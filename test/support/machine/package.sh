# A package of packaging/linux/: installed, used, upgraded under load, removed and purged.
# $FORMAT is the end of its name; $TOOL has the options $INSTALL and $REMOVE.
UNIT=nodecluster@deploy
CURL='curl -s localhost:21010'
NEXT=$MACHINE/next

# build <checkout> <name on the machine>
build() {
  "$1/packaging/linux/build.sh" "$NEXT/built"
  inside sh -c "cat > /srv/$2.$FORMAT" < "$(echo "$NEXT"/built/*."$FORMAT")"
  rm -r "$NEXT/built"
}
(
  set -e
  mkdir -p "$NEXT/upper" "$NEXT/work" "$NEXT/checkout"
  build "$ROOT" old
  mount -t overlay overlay -o "lowerdir=$ROOT,upperdir=$NEXT/upper,workdir=$NEXT/work" "$NEXT/checkout"
  npm --prefix "$NEXT/checkout" version patch --no-git-tag-version
  build "$NEXT/checkout" new
) >"$MACHINE/build.log" 2>&1
[ $? = 0 ] || cat "$MACHINE/build.log"
inside rm -r /usr/local/bin/nodecluster /srv/nodecluster

step "Install"
root "$TOOL $INSTALL /srv/old.$FORMAT && systemctl enable --now $UNIT; systemctl is-active $UNIT; systemd-analyze verify $UNIT.service && echo verified; $TOOL -V nodecluster && echo intact"
check '^active$'
check '^intact$'
check '^verified$'
root "man -w nodecluster-start ecosystem.yml; bash -c '. /usr/share/bash-completion/completions/nodecluster; complete -p nodecluster'"
check '/man1/nodecluster-start.1.gz$'
check '/man5/ecosystem.yml.5.gz$'
check '_nodecluster nodecluster$'

step "Use"
deploy "nodecluster start /srv/app.cjs -i 2 --name web -s; nodecluster ls -m"
check 'web:0 +online'
root "$CURL"
check '^[0-9]+$'

step "Upgrade, under 20 clients"
root "node /srv/load.cjs 9000 & L=\$!; sleep 1; $TOOL $INSTALL /srv/new.$FORMAT; wait \$L"
check '"failed":0'
root "systemctl is-active $UNIT; su - deploy -c 'nodecluster ls' 2>&1; su - deploy -c 'nodecluster update'"
check '^active$'
check 'The daemon is up to date: nodecluster .*[.]1,'

step "Power cut, and boot"
power_off; boot
root "systemctl is-active $UNIT; $CURL"
check '^[0-9]+$'

step "Remove: the apps keep serving, and nothing starts the daemon"
root "$TOOL $REMOVE nodecluster; systemctl is-active $UNIT; $CURL"
check '^inactive$'
check '^[0-9]+$'

[ $FORMAT = rpm ] || root "dpkg -P nodecluster"
step "Only the home stays"
root "ls -d /usr/lib/nodecluster /usr/bin/nodecluster /etc/systemd/system/multi-user.target.wants/nodecluster@deploy.service; find /usr /etc -path /usr/local -prune -o -name '*nodecluster*' -print | wc -l; ls -d ~deploy/.nodecluster"
check '^0$'
check '/deploy/[.]nodecluster$'
