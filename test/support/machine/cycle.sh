# A user's apps over everything that happens to a machine.
UNIT=nodecluster-deploy

step "Two apps of deploy, one of them stopped; startup prints the one command"
deploy "nodecluster start /srv/app.cjs -i 2 --name web -s; nodecluster start /srv/app.cjs --name idle --set-env PORT=21011 -s; nodecluster stop idle -s; nodecluster startup"
check '^sudo env PATH=.* startup systemd --user deploy$'
COMMAND=$(inside su - deploy -c "nodecluster startup 2>/dev/null")
root "${COMMAND#sudo }"
check 'Installed /etc/systemd/system/nodecluster-deploy.service'
root "systemctl is-active $UNIT; systemd-analyze verify /etc/systemd/system/$UNIT.service && echo verified"
check '^verified$'

step "systemctl restart three times and kill -9 of the daemon, under 20 clients"
deploy "nodecluster ls -m"
root "/srv/node/bin/node /srv/load.cjs 9000 & L=\$!; sleep 1; for i in 1 2 3; do systemctl restart $UNIT; sleep 1; done; systemctl kill -s SIGKILL --kill-whom=main $UNIT; wait \$L"
check '"failed":0'
deploy "nodecluster ls -m"

step "A frozen daemon (SIGSTOP): the watchdog replaces it"
root "D=\$(systemctl show -P MainPID $UNIT); kill -STOP \$D; for i in \$(seq 70); do N=\$(systemctl show -P MainPID $UNIT); [ \$N != \$D -a \$N != 0 ] && break; sleep 1; done; [ \$N = \$D ] || echo replaced after \$i s; journalctl -u $UNIT -g Watchdog --no-pager -o cat; curl -s localhost:21010"
check '^replaced after'
check '^[0-9]+$'

step "systemctl stop leaves the apps; a command starts a daemon; systemctl start takes over from it"
root "systemctl stop $UNIT; curl -s localhost:21010"
check '^[0-9]+$'
deploy "nodecluster ping; nodecluster ls -m"
root "systemctl start $UNIT; systemctl is-active $UNIT; curl -s localhost:21010"
check '^active$'

step "Power cut, and boot"
power_off; boot
root "systemctl is-active $UNIT; curl -s localhost:21010"
check '^[0-9]+$'
deploy "nodecluster ls"
check 'idle +cluster +stopped'

step "Reboot under 20 clients: the apps drain before the machine goes down"
inside bash -c 'setsid /srv/node/bin/node /srv/load.cjs 60000 >/dev/null 2>&1 & sleep 1.5; systemctl --no-block reboot'
for _ in $(seq 300); do kill -0 "$PID1" 2>/dev/null || break; sleep 0.1; done
tail -n 2 "$MACHINE/upper/home/deploy/.nodecluster/logs/web-out.log" | tee "$OUTPUT"
check 'draining$'
grep -o '"event":"system.stopping"' "$MACHINE/upper/home/deploy/.nodecluster/daemon.log" | tail -n 1 | tee "$OUTPUT"
check 'system.stopping'
power_off; boot
root "systemctl is-active $UNIT; curl -s localhost:21010"
check '^[0-9]+$'

step "Node is gone, as after nvm uninstall"
root "mv /srv/node /srv/away; systemctl restart $UNIT; systemctl is-active $UNIT; journalctl -u $UNIT -b --no-pager -o cat | grep cannot; curl -s localhost:21010"
check 'nodecluster cannot start: /srv/node/bin/node does not exist'
check '^[0-9]+$'
root "mv /srv/away /srv/node; systemctl start $UNIT; systemctl is-active $UNIT"
check '^active$'

step "kill, boot, resurrect"
deploy "nodecluster kill"
check 'nodecluster resurrect'
power_off; boot
deploy "nodecluster ls -m; nodecluster resurrect -s; nodecluster ls -m"
check '^0 +web:0 +stopped'
check 'web:0 +online'
check 'idle:0 +stopped'

step "unstartup"
root "nodecluster unstartup --user deploy; ls /etc/systemd/system | grep -c nodecluster; curl -s localhost:21010"
check '^0$'
check '^[0-9]{2,}$'

step "A unit of the user's own systemd"
deploy "nodecluster startup --user"
check 'loginctl enable-linger deploy'
root "loginctl enable-linger deploy; sleep 2"
deploy "nodecluster startup --user"
check 'Installed .*/.config/systemd/user/nodecluster.service'
power_off; boot
root "for i in \$(seq 50); do curl -sf localhost:21010 && break; sleep 0.2; done"
check '^[0-9]+$'
deploy "nodecluster ls -m; nodecluster unstartup --user; nodecluster delete all -s; nodecluster kill"
check 'Removed .*/.config/systemd/user/nodecluster.service'
