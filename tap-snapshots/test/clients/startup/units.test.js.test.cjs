/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/clients/startup/units.test.js > TAP > a socket unit > must match snapshot 1`] = `
# Written by \`nodecluster startup\`, removed by \`nodecluster unstartup\`.
[Unit]
Description=Ports of nodecluster-deploy.service

[Socket]
ListenStream=3000
ListenStream=127.0.0.1:3001
ListenStream=0.0.0.0:3002
ListenStream=[::1]:3003

[Install]
WantedBy=sockets.target

`

exports[`test/clients/startup/units.test.js > TAP > launchd > of a user 1`] = `
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by \`nodecluster startup\`, removed by \`nodecluster unstartup\`. -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>nodecluster-deploy</string>
  <key>UserName</key>
  <string>deploy</string>
  <key>ProgramArguments</key>
  <array>
    <string>/bin/sh</string>
    <string>-c</string>
    <string>for file in "$0" "$1"; do [ -e "$file" ] || { echo "nodecluster cannot start: $file does not exist. Run nodecluster startup again with the Node to use." &gt;&amp;2; exit 78; }; done; exec "$0" "$@"</string>
    <string>/home/me/.nvm/versions/node/v22.11.0/bin/node</string>
    <string>/home/me/.nvm/versions/node/v22.11.0/lib/node_modules/nodecluster/bin/nodecluster.js</string>
    <string>daemon</string>
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>NODECLUSTER_HOME</key>
    <string>/home/me/.nodecluster</string>
    <key>NODECLUSTER_SERVICE</key>
    <string>nodecluster-deploy</string>
    <key>PATH</key>
    <string>/home/me/.nvm/versions/node/v22.11.0/bin:/usr/bin:/bin</string>
    <key>TZ</key>
    <string>Europe/Berlin</string>
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <true/>
  <key>AbandonProcessGroup</key>
  <true/>
  <key>ExitTimeOut</key>
  <integer>120</integer>
  <key>SoftResourceLimits</key>
  <dict>
    <key>NumberOfFiles</key>
    <integer>65536</integer>
  </dict>
  <key>StandardErrorPath</key>
  <string>/home/me/.nodecluster/launchd.log</string>
</dict>
</plist>

path: /Library/LaunchDaemons/nodecluster-deploy.plist
activate: /bin/sh -c 'launchctl bootout system/nodecluster-deploy 2>/dev/null; for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do launchctl bootstrap system /Library/LaunchDaemons/nodecluster-deploy.plist 2>/dev/null && exit; sleep 1; done; exec launchctl bootstrap system /Library/LaunchDaemons/nodecluster-deploy.plist'
deactivate: launchctl bootout system/nodecluster-deploy
forget: 
status: launchctl print system/nodecluster-deploy
log: cat /home/me/.nodecluster/launchd.log
`

exports[`test/clients/startup/units.test.js > TAP > launchd > what differs for the user's own manager 1`] = `
-   <string>nodecluster-deploy</string>
-   <key>UserName</key>
-   <string>deploy</string>
-     <string>nodecluster-deploy</string>
- path: /Library/LaunchDaemons/nodecluster-deploy.plist
- activate: /bin/sh -c 'launchctl bootout system/nodecluster-deploy 2>/dev/null; for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do launchctl bootstrap system /Library/LaunchDaemons/nodecluster-deploy.plist 2>/dev/null && exit; sleep 1; done; exec launchctl bootstrap system /Library/LaunchDaemons/nodecluster-deploy.plist'
- deactivate: launchctl bootout system/nodecluster-deploy
- status: launchctl print system/nodecluster-deploy
+   <string>nodecluster</string>
+     <string>nodecluster</string>
+ path: /home/me/Library/LaunchAgents/nodecluster.plist
+ activate: /bin/sh -c 'launchctl bootout gui/1000/nodecluster 2>/dev/null; for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do launchctl bootstrap gui/1000 /home/me/Library/LaunchAgents/nodecluster.plist 2>/dev/null && exit; sleep 1; done; exec launchctl bootstrap gui/1000 /home/me/Library/LaunchAgents/nodecluster.plist'
+ deactivate: launchctl bootout gui/1000/nodecluster
+ status: launchctl print gui/1000/nodecluster
`

