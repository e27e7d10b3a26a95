/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/cli/commands.test.js > TAP > completion is whole, and documented > wording of completion 1`] = `
print a script with which the shell completes commands, options and apps
<shell>: bash, zsh or fish; \`apps\` prints the names that the scripts need
eval "$(nodecluster completion bash)"         in ~/.bashrc
eval "$(nodecluster completion zsh)"          in ~/.zshrc, after compinit
nodecluster completion fish | source          in ~/.config/fish/config.fish
`

exports[`test/cli/commands.test.js > TAP > delete is whole, and documented > wording of delete 1`] = `
stop apps and forget them
Their log files stay.
[targets...]: names, worker ids, name:slot, namespaces, /regex/, all; or one ecosystem file
--only <names>: only these apps of the file: a,b
--env <name>: with the settings under env_<name>
--lenient: warn of unknown keys in the file instead of refusing it
--json: print the result as JSON; errors too, on stderr
nodecluster delete api
nodecluster del all
nodecluster delete ecosystem.yml --only api
`

exports[`test/cli/commands.test.js > TAP > describe is whole, and documented > wording of describe 1`] = `
show one app in full: settings, workers, log files, last deaths
<apps...>: names, worker ids, namespaces, /regex/ or all
--json: print the result as JSON; errors too, on stderr
nodecluster describe api
nodecluster show api --json
`

exports[`test/cli/commands.test.js > TAP > env is whole, and documented > wording of env 1`] = `
show the environment that the workers of an app get
Values that look like secrets are masked.
<apps...>: names, worker ids, namespaces, /regex/ or all
--show-secrets: mask nothing
--json: print the result as JSON; errors too, on stderr
nodecluster env api
nodecluster env api --show-secrets
`

exports[`test/cli/commands.test.js > TAP > events is whole, and documented > wording of events 1`] = `
show what happens to apps and workers, as it happens
On a terminal a line to read; else, and with --json, a JSON object a line. It goes on until it is ended.
[apps...]: only these; without any, all that there ever are
--json: a JSON object a line on a terminal too
nodecluster events
nodecluster events api --json | jq 'select(.type == "worker.exited")'
`

