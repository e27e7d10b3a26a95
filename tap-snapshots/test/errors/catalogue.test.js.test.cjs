/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/errors/catalogue.test.js > TAP > each sentence reads as it must > catalogue 1`] = `
E_INTERNAL (exit 1)
nodecluster failed unexpectedly: x is not a function
This is a bug in nodecluster. Please report it with the text above.

E_USAGE (exit 2)
Unknown option '--foo'.
See \`nodecluster --help\`.

E_USAGE (exit 2)
Unknown option '--watc'.
Did you mean --watch? See \`nodecluster start --help\`.

E_USAGE (exit 2)
Unknown option '--port'.
Options for the program itself go after --. See \`nodecluster start --help\`.

E_USAGE (exit 2)
Unknown option '--prune'.
--prune belongs to apply.

E_PM2_ONLY (exit 2)
nodecluster does not have create. Use \`nodecluster init\`: it writes an ecosystem file.
(no hint)

E_NOTHING_NAMED (exit 2)
Nothing to start: you named no app, and /srv/api has no ecosystem file.
Name a program (\`nodecluster start app.js -i max\`), or create a file with \`nodecluster init\`.

E_NOTHING_NAMED (exit 2)
Nothing to start: you named no app, and /srv/api has no ecosystem file.
Start the program of its package.json with \`nodecluster start .\`, or create a file with \`nodecluster init\`.

E_NOTHING_NAMED (exit 2)
Nothing to stop: you named no app, and /srv/api has no ecosystem file.
Name apps or worker ids, or use \`nodecluster stop all\`.

E_NOTHING_NAMED (exit 2)
Nothing to apply: you named no file, and /srv/api has no ecosystem file.
Name a file, or create one with \`nodecluster init\`.

E_MIXED_TARGETS (exit 2)
The ecosystem file ecosystem.yml cannot be combined with other targets.
Give only the file (--only a,b limits it to those apps), or only names: \`nodecluster reload a b\`.

E_OPTION_NEEDS_FILE (exit 2)
--prune only works with an ecosystem file.
Name the file: \`nodecluster reload ecosystem.yml\`.

E_OPTION_NEEDS_FILE (exit 2)
--env only works with an ecosystem file.
Name the file: \`nodecluster start ecosystem.yml\`. Without a file, \`--set-env NODE_ENV=production\` sets a variable.

E_NEITHER_FILE_NOR_APP (exit 4)
Could not start npm: /srv has no such file, and no app has that name.
npm is a command. Run it with \`nodecluster start "npm start"\`.

E_NEITHER_FILE_NOR_APP (exit 4)
Found no file, no command in PATH and no app with the name apo.
Did you mean api?

E_NEITHER_FILE_NOR_APP (exit 4)
Found no file, no command in PATH and no app with the name apo.
The apps are: web, shop.

E_NEITHER_FILE_NOR_APP (exit 4)
Found no file, no command in PATH and no app with the name apo.
Check the name and the path. The current directory is /srv.

E_NEITHER_FILE_NOR_APP (exit 4)
Could not start npm: /srv has no such file, and no app has that name.
npm is a command. Run it with \`nodecluster start npm --interpreter none\`.

E_NO_APPS (exit 4)
Nothing to do: /home/me/.nodecluster has no apps.
Start one with \`nodecluster start app.js -i max\`.

E_NO_APPS (exit 4)
Nothing to do: /home/me/.nodecluster has none of the apps in ecosystem.yml.
Start them with \`nodecluster start ecosystem.yml\`.

E_NO_APPS (exit 4)
Nothing to do: /home/me/.nodecluster has no apps.
\`delete\` also forgets what was saved. Start the apps from their file: \`nodecluster start ecosystem.yml\`.

E_PM2_NOT_FOUND (exit 4)
No PM2 runs with the home /home/me/.pm2, and /home/me/.pm2/dump.pm2 does not exist.
Set PM2_HOME, or name a dump: \`nodecluster import /path/to/dump.pm2\`.

E_PM2_LIST (exit 3)
/srv/dump.pm2 is not a list of processes of PM2.
\`pm2 save\` writes a dump.pm2.

E_PM2_EMPTY (exit 4)
Nothing to import: \`pm2 jlist\` has no apps.
Start them in PM2 first, or name a dump: \`nodecluster import /path/to/dump.pm2\`.

E_PM2_FAILED (exit 5)
\`pm2 stop 0\` failed: spawn pm2 ENOENT
\`pm2 ls\` and \`nodecluster ls\` show what runs where.

E_DAEMON_NOT_RUNNING (exit 8)
No daemon is running for /home/me/.nodecluster.
If there are apps, \`nodecluster ls\` starts it; otherwise the first app does: \`nodecluster start app.js\`.

E_NO_INIT_SYSTEM (exit 7)
This machine does not run systemd, launchd or OpenRC.
To start the apps at boot from cron, type \`crontab -e\` and add this line: \`@reboot env PATH=/usr/bin /usr/bin/node /usr/bin/nodecluster resurrect\`. To print a unit for another machine, name its init system: \`nodecluster startup systemd --print\`.

E_NO_INIT_SYSTEM (exit 7)
This machine does not run OpenRC.
To start the apps at boot from cron, type \`crontab -u deploy -e\` and add this line: \`@reboot env PATH=/usr/bin node nodecluster\`. To print a unit for another machine, name its init system: \`nodecluster startup systemd --print\`.

E_NO_INIT_SYSTEM (exit 7)
This machine does not run systemd, launchd or OpenRC.
For a service of one of them, name it: \`nodecluster unstartup systemd\`.

E_NAME_TAKEN (exit 6)
Could not rename the app: there is another one called web.
Choose another name; \`nodecluster ls\` shows those that are taken.

E_USER_UNKNOWN (exit 4)
This machine has no user "deploi".
Name the user that owns the apps: \`nodecluster startup --user deploy\`.

E_LINGER (exit 6)
Without lingering, systemd starts the units of deploy at login, not at boot, and stops them at logout.
Type \`loginctl enable-linger deploy\` (with sudo if that is refused), then repeat this command.

E_SERVICE (exit 7)
\`systemctl restart nodecluster-deploy.service\` failed: Job for nodecluster-deploy.service failed.
\`journalctl -u nodecluster-deploy -n 20\` may show why. The apps were not touched.

E_SERVICE_FILE (exit 7)
Could not write or remove /etc/systemd/system/nodecluster-deploy.service (EROFS).
Check the permissions of its directory, and whether the disk is read-only or full.

E_DAEMON_RUNS (exit 6)
Another daemon runs for /home/me/.nodecluster (pid 4711).
It keeps the apps running in the background. \`nodecluster startup\` hands them over to the init system.

E_DAEMON_RUNS (exit 6)
Another daemon, started by an init system, runs for /home/me/.nodecluster (pid 4711).
Two services use the same home directory: \`nodecluster unstartup\` removes one.

E_WEB_PUBLIC (exit 2)
Not serving the page on 0.0.0.0:9477: without TLS, anyone on the network could read the traffic and hijack a session.
Give a certificate (--tls-cert, --tls-key), or say which proxy is in front: --behind-proxy https://ops.example/nodecluster/. To look from your own machine, use the default address and \`ssh -L 9477:127.0.0.1:9477\`.

E_WEB_PROXY_URL (exit 2)
"ops.example" is not the URL of a page.
Give what browsers open, with the path that the proxy passes on: --behind-proxy https://ops.example/nodecluster/.

E_WEB_TLS (exit 7)
Could not use /etc/ssl/ops.pem for TLS (ENOENT).
Give a certificate and its private key in PEM, as files that you can read.

E_WEB_UNBUILT (exit 7)
The page is not built here (Cannot find package 'esbuild').
The published package has it; in a checkout, \`npm install\` brings what builds it.

E_NO_TERMINAL (exit 7)
monit needs a terminal, and stdin or stdout is not one.
Use \`nodecluster ls --watch\` to print the table every second, or \`nodecluster metrics\` for monitoring.

E_NO_TERMINAL (exit 7)
monit cannot draw on this terminal (TERM=dumb).
Use \`nodecluster ls --watch\` to print the table every second, or \`nodecluster metrics\` for monitoring.

E_DAEMON_SILENT (exit 8)
The daemon of /home/me/.nodecluster (pid 4711) does not answer. The apps keep running.
If a signal stopped it, \`kill -CONT 4711\` lets it go on, and \`nodecluster ls\` replaces it if an app runs. If it is frozen for another reason, a primary replaces it after about 15 s. \`kill -9 4711\` ends it at once, and the next command starts another one, which adopts the apps.

E_DAEMON_SILENT (exit 8)
The daemon of /home/me/.nodecluster does not answer. The apps keep running.
Repeat the command. Its log is /home/me/.nodecluster/daemon.log.

E_DAEMON_SILENT (exit 8)
No daemon is running for /home/me/.nodecluster: another program holds /home/me/.nodecluster/daemon.sock, and does not answer.
Repeat the command, or move /home/me/.nodecluster/daemon.sock away. Its log is /home/me/.nodecluster/daemon.log.

E_DAEMON_UNREACHABLE (exit 8)
The daemon of /home/me/.nodecluster (pid 4100) is running but does not listen on /home/me/.nodecluster/daemon.sock. The apps keep running.
If it has just started, repeat the command. Otherwise \`kill -9 4100\` ends it, and the next command starts another one, which adopts the apps. Its log is /home/me/.nodecluster/daemon.log.

E_UPDATE_FOREGROUND (exit 6)
These apps belong to \`nodecluster run\` (pid 7), which ends with them, so no other daemon can take over.
Replace the container, or stop it and start it with the new version.

E_UPDATE_OTHER_COMMAND (exit 6)
The service of this home directory runs another command than this one. Nothing was changed.
  the service: /usr/bin/node /usr/lib/node_modules/nodecluster/bin/nodecluster.js
  this one:    /opt/node/bin/node /opt/node/lib/node_modules/nodecluster/bin/nodecluster.js
To make the service run this command, repeat the \`nodecluster startup\` that installed it. To update the command of the service: \`/usr/bin/node /usr/lib/node_modules/nodecluster/bin/nodecluster.js update\`.

E_UPDATE_NO_SERVICE (exit 8)
The service did not start the installed version within 20 s.
nodecluster 1.0.0 (pid 4100) manages the apps.
The log of the service says why. \`nodecluster startup\` installs it again.

E_UPDATE_NO_SERVICE (exit 8)
The service did not start the installed version within 20 s.
No daemon is running. The apps keep running.
The log of the service says why. \`nodecluster startup\` installs it again.

E_UPDATE_FAILED (exit 8)
The installed version could not take over: it exited with code 1.
  | x is not defined
nodecluster 1.0.0 (pid 4100) manages the apps.
Its log is /home/me/.nodecluster/daemon.log.

E_UPDATE_FAILED (exit 8)
The installed version could not take over: it exited with code 1.
No daemon is running. The apps keep running.
Its log is /home/me/.nodecluster/daemon.log.

E_UPDATE_FAILED (exit 8)
The installed version could not take over: it exited with code 1.
It is not known whether a daemon is running. The apps keep running.
Its log is /home/me/.nodecluster/daemon.log.

E_DAEMON_START (exit 8)
The daemon did not start: it exited with code 1.
Its log is /home/me/.nodecluster/daemon.log.

E_DAEMON_START (exit 8)
The daemon did not start: it exited with code 1.
  | one
  | two
Its log is /home/me/.nodecluster/daemon.log.

E_NO_PROGRAM (exit 4)
Could not tell which program in /srv to run.
Name it: \`nodecluster start app.js\`, or as \`main\` in package.json.

E_NONE_RUNS (exit 4)
No app of /home/me/.nodecluster is running, so no file was written.
Start the apps first: \`nodecluster start all\`.

E_INSPECT (exit 5)
Could not inspect api:1: it does not run.
\`nodecluster why api:1\` shows where it is blocked, or what else is wrong.

E_PROFILE_SELECTOR (exit 2)
Cannot profile api: profile takes one worker, not 4.
Name one of them: \`nodecluster profile api:0 --cpu 10s\`.

E_PROFILE_EXISTS (exit 6)
/srv/api-0-g1-20261123-101502.cpuprofile already exists and was not changed.
Remove it, or name another file with \`--output\`.

E_PROFILE_LOST (exit 5)
The profile of api:1 is not complete, so no file was written: the worker has exited.
\`nodecluster why api:1\` shows whether it is blocked, \`nodecluster describe api\` whether it was replaced.

E_FILE_EXISTS (exit 6)
/srv/ecosystem.yml already exists and was not changed.
Edit it, rename it, or replace it with \`--force\`.

E_FILE_UNWRITABLE (exit 7)
Could not write /srv/ecosystem.yml (EACCES).
Check the permissions of the directory.

E_FILE_UNWRITABLE (exit 7)
Could not write /srv/ecosystem.yml (EISDIR).
It is a directory: name a file in it.

E_FILE_UNWRITABLE (exit 7)
Could not write /srv/ecosystem.yml (ENOENT).
Create its directory first.

E_FILE_UNWRITABLE (exit 7)
Could not write /srv/ecosystem.yml (ENOSPC).
Free some space, or write to another disk.

E_LOG_TIMELESS (exit 6)
--since needs the time of each line, and the lines in /srv/out.log have none.
Set \`log_type: text\` and \`time: true\` for api (with the date, if you set log_date_format), or use --lines.

E_LOG_UNREADABLE (exit 7)
Could not read the log file /srv/out.log (EACCES).
Check the permissions of the file and its directory.

E_LOG_MISSED (exit 7)
Could not read 1 rotated log file of api (deleted).
(no hint)

E_LOG_MISSED (exit 7)
Could not read 2 rotated log files of api (deleted).
(no hint)

E_LOG_NONE (exit 4)
/home/me/.nodecluster has no daemon.log: no daemon has run there.
Set NODECLUSTER_HOME to use another home directory.

E_INPUT_TARGET (exit 2)
Input goes to one worker, but the target names api:0, api:1.
Name one: \`nodecluster attach api:0\`.

E_INPUT_TARGET (exit 2)
Input goes to one worker, but the target names none.
Name one: \`nodecluster attach api:0\`.

E_INPUT_CLOSED (exit 5)
Worker api:0 does not run, so it reads no input.
\`nodecluster ls\` shows why.

E_INPUT_CLOSED (exit 5)
Worker api:0 has siblings, so it has no stdin.
\`nodecluster logs api:0\` shows its output. With one instance (-i 1), or with --exec-mode fork, its stdin is open.

E_INPUT_CLOSED (exit 5)
Could not write to the stdin of worker api:0: its program has closed it, or reads that of \`nodecluster run\`.
\`nodecluster logs api:0\` shows its output.

E_INPUT_UNREAD (exit 5)
Worker api:0 does not read its stdin: earlier input is still waiting there, so this was not written.
Its program may be busy, or reads no input; \`nodecluster logs api:0\` shows its output.

E_MESSAGE_JSON (exit 2)
The message is not valid JSON: Unexpected end of JSON input.
Quote it for the shell: \`nodecluster send api '{"reload": "cache"}'\`.

E_MESSAGE_JSON (exit 2)
The message is not valid JSON: Unexpected token h.
Quote it for the shell: \`nodecluster send 0 '"hello"'\`.

E_MESSAGE_UNHEARD (exit 5)
No worker of api, web has received the message.
Only online workers can receive messages, and in fork mode only with \`--interpreter node\`. One whose event loop is blocked may receive it later.

E_SIGNAL_UNSENT (exit 5)
Could not send SIGUSR2 to any worker of api, web.
\`nodecluster ls\` shows why no worker is running.

E_OTLP_PACKAGES (exit 7)
Could not export metrics: the package @opentelemetry/resources is not installed.
Run \`npm install @opentelemetry/resources\` in this directory, or add -g if nodecluster is installed globally.

E_OTLP_PACKAGES (exit 7)
Could not load the package @opentelemetry/resources, which exports metrics: Unexpected token.
Run \`npm install @opentelemetry/resources\` in this directory, or add -g if nodecluster is installed globally.

E_OTLP_URL (exit 2)
Could not export metrics to "collector": it is not an HTTP URL.
Give the URL of a collector, such as http://localhost:4318, or \`env\` for OTEL_EXPORTER_OTLP_ENDPOINT.

E_LISTEN_ADDRESS (exit 2)
Could not listen on "here": it is not an address.
Give a port (9100) or host and port: 127.0.0.1:9100, [::1]:9100, 0.0.0.0:9100.

E_LISTEN (exit 7)
Could not listen on 127.0.0.1:80: in use by another process.
Choose another address or port after --listen.

E_LISTEN (exit 7)
Could not listen on 127.0.0.1:80: you do not have permission to use that port.
Choose another address or port after --listen.

E_LISTEN (exit 7)
Could not listen on 127.0.0.1:80: this machine does not have that address.
Choose another address or port after --listen.

E_LISTEN (exit 7)
Could not listen on 127.0.0.1:80: no host has that name.
Choose another address or port after --listen.

E_LISTEN (exit 7)
Could not listen on 127.0.0.1:80: EINVAL.
Choose another address or port after --listen.

E_OUTPUT (exit 7)
Could not write the result to stdout (ENOSPC).
The command itself was carried out. Check the disk, or where stdout goes.

E_CONFIG_UNREADABLE (exit 3)
Could not read shop.yml: permission denied.
Check the permissions of the file and its directory.

E_CONFIG_UNREADABLE (exit 3)
Could not read shop.yml: it is a directory.
Name a file in it.

E_CONFIG_UNREADABLE (exit 3)
Could not read shop.yml: it is not UTF-8.
Save it as UTF-8.

E_CONFIG_UNREADABLE (exit 3)
Could not read shop.yaml: it does not exist.
Did you mean shop.yml?

E_CONFIG_PACKAGE (exit 3)
package.json describes a package, not apps.
Start the program of the package with \`nodecluster start .\`, or write an ecosystem file with \`nodecluster init\`.

E_CONFIG_EMPTY (exit 3)
shop.yml does not define any apps.
\`nodecluster init\` writes an example with comments.

E_CONFIG_EMPTY (exit 3)
shop.config.js exports nothing.
Is \`module.exports =\` or \`export default\` missing?

E_CONFIG_SYNTAX (exit 3)
a.yml:2:7 is not valid YAML: bad indent
 x: y
(no hint)

E_CONFIG_SYNTAX (exit 3)
a.json is not valid JSON: the file ends too early
(no hint)

E_CONFIG_SCRIPT_FAILED (exit 3)
a.config.js:4 threw an error: x is not defined
nodecluster runs this file to get its apps. Correct it; \`node a.config.js\` may show more.

E_CONFIG_INVALID (exit 3)
a.yml has an error:
  a.yml:3:5 instances: must be at least 1, not 0
Nothing was changed. <package>/docs/reference/configuration.md describes every option.

E_CONFIG_INVALID (exit 3)
a.yml has an error:
  a.yml:3:5 nmae: unknown key "nmae"
Nothing was changed. \`--lenient\` ignores unknown keys. <package>/docs/reference/configuration.md describes every option.

E_CONFIG_INVALID (exit 3)
a.yml has 2 errors:
  a.yml:3:5 instances: must be at least 1, not 0
  a.yml: no apps
Nothing was changed. <package>/docs/reference/configuration.md describes every option.

E_CONFIG_ENV_UNKNOWN (exit 4)
--env test needs env_test, and no app in a.yml has one; did you mean env_production or env_staging?
(no hint)

E_CONFIG_APP_UNKNOWN (exit 4)
a.yml has no app named x or y. Its apps are: api, web.
(no hint)

E_PROGRAM_CHANGED (exit 6)
Could not replace the workers of app web: its command, read again from package.json, no longer starts one Node program: the script "start" of /srv/web/package.json needs a shell (\`&&\`).
The old workers keep serving. Correct package.json and repeat the command. If it is right as it is: \`nodecluster delete web\`, then start it again.

E_CANNOT_RUN (exit 4)
Could not start the app: there is no /srv/a.js.
Check the name and the path. Nothing was changed.

E_CANNOT_RUN (exit 4)
Could not start the app: expected an executable file (/srv/a is not executable).
Make it executable with \`chmod +x\`, or name what runs it with \`--interpreter\`. Nothing was changed.

E_FLAG_INVALID (exit 2)
--instances: must be at least 1, not 0
\`nodecluster reload --help --all\` says what each option takes.

E_HOME_UNUSABLE (exit 7)
Could not create or enter the directory /home/me/.nodecluster (EACCES).
Set NODECLUSTER_HOME to a directory that you can write to.

E_HOME_UNKNOWN (exit 7)
Could not tell where your home directory is: HOME is not set, and user 12345 has no entry in /etc/passwd.
Set NODECLUSTER_HOME to a directory of your own.

E_DIRECTORY_DELETED (exit 7)
/srv/releases/1, the directory that you are in, was deleted.
Change to another directory, or give absolute paths.

E_DIRECTORY_DELETED (exit 7)
/srv/releases/1, the directory that you are in, was deleted.
Change to another directory, or give the program one: --cwd /srv/api.

E_HOME_NOT_A_PATH (exit 7)
NODECLUSTER_HOME is $X/n, but $X is not expanded in a path.
Set NODECLUSTER_HOME to an absolute path.

E_NO_WRITABLE_DIRECTORY (exit 7)
\`run\` needs a directory for its sockets, and could write to none of: /dev/shm (EROFS), /tmp (EACCES).
Mount a small tmpfs at /dev/shm or /tmp, or set XDG_RUNTIME_DIR to a directory that you can write to.

E_SEVERAL_RUNS (exit 2)
\`nodecluster run\` is running here 2 times, so it is not clear which one is meant.
Name one with NODECLUSTER_HOME: /dev/shm/nodecluster-run-0-a, /dev/shm/nodecluster-run-0-b

E_HOME_NOT_A_DIRECTORY (exit 7)
/home/me/.nodecluster is a link or a file, not a directory.
Remove it, or set NODECLUSTER_HOME to another directory.

E_HOME_FOREIGN (exit 7)
/home/me/.nodecluster belongs to user 1001, but you are user 1000.
Give the command as that user (\`sudo -u '#1001' nodecluster …\`), or set NODECLUSTER_HOME to a directory of your own.

E_HOME_OPEN (exit 7)
Other users can access /home/me/.nodecluster (mode 0755), so they could control your apps.
Make it private with \`chmod 700 /home/me/.nodecluster\`.

E_HOME_TOO_LONG (exit 7)
The path /home/me/.nodecluster is 12 bytes too long for a socket in it.
Set NODECLUSTER_HOME to a shorter path.

E_HOME_WRITE (exit 7)
Could not write /home/me/.nodecluster/desired.json: ENOSPC
Nothing on disk was changed. Free some space, or check the permissions.

E_HOME_READ (exit 7)
Could not read /home/me/.nodecluster/desired.json: EACCES
Keep it: it lists your apps. Check its permissions; if a newer nodecluster wrote it, use that one.

E_HOME_LOCK (exit 7)
Could not tell whether a daemon runs in /home/me/.nodecluster: EIO: i/o error, scandir
Nothing was started. Check the disk and the permissions, then try again.

E_END_UNWRITTEN (exit 7)
The app is stopped, but that could not be saved to /home/me/.nodecluster/desired.json: ENOSPC
Free some space, and the daemon saves it. A daemon that starts before that starts the app again.

E_END_UNWRITTEN (exit 7)
The app is stopped, but its deletion could not be saved to /home/me/.nodecluster/desired.json: ENOSPC
Free some space and repeat the command.

E_END_UNWRITTEN (exit 7)
Everything is stopped, but that could not be saved to /home/me/.nodecluster/desired.json: ENOSPC
Free some space. The next daemon starts what ran; \`nodecluster stop all\` stops it again.

E_REQUEST_INVALID (exit 2)
The daemon received a request that it does not understand: selectors is not a list of strings.
Use the version of nodecluster that started the daemon; \`nodecluster ping\` shows it.

E_APP_UNKNOWN (exit 4)
There is no app "apo". The apps are: api, web.
Did you mean api?

E_APP_UNKNOWN (exit 4)
There is no app "x". The apps are: api, web.
\`nodecluster ls\` shows names and worker ids.

E_APP_UNKNOWN (exit 4)
There is no app "x": this home directory has no apps.
Start one with \`nodecluster start app.js -i max\`.

E_APP_UNKNOWN (exit 4)
There is no app "app". The apps are: shop.
shop runs /srv/shop/app.js. Start it with \`--name app\` to give it that name.

E_WORKER_UNKNOWN (exit 4)
There is no worker with the id 7.
\`nodecluster ls\` shows names and worker ids.

E_WORKER_UNKNOWN (exit 4)
There is no worker api:7. The workers are: api:0, api:1.
\`nodecluster ls\` shows names and worker ids.

E_APP_EXISTS (exit 6)
App api already runs /srv/api.js.
New code: \`nodecluster reload api\`. New settings: the same with options, such as \`nodecluster reload api -i 4\`. A second copy: \`--name <other>\`.

E_APP_EXISTS (exit 6)
App api already runs /srv/api.js, with other settings: instances.
Another number of workers: \`nodecluster scale api 4\`. A second copy: \`--name <other>\`.

E_APP_EXISTS (exit 6)
App api already runs /srv/api.js, with other settings: cwd, env.A, args, watch, env.B, and 1 more.
New code: \`nodecluster reload api\`. New settings: the same with options, such as \`nodecluster reload api -i 4\`. A second copy: \`--name <other>\`.

E_APP_EXISTS (exit 6)
App api already exists, with the settings of /srv/a.yml.
Start it with \`nodecluster start api\`, or a second copy with \`--name <other>\`.

E_APP_EXISTS (exit 6)
App api already exists and is another program: /old/api.js, not /srv/api.js.
App web already runs /srv/api.js.
Give this one another name: \`--name <other>\`.

E_NAME_TWICE (exit 2)
Could not start these programs: two of them would be named api.
Start them one by one, each with its own --name.

E_CANARY (exit 6)
api was not reloaded, because a canary cannot be judged: its new workers cannot serve beside the old ones.
Reload it without --canary.

E_APP_BUSY (exit 6)
api is busy: a reload is in progress.
Wait until it ends; \`nodecluster describe api\` shows its progress.

E_APP_BUSY (exit 6)
api is busy: 100 commands are waiting for their turn.
Wait until some of them are done.

E_PROVE_APP (exit 2)
Nothing to prove: no app is running.
Start one with \`nodecluster start app.js -i max\`.

E_PROVE_APP (exit 2)
Could not choose between api, web: prove takes one app at a time.
Name it: \`nodecluster prove api\`.

E_PROVE_DOWN (exit 6)
api was not touched: it is errored, and prove needs an app that is online.
\`nodecluster describe api\` shows more.

E_PROVE_DOWN (exit 6)
api was not touched: a reload is in progress.
\`nodecluster describe api\` shows more.

E_PROVE_EVENT (exit 2)
The primary of api was not killed: apps in fork mode share it.
Leave it out of --only.

E_PROVE_EVENT (exit 2)
The daemon of api was not killed: it is the process of \`nodecluster run\`.
Leave it out of --only.

E_PROVE_ADDRESS (exit 2)
Could not send requests to api: no worker listens.
Give the whole URL: \`--url http://127.0.0.1:3000/\`.

E_PROVE_ADDRESS (exit 2)
Could not choose where to send requests: api listens on *:3000, *:9000.
Give the whole URL: \`--url http://127.0.0.1:3000/\`.

E_PROVE_ANSWER (exit 6)
api was not touched: it does not answer every request to http://127.0.0.1:3000/ (ECONNRESET, status 503).
Give the URL of something that answers GET over HTTP/1.1, such as \`--url /status\`.

E_PROVE_ELSEWHERE (exit 6)
api was not touched: most of 50 requests to http://127.0.0.1:80/ were answered by something else.
Give a URL that leads to the app, and not to a cache in front of it.

E_PROVE_CONFIRM (exit 2)
api was not touched: prove kills its processes and asks first.
Without a terminal, or with --json, add --yes.

E_APP_DELETED (exit 4)
api was deleted while this command waited for its turn.
To run it again, start its program or its file.

E_APP_STOPPED (exit 5)
api was stopped while this command waited for its turn.
\`nodecluster start api\` starts it.

E_APP_KILLED (exit 5)
\`nodecluster kill\` stopped api before the command was done.
\`nodecluster resurrect\` starts what it stopped.

E_DAEMON_EXITS (exit 8)
The daemon is shutting down and did not finish the command on api.
The next daemon completes or undoes it; \`nodecluster ls\` shows the state.

E_DEPENDENCY_FAILED (exit 5)
db failed, and web depends on it, so web was not touched.
\`nodecluster describe db\` shows more. Repair it, then repeat the command.

E_DEPENDENCY_FAILED (exit 5)
db failed, and web depends on it, so web was not started yet.
\`nodecluster describe db\` shows more. Repair it, then web starts by itself.

E_DEPENDENCY_FAILED (exit 5)
db was deleted, and web depends on it, so web was not started yet.
Start db again, then web starts by itself.

E_WORKER_DELETED (exit 4)
api:1 was deleted while this command waited for its turn.
\`nodecluster ls\` shows those that are left.

E_WORKER_DELETED (exit 4)
api:1, api:2 were deleted while this command waited for its turn.
\`nodecluster ls\` shows those that are left.

E_DAEMON_LOST (exit 8)
The connection to the daemon broke before it replied to reload, so the outcome of the command is not known.
This daemon, or the next one, completes what had begun, or undoes it. \`nodecluster ls\` shows the state; then repeat the command if necessary.

E_DAEMON_ENDING (exit 6)
The command was not carried out: the daemon is shutting down.
Repeat the command: it starts a new daemon.

E_SELECTOR_REGEX (exit 2)
/(/ is not a valid regular expression: unterminated group.
Correct it, and quote it for the shell: \`nodecluster ls "/^api/"\`.

E_NOT_A_JOB (exit 6)
App web is not a job: it has no schedule.
\`nodecluster restart web\` runs its program again.

E_JOB_STOPPED (exit 6)
Could not run job report: it is stopped.
Start it with \`nodecluster start report\`, then repeat the command.

E_JOB_RUNS (exit 6)
Job report was not touched: its last run has not ended.
Wait until it has ended, or stop it with \`nodecluster restart report\`. With \`overlap: replace\`, a new run stops the last one.

E_SCALE_COUNT (exit 2)
Cannot scale by -5: the app has only 1 worker.
To stop all workers and keep the app, use \`nodecluster stop\`.

E_SCALE_COUNT (exit 2)
Cannot scale by -5: the app has only 2 workers.
To stop all workers and keep the app, use \`nodecluster stop\`.

E_SCALE_COUNT (exit 2)
Cannot scale to "many": use a number from 1 to 1000, +N, -N or max.
For example: \`nodecluster scale api +2\`.

E_SCALE_COUNT (exit 2)
Cannot scale to "0": use a number from 1 to 1000, +N, -N or max.
To stop all workers and keep the app, use \`nodecluster stop\`.

E_SCALE_FORK (exit 6)
App web can have only one worker, because nodemon app.js is made for development.
Start the Node program itself, which can share its port, or, if it serves no port, use --exec-mode fork.

E_SCALE_JOB (exit 2)
Cannot scale cleanup: a job runs one process at a time.
For a second process at the same times, start the program again with another --name.

E_SCALE_RANGE (exit 6)
Cannot scale web to 12: it scales itself between 2 and 8 workers.
For a fixed number, use \`nodecluster reload web -i 12\`; other limits belong in \`instances\` of its file.

E_SCALE_SELECTOR (exit 2)
Cannot scale all: scale takes one app, not a worker or several apps.
Name one app: \`nodecluster scale api 4\`.

E_FILE_UNTRUSTED (exit 7)
nodecluster does not use the file /srv/logs/api.log: it is a symbolic link.
Remove it, or name a file in a directory that no other user can write.

E_PRIVILEGED_PORT (exit 7)
Could not start api, because the daemon could not listen on port 80: in use by nginx.
Free that port, or remove it from \`privileged_ports\`.

E_USER_ACCESS (exit 7)
api cannot run as www-data: that user has no access to /root.
Node.js, nodecluster and the program must be where that user can read them, such as /usr/local and /srv, not in the home directory of root.

E_USER_GROUP (exit 7)
api cannot run as user 4711: there is no account that names its group.
Set \`gid\` too, or use a user of this machine.

E_PRIMARY_USER (exit 6)
api has \`uid\` 33, but its primary runs as another user.
Restart it: \`nodecluster restart api\`.

E_LOG_FILE (exit 7)
Could not open the log file /srv/out.log (EACCES).
The app keeps running. Check the permissions, or name another file.

E_LOG_OF_APP (exit 2)
Cannot flush the log of a single worker: api is flushed as a whole.
Name the app: \`nodecluster flush api\`.

E_SIGNAL (exit 2)
"SIGNOPE" is not a signal.
Use a name such as SIGUSR2; \`kill -l\` lists them.

E_MESSAGE (exit 2)
Cannot send this message: its cmd begins with NODE_, which Node.js reserves.
(no hint)

E_PRIMARY_START (exit 5)
The primary process of api exited with code 1.
Its log is /h/apps/api/primary.log. The daemon keeps trying.

E_PRIMARY_START (exit 5)
The primary process of api could not be started: spawn /usr/bin/node EMFILE.
Raise the limit of open files (\`ulimit -n\`, or LimitNOFILE of a systemd unit). The daemon keeps trying.

E_PRIMARY_START (exit 5)
The primary process of api could not be started: spawn /usr/bin/node EAGAIN.
Raise the limit of processes (\`ulimit -u\`, or TasksMax of a systemd unit). The daemon keeps trying.

E_PRIMARY_START (exit 5)
The primary process of api could not be started: ENOSPC: no space left on device, mkdir.
Free some space. The daemon keeps trying.

E_PRIMARY_STAYS (exit 6)
The primary of api was not replaced: its socket /run/api.sock cannot be handed over.
To replace it with an interruption: \`nodecluster stop api && nodecluster start api\`.

E_UPDATE_ENDED (exit 5)
web was not updated, since the update of api failed.
It runs on as before. Repeat \`nodecluster update --apps\` when the cause is removed.

E_SECOND_PRIMARY (exit 5)
The primary of api was not replaced, and the first one keeps serving: The primary process of api exited.
Its log is /log.

E_PRIMARY_REPORT (exit 8)
The primary process of api sent a report that is not valid (slots).
If that happens again, \`nodecluster delete api\` stops the app and removes it.

E_PRIMARY_SILENT (exit 8)
The primary process of api (pid 4107) is running but does not answer: No reply to hello within 5000 ms.
The app may still be serving, and the daemon keeps trying to reach it. It replaces a primary that is frozen; \`kill -9 4107\` makes it do so at once.

E_PRIMARY_UNCLEAR (exit 8)
The daemon could not find out whether api has a primary process: Could not connect to /h/1/primary.sock (EACCES).
The app may be serving, so it is not started again. The daemon keeps trying; \`nodecluster describe api\` shows the reason.

E_PRIMARY_GONE (exit 5)
The primary process of api exited before the command was done.
The daemon starts it again. Its log is /h/apps/api/primary.log.

E_PRIMARY_LOST (exit 8)
The connection to the primary process of api was lost, so it is not known how the command ended.
The app is still running: \`nodecluster describe api\` shows its state.

E_PROTOCOL_UNREACHABLE (exit 8)
Could not connect to /home/me/.nodecluster/daemon.sock (ECONNREFUSED).
The process behind it is not running, or is just starting. Try again.

E_PROTOCOL_TIMEOUT (exit 8)
No reply to list within 5000 ms.
It may be busy, or stopped by SIGSTOP. \`nodecluster logs --daemon\` may show why.

E_PROTOCOL_CLOSED (exit 8)
The connection closed before the reply to reload arrived.
Check with \`nodecluster ls\` what was done, then repeat the command.

E_PROTOCOL_VERSION (exit 6)
This command (nodecluster 2.0.0, protocol 2) and the running daemon (nodecluster 1.0.0, protocol 1, pid 4100) have no protocol in common.
\`nodecluster update\` replaces that daemon with the installed version; the apps keep running. Until then ls, stop, delete and kill work.

E_PROTOCOL_VERSION (exit 6)
The daemon (nodecluster 2.0.0, protocol 2) and the running primary (nodecluster 1.0.0, protocol 1, pid 4100) have no protocol in common.
\`nodecluster update --apps\` replaces that primary with the installed version; the apps keep running. Until then ls, stop, delete and kill work.

E_PROTOCOL_HELLO (exit 8)
The first message must be a hello with role, version, protocol and oldest.
(no hint)

E_PROTOCOL_SILENT (exit 8)
No hello within 2000 ms of connecting.
(no hint)

E_PROTOCOL_FRAME (exit 8)
Received an invalid message: not JSON.
(no hint)

E_PROTOCOL_FRAME_SIZE (exit 8)
A message is longer than 1024 bytes.
(no hint)

E_PROTOCOL_METHOD (exit 8)
There is no method "fly".
(no hint)

E_PROTOCOL_PARAMS (exit 8)
The parameter slots of scale is missing or not valid.
(no hint)

E_PROTOCOL_CLIENTS (exit 6)
Too many clients: 64 are already connected.
Wait until a running command ends, or end one, then try again.

E_PROTOCOL_CLIENTS (exit 6)
Too many clients: 64 are already connected.
Wait until a running command ends, or end one, then try again. \`ls\`, \`stop\`, \`delete\` and \`kill\` work even now.

E_PROTOCOL_REQUESTS (exit 6)
Too many requests: 100 from this client are already waiting for a reply.
(no hint)

E_PROTOCOL_SOCKET (exit 7)
Could not listen on /home/me/.nodecluster/daemon.sock (EACCES).
Check whether a process uses that path, and whether you can write to its directory.
`