exports[`test/clients/startup/units.test.js > TAP > openrc > of a user 1`] = `
#!/sbin/openrc-run
# Written by \`nodecluster startup\`, removed by \`nodecluster unstartup\`.
description='nodecluster: apps of deploy in /home/me/.nodecluster'
supervisor=supervise-daemon
command=/home/me/.nvm/versions/node/v22.11.0/bin/node
command_args='/home/me/.nvm/versions/node/v22.11.0/lib/node_modules/nodecluster/bin/nodecluster.js daemon'
command_user=deploy
error_log=/home/me/.nodecluster/openrc.log
supervise_daemon_args='--env NODECLUSTER_HOME=/home/me/.nodecluster --env NODECLUSTER_SERVICE=nodecluster-deploy --env PATH=/home/me/.nvm/versions/node/v22.11.0/bin:/usr/bin:/bin --env TZ=Europe/Berlin'
respawn_delay=1
respawn_max=0
retry=TERM/120/KILL/5
rc_ulimit="-n 524288"

depend() {
	need localmount
	use net dns logger
	after firewall
}

start_pre() {
	for file in /home/me/.nvm/versions/node/v22.11.0/bin/node /home/me/.nvm/versions/node/v22.11.0/lib/node_modules/nodecluster/bin/nodecluster.js; do
		[ -e "$file" ] || { eerror "nodecluster cannot start: $file does not exist. Run nodecluster startup again with the Node to use."; return 1; }
	done
}

path: /etc/init.d/nodecluster-deploy
mode: 493
activate: rc-update add nodecluster-deploy default
activate: rc-service nodecluster-deploy restart
deactivate: rc-service nodecluster-deploy stop
deactivate: rc-update del nodecluster-deploy
forget: 
status: rc-service nodecluster-deploy status
log: cat /home/me/.nodecluster/openrc.log
`

exports[`test/clients/startup/units.test.js > TAP > systemd > of a user 1`] = `
# Written by \`nodecluster startup\`, removed by \`nodecluster unstartup\`.
[Unit]
Description=nodecluster: apps of deploy in /home/me/.nodecluster
Documentation=https://github.com/nodecluster/nodecluster/blob/main/docs/guides/start-at-boot.md
Wants=network-online.target
After=network-online.target dbus.service
RequiresMountsFor="/home/me/.nodecluster"
StartLimitIntervalSec=0

[Service]
Type=notify
NotifyAccess=all
User=deploy
Environment="NODECLUSTER_HOME=/home/me/.nodecluster"
Environment="NODECLUSTER_SERVICE=nodecluster-deploy"
Environment="PATH=/home/me/.nvm/versions/node/v22.11.0/bin:/usr/bin:/bin"
Environment="TZ=Europe/Berlin"
ExecStart=/bin/sh -c 'for file in "$$0" "$$1"; do [ -e "$$file" ] || { echo "<3>nodecluster cannot start: $$file does not exist. Run nodecluster startup again with the Node to use." >&2; exit 78; }; done; exec "$$0" "$$@"' /home/me/.nvm/versions/node/v22.11.0/bin/node /home/me/.nvm/versions/node/v22.11.0/lib/node_modules/nodecluster/bin/nodecluster.js daemon
Restart=always
RestartSec=1
RestartPreventExitStatus=78
WatchdogSec=30
WatchdogSignal=SIGKILL
KillMode=process
TimeoutStopSec=120
OOMPolicy=continue
LimitNOFILE=524288
TasksMax=infinity

[Install]
WantedBy=multi-user.target

path: /etc/systemd/system/nodecluster-deploy.service
activate: systemctl daemon-reload
activate: systemctl enable nodecluster-deploy.service
activate: systemctl restart nodecluster-deploy.service
deactivate: systemctl disable --now nodecluster-deploy.service

path: /etc/systemd/system/nodecluster-deploy.socket
activate: systemctl daemon-reload
activate: systemctl enable nodecluster-deploy.socket
activate: systemctl stop nodecluster-deploy.service
activate: /bin/sh -c 'systemctl start nodecluster-deploy.socket || systemctl reset-failed nodecluster-deploy.socket'
deactivate: systemctl disable --now nodecluster-deploy.socket
check: systemctl is-active nodecluster-deploy.socket
forget: systemctl daemon-reload
status: systemctl status nodecluster-deploy
log: journalctl -u nodecluster-deploy -n 20
`

