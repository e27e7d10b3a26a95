# The Debian package: installed, used, upgraded under load, removed and purged.
UNIT=nodecluster@deploy
CURL='curl -s localhost:21010'
rm -rf "$MACHINE/deb" && mkdir "$MACHINE/deb"
(
  cd "$MACHINE/deb" && "$HERE/../../packaging/deb/build.sh" . && mv ./*.deb old.deb
  dpkg-deb --raw-extract old.deb tree
  sed -i 's/^\(Version: .*\)$/\1.1/' tree/DEBIAN/control
  sed -i 's/^\( *"version": ".*\)",$/\1.1",/' tree/usr/lib/nodecluster/package.json
  dpkg-deb --build --root-owner-group tree new.deb
) >"$MACHINE/deb.log" 2>&1 || cat "$MACHINE/deb.log"
for name in old new; do inside sh -c "cat > /srv/$name.deb" <"$MACHINE/deb/$name.deb"; done
inside rm -r /usr/local/bin/nodecluster /srv/nodecluster

step "Install"
root "dpkg -i /srv/old.deb && systemctl enable --now $UNIT; systemctl is-active $UNIT; systemd-analyze verify $UNIT.service && echo verified"
check '^active$'
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
root "node /srv/load.cjs 9000 & L=\$!; sleep 1; dpkg -i /srv/new.deb; wait \$L"
check '"failed":0'
root "systemctl is-active $UNIT; su - deploy -c 'nodecluster ls' 2>&1; su - deploy -c 'nodecluster update'"
check '^active$'
check 'The daemon is up to date: nodecluster .*[.]1,'

step "Power cut, and boot"
power_off; boot
root "systemctl is-active $UNIT; $CURL"
check '^[0-9]+$'

step "Remove: the apps keep serving, and nothing starts the daemon"
root "dpkg -r nodecluster; systemctl is-active $UNIT; $CURL"
check '^inactive$'
check '^[0-9]+$'

step "Purge: only the home stays"
root "dpkg -P nodecluster; ls -d /usr/lib/nodecluster /usr/bin/nodecluster /etc/systemd/system/multi-user.target.wants/nodecluster@deploy.service; find /usr /etc -name '*nodecluster*' | wc -l; ls -d ~deploy/.nodecluster"
check '^0$'
check '/deploy/[.]nodecluster$'