exports[`test/cli/commands.test.js > TAP > every command of PM2 is here, or it is said what does the same > advice on commands of PM2 1`] = `
start: (a command)
trigger: nodecluster sends nothing anywhere; \`nodecluster metrics\` and \`ls --json\` are for monitoring.
deploy: Copy releases with a tool for it, point a \`current\` link at them, then \`nodecluster reload <app>\`.
startOrRestart: \`nodecluster restart <file>\` does this.
startOrReload: \`nodecluster reload <app or file>\` does this.
pid: \`nodecluster ls --json\` has the pids and ids.
startOrGracefulReload: \`nodecluster reload <app or file>\` does this.
stop: (a command)
restart: (a command)
scale: (a command)
profile: \`node --cpu-prof\` and \`node --heapsnapshot-signal\` do this: node_args.
reload: (a command)
id: \`nodecluster ls --json\` has the pids and ids.
inspect: \`nodecluster env <app>\` and \`nodecluster describe <app>\` show it.
delete: (a command)
sendSignal: \`kill -<signal> <pid>\` with a pid of \`nodecluster ls\` does this.
ping: (a command)
update: After an upgrade of nodecluster: \`nodecluster kill\`, then start the apps again.
report: \`nodecluster env <app>\` and \`nodecluster describe <app>\` show it.
link: nodecluster sends nothing anywhere; \`nodecluster metrics\` and \`ls --json\` are for monitoring.
unlink: nodecluster sends nothing anywhere; \`nodecluster metrics\` and \`ls --json\` are for monitoring.
monitor: nodecluster sends nothing anywhere; \`nodecluster metrics\` and \`ls --json\` are for monitoring.
unmonitor: nodecluster sends nothing anywhere; \`nodecluster metrics\` and \`ls --json\` are for monitoring.
open: nodecluster sends nothing anywhere; \`nodecluster metrics\` and \`ls --json\` are for monitoring.
plus: nodecluster sends nothing anywhere; \`nodecluster metrics\` and \`ls --json\` are for monitoring.
login: nodecluster sends nothing anywhere; \`nodecluster metrics\` and \`ls --json\` are for monitoring.
logout: nodecluster sends nothing anywhere; \`nodecluster metrics\` and \`ls --json\` are for monitoring.
dump: Apps are kept by themselves: what runs is written down, and the next command after a boot brings it back. Let \`nodecluster ls\` run at boot.
cleardump: Apps are kept by themselves: what runs is written down, and the next command after a boot brings it back. Let \`nodecluster ls\` run at boot.
save: Apps are kept by themselves: what runs is written down, and the next command after a boot brings it back. Let \`nodecluster ls\` run at boot.
resurrect: Apps are kept by themselves: what runs is written down, and the next command after a boot brings it back. Let \`nodecluster ls\` run at boot.
unstartup: Apps are kept by themselves: what runs is written down, and the next command after a boot brings it back. Let \`nodecluster ls\` run at boot.
startup: Apps are kept by themselves: what runs is written down, and the next command after a boot brings it back. Let \`nodecluster ls\` run at boot.
logrotate: Log files are rotated by themselves: log_rotate. For a logrotate of your own see \`reload-logs\`.
ecosystem: (a command)
init: (a command)
reset: (a command)
describe: (a command)
list: (a command)
ls: (a command)
ps: (a command)
status: (a command)
jlist: \`nodecluster ls --json\` does this.
sysmonit: \`nodecluster ls --json\` does this.
slist: \`nodecluster ls --json\` does this.
prettylist: \`nodecluster ls --json\` does this.
monit: (a command)
imonit: \`nodecluster monit\` does this.
dash: (a command)
dashboard: (a command)
flush: (a command)
reloadLogs: (a command)
logs: (a command)
kill: (a command)
pull: nodecluster does not look into repositories: update the code, then reload the app.
forward: nodecluster does not look into repositories: update the code, then reload the app.
backward: nodecluster does not look into repositories: update the code, then reload the app.
deepUpdate: After an upgrade of nodecluster: \`nodecluster kill\`, then start the apps again.
serve: Serve files with a web server, or with an app of yours.
autoinstall: Apps are kept by themselves: what runs is written down, and the next command after a boot brings it back. Let \`nodecluster ls\` run at boot.
examples: docs/configuration.md and ecosystem.example.yml show every option.
install: nodecluster has no modules.
uninstall: nodecluster has no modules.
package: nodecluster has no modules.
publish: nodecluster has no modules.
set: Settings go into the ecosystem file: \`nodecluster init\` writes one.
multiset: Settings go into the ecosystem file: \`nodecluster init\` writes one.
get: Settings go into the ecosystem file: \`nodecluster init\` writes one.
conf: Settings go into the ecosystem file: \`nodecluster init\` writes one.
env: (a command)
info: (a command)
show: (a command)
`

exports[`test/cli/commands.test.js > TAP > flush is whole, and documented > wording of flush 1`] = `
empty the log files of apps
Files that were rotated are removed. Without arguments those of all apps.
[apps...]: names, namespaces, /regex/ or all
--json: print the result as JSON; errors too, on stderr
nodecluster flush api
nodecluster flush
`

exports[`test/cli/commands.test.js > TAP > init is whole, and documented > wording of init 1`] = `
write a commented ecosystem.yml for the program in this folder
nodecluster init && nodecluster start
`

exports[`test/cli/commands.test.js > TAP > kill is whole, and documented > wording of kill 1`] = `
stop every app and the daemon
The apps stay known: \`nodecluster start <app>\` brings one back.
--json: print the result as JSON; errors too, on stderr
nodecluster kill
`

exports[`test/cli/commands.test.js > TAP > logs is whole, and documented > wording of logs 1`] = `
show the last log lines of apps, and then what comes
Each line begins with the app and the worker: \`api:0 | message\`; \`!\` in place of \`|\` is stderr.
Without arguments the lines of all apps. Ctrl-C ends it.
[apps...]: names, worker ids, name:slot, namespaces, /regex/ or all
--lines <n>: so many lines of each app before what comes (default: 15)
--since <time>: what was written since: 10m, 1h30m
--out: only stdout
--err: only stderr
--grep <regex>: only messages that match; /regex/i whatever the case
--timestamp: show the time of each line
--raw: the messages alone, as the programs wrote them
--json: each line as a JSON object
--no-follow: end after the lines that are there
--daemon: the daemon's own log: what it decided, and why
nodecluster logs
nodecluster logs api:1 --lines 100 --timestamp
nodecluster logs --err --since 10m --no-follow
nodecluster logs api --grep "/timeout/i"
nodecluster logs --daemon
`