exports[`test/clients/startup/units.test.js > TAP > systemd > what differs for the user's own manager 1`] = `
- Wants=network-online.target
- After=network-online.target dbus.service
- User=deploy
- Environment="NODECLUSTER_SERVICE=nodecluster-deploy"
- WantedBy=multi-user.target
- path: /etc/systemd/system/nodecluster-deploy.service
- activate: systemctl daemon-reload
- activate: systemctl enable nodecluster-deploy.service
- activate: systemctl restart nodecluster-deploy.service
- deactivate: systemctl disable --now nodecluster-deploy.service
- path: /etc/systemd/system/nodecluster-deploy.socket
- activate: systemctl daemon-reload
- activate: systemctl enable nodecluster-deploy.socket
- activate: systemctl stop nodecluster-deploy.service
- activate: /bin/sh -c 'systemctl start nodecluster-deploy.socket || systemctl reset-failed nodecluster-deploy.socket'
- deactivate: systemctl disable --now nodecluster-deploy.socket
- check: systemctl is-active nodecluster-deploy.socket
- forget: systemctl daemon-reload
- status: systemctl status nodecluster-deploy
- log: journalctl -u nodecluster-deploy -n 20
+ Environment="NODECLUSTER_SERVICE=nodecluster"
+ WantedBy=default.target
+ path: /home/me/.config/systemd/user/nodecluster.service
+ activate: systemctl --user daemon-reload
+ activate: systemctl --user enable nodecluster.service
+ activate: systemctl --user restart nodecluster.service
+ deactivate: systemctl --user disable --now nodecluster.service
+ path: /home/me/.config/systemd/user/nodecluster.socket
+ activate: systemctl --user daemon-reload
+ activate: systemctl --user enable nodecluster.socket
+ activate: systemctl --user stop nodecluster.service
+ activate: /bin/sh -c 'systemctl --user start nodecluster.socket || systemctl --user reset-failed nodecluster.socket'
+ deactivate: systemctl --user disable --now nodecluster.socket
+ check: systemctl --user is-active nodecluster.socket
+ forget: systemctl --user daemon-reload
+ status: systemctl --user status nodecluster
+ log: journalctl --user -u nodecluster -n 20
`

exports[`test/clients/startup/units.test.js > TAP > the unit of the packages is that of a user > what differs 1`] = `
- # Written by \`nodecluster startup\`, removed by \`nodecluster unstartup\`.
- Description=nodecluster: apps of %i in /home/me/.nodecluster
- Documentation=https://github.com/nodecluster/nodecluster/blob/main/docs/guides/start-at-boot.md
- RequiresMountsFor="/home/me/.nodecluster"
- Environment="NODECLUSTER_HOME=/home/me/.nodecluster"
- ExecStart=/bin/sh -c 'for file in "$$0" "$$1"; do [ -e "$$file" ] || { echo "<3>nodecluster cannot start: $$file does not exist. Run nodecluster startup again with the Node to use." >&2; exit 78; }; done; exec "$$0" "$$@"' /usr/bin/node /usr/lib/nodecluster/bin/nodecluster.js daemon
- RestartPreventExitStatus=78
+ # As \`nodecluster startup\` writes it, for any user: systemctl enable --now nodecluster@USER
+ Description=nodecluster: apps of %i
+ Documentation=man:nodecluster(1)
+ ExecStart=/usr/bin/node /usr/lib/nodecluster/bin/nodecluster.js daemon
`
