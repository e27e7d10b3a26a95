# A port that systemd opens for an app.
UNIT=nodecluster-deploy

step "startup --socket while the app listens there, and again while it is stopped"
deploy "nodecluster start /srv/app.cjs -i 2 --name web -s"
root "nodecluster startup --user deploy --socket 21010; systemctl is-active $UNIT.socket $UNIT; curl -s localhost:21010"
check 'tries again at the next boot'
check '^active$'
check '^[0-9]+$'
deploy "nodecluster stop web -s"
root "nodecluster startup --user deploy --socket 21010; systemctl is-active $UNIT.socket"
check '^active$'
deploy "nodecluster start web -s"
root "ss -ltnp sport = 21010"
check '"systemd",pid=1'

step "20 clients, a connection for each request: systemctl restart three times"
root "/srv/node/bin/node /srv/load.cjs 8000 connect & L=\$!; sleep 1; for i in 1 2 3; do systemctl restart $UNIT; sleep 1; done; wait \$L"
check '"failed":0'

step "The same, and kill -9 of daemon, primary and workers at once"
root "/srv/node/bin/node /srv/load.cjs 8000 connect & L=\$!; sleep 1; kill -9 \$(cat /sys/fs/cgroup/system.slice/$UNIT.service/cgroup.procs); wait \$L"
check '"refused":0'

step "A stopped app: its clients wait, also while the service is stopped, and nothing starts in a loop"
deploy "nodecluster stop web -s"
root "curl -s -m 2 localhost:21010 || echo curl \$?; systemctl stop $UNIT; curl -s -m 2 localhost:21010 || echo curl \$?; sleep 3; systemctl is-active $UNIT $UNIT.socket; systemctl show -P NRestarts $UNIT"
check '^curl 28$'
check '^0$'
deploy "(sleep 1; nodecluster start web -s) & curl -s -m 20 localhost:21010; wait"
check '^[0-9]+$'

step "Node is gone while nobody serves: systemd gives up, and startup opens the port again"
deploy "nodecluster stop web -s"
root "mv /srv/node /srv/away; systemctl restart $UNIT; curl -s -m 2 localhost:21010 || echo curl \$?; sleep 3; journalctl -b -u $UNIT --no-pager -o cat | grep -c cannot; journalctl -b -u $UNIT.socket --no-pager -o cat -n 1"
check 'trigger-limit-hit'
root "mv /srv/away /srv/node; nodecluster startup --user deploy; systemctl is-active $UNIT $UNIT.socket"
deploy "nodecluster start web -s"
root "ss -ltnp sport = 21010"
check '"systemd",pid=1'

step "Power cut and boot"
power_off; boot
root "curl -s localhost:21010; systemctl is-active $UNIT $UNIT.socket; ss -ltnp sport = 21010"
check '^[0-9]+$'
check '"systemd",pid=1'

step "unstartup removes both"
root "nodecluster unstartup --user deploy; ls /etc/systemd/system | grep -c nodecluster; curl -s localhost:21010"
check 'nodecluster-deploy.service and /etc/systemd/system/nodecluster-deploy.socket'
check '^0$'
check '^[0-9]{2,}$'