exports[`test/cli/commands.test.js > TAP > ls is whole, and documented > wording of ls 1`] = `
show every app and its workers
CPU is in percent of one core, memory what is resident (RSS). Wide terminals also show what
the workers measure: loop is how busy the event loop is, delay how late it is (p99), p99 how
long requests take.
-w, --watch: go on and show changes in place
--json: print the result as JSON; errors too, on stderr
nodecluster ls
nodecluster ls --watch
nodecluster ls --json | jq '.apps[].workers[].pid'
`

exports[`test/cli/commands.test.js > TAP > metrics is whole, and documented > wording of metrics 1`] = `
print metrics for Prometheus, or serve them
Workers measure their event loop and their HTTP requests only while somebody asks, and for two minutes after that: whoever collects metrics more often than that misses nothing.
--listen <address>: serve them on http://<address>/metrics until it is ended; a port is one of loopback
--openmetrics: in the format of OpenMetrics; the endpoint offers both
nodecluster metrics
nodecluster metrics --listen 127.0.0.1:9100
nodecluster metrics > /var/lib/node_exporter/nodecluster.prom
`

exports[`test/cli/commands.test.js > TAP > monit is whole, and documented > wording of monit 1`] = `
watch and command every worker, live and full screen
Workers with what they take and what they measure of themselves, and the log of the one
that is selected. \`?\` shows the keys. Workers measure only while somebody watches.
nodecluster monit
`

exports[`test/cli/commands.test.js > TAP > ping is whole, and documented > wording of ping 1`] = `
ask whether the daemon runs; never starts it
--json: print the result as JSON; errors too, on stderr
nodecluster ping
`

exports[`test/cli/commands.test.js > TAP > reload is whole, and documented > wording of reload 1`] = `
replace workers one by one; in cluster mode no request is lost
In cluster mode a new worker listens before an old one stops accepting; in fork mode it starts
when the old one has ended. With an ecosystem file, every change is applied by the smallest
action that does it.
[targets...]: names, worker ids, name:slot, namespaces, /regex/, all; or one ecosystem file
--only <names>: only these apps of the file: a,b
--env <name>: with the settings under env_<name>
--lenient: warn of unknown keys in the file instead of refusing it
--prune: delete the apps that came from this file and are no longer in it
--dry-run: show what would be done, and do nothing
--update-env: take the environment of this shell instead of the one kept since the start
--parallel <n>: replace so many workers at a time
--on-failure <what>: when a new worker fails: keep those that were replaced already (the default), or rollback
--no-wait: return once it is accepted; \`describe\` shows its outcome
--json: print the result as JSON; errors too, on stderr
nodecluster reload api
nodecluster reload api --update-env
nodecluster reload api --on-failure rollback
nodecluster reload api --no-wait
nodecluster reload ecosystem.yml --prune
nodecluster reload --dry-run
`

exports[`test/cli/commands.test.js > TAP > reload-logs is whole, and documented > wording of reload-logs 1`] = `
open the log files anew, after another program has moved them
For a logrotate of your own; the signal SIGUSR2 to the daemon does the same. The rotation that
is built in (log_rotate) does not need it. Without arguments for all apps.
[apps...]: names, namespaces, /regex/ or all
--json: print the result as JSON; errors too, on stderr
nodecluster reload-logs
nodecluster reload-logs api
`

exports[`test/cli/commands.test.js > TAP > reset is whole, and documented > wording of reset 1`] = `
count restarts from zero again
Past deaths no longer count against max_restarts. Nothing is started or stopped: what is errored
stays so until it is started or reloaded.
<targets...>: names, worker ids, name:slot, namespaces, /regex/ or all
--json: print the result as JSON; errors too, on stderr
nodecluster reset api
nodecluster reset all
`

exports[`test/cli/commands.test.js > TAP > restart is whole, and documented > wording of restart 1`] = `
stop workers and start them anew
In cluster mode workers finish what they have, and new connections wait; in fork mode requests
are interrupted. In cluster mode \`reload\` goes on serving.
[targets...]: names, worker ids, name:slot, namespaces, /regex/, all; or one ecosystem file
--only <names>: only these apps of the file: a,b
--env <name>: with the settings under env_<name>
--lenient: warn of unknown keys in the file instead of refusing it
--prune: delete the apps that came from this file and are no longer in it
--dry-run: show what would be done, and do nothing
--update-env: take the environment of this shell instead of the one kept since the start
--json: print the result as JSON; errors too, on stderr
nodecluster restart api
nodecluster restart all --update-env
nodecluster restart ecosystem.yml --only api,web
`

exports[`test/cli/commands.test.js > TAP > scale is whole, and documented > wording of scale 1`] = `
change how many workers an app has, while it serves
<app>: the app
<instances>: 4, +2, -1, or max for every core
--json: print the result as JSON; errors too, on stderr
nodecluster scale api 4
nodecluster scale api +2
nodecluster scale api max
`

exports[`test/cli/commands.test.js > TAP > schema is whole, and documented > wording of schema 1`] = `
print the JSON Schema of ecosystem files
nodecluster schema > ecosystem.schema.json
`

exports[`test/cli/commands.test.js > TAP > send is whole, and documented > wording of send 1`] = `
send a message to the workers' process.on('message')
It says to how many it was sent; whether a program listens is not known.
<apps>: a name, worker id, namespace, /regex/ or all
<json>: the message: an object, a text in quotes, a number …
--json: print the result as JSON; errors too, on stderr
nodecluster send api '{"reload": "cache"}'
nodecluster send api:0 '"dump"'
`

exports[`test/cli/commands.test.js > TAP > start is whole, and documented > wording of start 1`] = `
start programs, an ecosystem file, or apps that were stopped
Without arguments: the ecosystem file in this folder. What comes after -- goes to the program.
A name, worker id or other selector brings stopped apps back.
[targets...]: a program; an ecosystem file (- for stdin); or names of stopped apps
--only <names>: only these apps of the file: a,b
--env <name>: with the settings under env_<name>
--lenient: warn of unknown keys in the file instead of refusing it
--prune: delete the apps that came from this file and are no longer in it
--dry-run: show what would be done, and do nothing
--update-env: take the environment of this shell instead of the one kept since the start
--json: print the result as JSON; errors too, on stderr
nodecluster start app.js -i max
nodecluster start app.js --name api -- --port 3000
nodecluster start worker.py --set-env QUEUE=mail
nodecluster start ecosystem.yml --only api --env production
nodecluster start api
`

exports[`test/cli/commands.test.js > TAP > stop is whole, and documented > wording of stop 1`] = `
stop apps or single workers, and remember them
The workers finish their requests first. \`nodecluster start <app>\` brings them back.
[targets...]: names, worker ids, name:slot, namespaces, /regex/, all; or one ecosystem file
--only <names>: only these apps of the file: a,b
--env <name>: with the settings under env_<name>
--lenient: warn of unknown keys in the file instead of refusing it
--json: print the result as JSON; errors too, on stderr
nodecluster stop api
nodecluster stop 3 api:1
nodecluster stop all
nodecluster stop ecosystem.yml --only api
`

exports[`test/cli/commands.test.js > TAP > the end of the main help > epilogue 1`] = `

Examples:
  nodecluster start app.js -i max       on every core
  nodecluster start                     what ecosystem.yml in this folder says
  nodecluster ls                        what runs
  nodecluster logs app                  what it writes
  nodecluster reload app                new code, no lost request
  nodecluster stop app                  \`nodecluster start app\` brings it back
  nodecluster <command> --help          options and examples of one command

Exit codes:
  0  done
  1  a defect of nodecluster
  2  the command line is wrong
  3  the ecosystem file, or a setting, is wrong
  4  no such app, worker or file
  5  an app is not as it should be: it did not come up, or did not end
  6  refused as things stand: the app exists or is busy, versions differ
  7  the home directory or the system does not allow it
  8  the daemon cannot be reached
  130  interrupted with Ctrl-C; what was asked for goes on

`
