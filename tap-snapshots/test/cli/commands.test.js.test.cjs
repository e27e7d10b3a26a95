/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/cli/commands.test.js > TAP > apply is complete and documented > wording of apply 1`] = `
apply what changed in an ecosystem file, and nothing else
Changed settings take effect with the least disruptive action, and apps that do not run are started. The others keep their workers: \`reload\` also loads new code.
[file]: an ecosystem file (- for stdin); default: the one in this directory
--only <names>: only these apps of the file: a,b
--env <name>: use the variables of env_<name> on top of env
--lenient: warn about unknown keys instead of rejecting the file
--dry-run: show what would be done, without doing it
--prune: delete apps that came from this file and are no longer in it
-a, --update-env: use the environment of this shell over the one saved at the start
--parallel <n>: number of workers to replace at a time, after the first (default: max_surge)
--on-failure <action>: if a new worker fails: keep the workers replaced so far (the default), or rollback
--json: print the result as JSON, and errors as JSON on stderr
nodecluster apply --dry-run
nodecluster apply ecosystem.yml --only api,web
`

exports[`test/cli/commands.test.js > TAP > attach is complete and documented > wording of attach 1`] = `
show the output of a worker, and write to its stdin
Ctrl-C or Ctrl-D leaves it; the program runs on. Several workers in cluster mode have /dev/null as their stdin, and the worker of \`run\` has that of \`run\`.
<worker>: name:slot, a worker id, or an app with one worker
nodecluster attach game:0
echo save | nodecluster attach game
`

exports[`test/cli/commands.test.js > TAP > audit is complete and documented > wording of audit 1`] = `
show who gave which command
When an app was reloaded, stopped or deleted, and you want to know by whom: each command that may change something, with the user, the user who logged in and the directory, as Linux says of the process that sent it. A command that was refused has a second line.
--since <time>: only those since then: 10m, 22:20 (local time)
--until <time>: end with what happened until then
--json: print each line as a JSON object
nodecluster audit
nodecluster audit --since 2h
nodecluster audit --json
`

exports[`test/cli/commands.test.js > TAP > completion is complete and documented > wording of completion 1`] = `
print a shell script that completes commands, options and app names
<shell>: bash or zsh
[words...]: the scripts call \`completion words -- <what is typed>\`
eval "$(nodecluster completion bash)"         in ~/.bashrc
eval "$(nodecluster completion zsh)"          in ~/.zshrc, after compinit
`

exports[`test/cli/commands.test.js > TAP > daemon is complete and documented > wording of daemon 1`] = `
run the daemon in the foreground, for an init system
Other commands start it in the background when they need it. SIGTERM and Ctrl-C end it; the apps keep running.
nodecluster daemon
`

exports[`test/cli/commands.test.js > TAP > delete is complete and documented > wording of delete 1`] = `
stop apps and remove them from the list
Without arguments: the apps of the ecosystem file here. Log files are not deleted.
[targets...]: names, worker ids, name:slot, namespaces, scripts, /regex/, all; or one ecosystem file (default: the one here)
--only <names>: only these apps of the file: a,b
--env <name>: use the variables of env_<name> on top of env
--lenient: warn about unknown keys instead of rejecting the file
--json: print the result as JSON, and errors as JSON on stderr
nodecluster delete api
nodecluster delete ecosystem.yml --only api
`

exports[`test/cli/commands.test.js > TAP > describe is complete and documented > wording of describe 1`] = `
show an app in full: settings, workers, log files, recent exits
When something is wrong with one app: its last changes and who made them, what helps now, and how its workers exited. Then what they measure, the program, its log files and settings.
<apps...>: names, worker ids, name:slot, namespaces, scripts, /regex/ or all
--json: print the result as JSON, and errors as JSON on stderr
nodecluster describe api
nodecluster describe api --json | jq '.apps[].workers[].lastExit'
`

exports[`test/cli/commands.test.js > TAP > doctor is complete and documented > wording of doctor 1`] = `
find what is wrong on this machine, with the line to type for each
It looks at the home directory, the daemon, apps that stay down, file descriptors, disks and the service, starts no daemon and touches no app. The exit code is 0 if there are only warnings, 8 if the daemon does not answer, 7 for the machine, 5 for an app; the highest counts.
--json: print the result as JSON, and errors as JSON on stderr
nodecluster doctor
nodecluster doctor --json
`

exports[`test/cli/commands.test.js > TAP > env is complete and documented > wording of env 1`] = `
show the environment of an app's workers
Values that look like secrets are masked.
<apps...>: names, worker ids, name:slot, namespaces, scripts, /regex/ or all
--show-secrets: do not mask them
--json: print the result as JSON, and errors as JSON on stderr
nodecluster env api
nodecluster env api --show-secrets
`

exports[`test/cli/commands.test.js > TAP > events is complete and documented > wording of events 1`] = `
show events of apps and workers as they happen
To see why workers come and go, or to watch a deploy: shows each start, exit and reload from now on, until Ctrl-C; with --since what happened before.
[apps...]: only these apps; without arguments all apps, also those started later
--since <time>: show what happened since then, and exit: 10m, 6h, 22:20 (local time); the daemon keeps 500 events; \`logs --daemon\` goes further back
--until <time>: end with what happened until then
--follow: with --since: go on with what happens from now on
--no-follow: show all that the daemon keeps, and exit
--json: print each event as a JSON object
nodecluster events
nodecluster events api --since 6h
nodecluster events api --json | jq 'select(.type == "worker.exited")'
`

exports[`test/cli/commands.test.js > TAP > every command of PM2 exists here, or gets advice > advice on commands of PM2 1`] = `
start: (a command)
trigger: Use \`nodecluster send <app> <json>\`: the program gets it in process.on('message').
deploy: Upload a release with rsync, git or your CI, point a \`current\` link at it, and run \`nodecluster reload <file>\`; the \`deploy\` section of an ecosystem file is not read.
startOrRestart: (a command)
startOrReload: (a command)
pid: (a command)
startOrGracefulReload: (a command)
stop: (a command)
restart: (a command)
scale: (a command)
profile: (a command)
reload: (a command)
id: (a command)
inspect: Start the app with \`--node-args --inspect\`, and open chrome://inspect.
delete: (a command)
sendSignal: (a command)
ping: (a command)
update: (a command)
report: (a command)
link: It has no cloud service. Use \`nodecluster web\`, a page in the browser, or \`nodecluster metrics\` for Prometheus.
unlink: It has no cloud service. Use \`nodecluster web\`, a page in the browser, or \`nodecluster metrics\` for Prometheus.
monitor: It has no cloud service. Use \`nodecluster web\`, a page in the browser, or \`nodecluster metrics\` for Prometheus.
unmonitor: It has no cloud service. Use \`nodecluster web\`, a page in the browser, or \`nodecluster metrics\` for Prometheus.
open: It has no cloud service. Use \`nodecluster web\`, a page in the browser, or \`nodecluster metrics\` for Prometheus.
plus: It has no cloud service. Use \`nodecluster web\`, a page in the browser, or \`nodecluster metrics\` for Prometheus.
login: It has no cloud service. Use \`nodecluster web\`, a page in the browser, or \`nodecluster metrics\` for Prometheus.
logout: It has no cloud service. Use \`nodecluster web\`, a page in the browser, or \`nodecluster metrics\` for Prometheus.
dump: Every change is saved when its command ends, so nothing has to be saved.
cleardump: \`nodecluster help --all\` lists its commands.
save: Every change is saved when its command ends, so nothing has to be saved.
resurrect: (a command)
unstartup: (a command)
startup: (a command)
logrotate: It rotates log files itself; \`log_rotate: false\` leaves that to your own setup.
ecosystem: (a command)
init: (a command)
reset: (a command)
describe: (a command)
list: (a command)
ls: (a command)
ps: (a command)
status: (a command)
jlist: (a command)
sysmonit: \`nodecluster help --all\` lists its commands.
slist: \`nodecluster help --all\` lists its commands.
prettylist: \`nodecluster help --all\` lists its commands.
monit: (a command)
imonit: \`nodecluster help --all\` lists its commands.
dash: (a command)
dashboard: (a command)
flush: (a command)
reloadLogs: When another program has moved a log file, the next line opens a new one.
logs: (a command)
kill: (a command)
pull: It does not manage repositories. Update the code with git, then reload the app: \`nodecluster reload <app>\`.
forward: It does not manage repositories. Update the code with git, then reload the app: \`nodecluster reload <app>\`.
backward: It does not manage repositories. Update the code with git, then reload the app: \`nodecluster reload <app>\`.
deepUpdate: \`nodecluster help --all\` lists its commands.
serve: (a command)
autoinstall: \`nodecluster help --all\` lists its commands.
examples: \`nodecluster help --all\` lists its commands.
install: It has no modules: install the package in your app, with npm.
uninstall: \`nodecluster help --all\` lists its commands.
package: \`nodecluster help --all\` lists its commands.
publish: \`nodecluster help --all\` lists its commands.
set: Settings belong in the ecosystem file: \`nodecluster init\` writes one, and \`nodecluster start --help --all\` lists them. Those of pm2-logrotate are \`log_rotate: {max_size: 10M, keep: 10, compress: true}\`.
multiset: Settings belong in the ecosystem file: \`nodecluster init\` writes one, and \`nodecluster start --help --all\` lists them. Those of pm2-logrotate are \`log_rotate: {max_size: 10M, keep: 10, compress: true}\`.
get: Settings belong in the ecosystem file: \`nodecluster init\` writes one, and \`nodecluster start --help --all\` lists them. Those of pm2-logrotate are \`log_rotate: {max_size: 10M, keep: 10, compress: true}\`.
conf: Settings belong in the ecosystem file: \`nodecluster init\` writes one, and \`nodecluster start --help --all\` lists them. Those of pm2-logrotate are \`log_rotate: {max_size: 10M, keep: 10, compress: true}\`.
env: (a command)
info: (a command)
show: (a command)
`

exports[`test/cli/commands.test.js > TAP > export is complete and documented > wording of export 1`] = `
write what runs the apps of a file under Kubernetes
A comment names the setting behind each line, and a warning names what Kubernetes cannot do. Secrets are references, never values.
<engine>: kubernetes
[file]: an ecosystem file (- for stdin); default: the one in this directory
--image <image>: image that has the program, Node and nodecluster
--replicas <n>: number of containers of each app
--cpus <n>: cores of each container (default: one for each worker; with \`instances: max\` 2)
--port <port>: port of an app whose settings do not name it
--workdir <directory>: directory of the program in the image (default: /app)
--only <names>: only these apps of the file: a,b
--env <name>: use the variables of env_<name> on top of env
--lenient: warn about unknown keys instead of rejecting the file
nodecluster export kubernetes --image example.com/shop:1.4 > shop.yaml
nodecluster export kubernetes ecosystem.yml --env production > shop.yaml
nodecluster init --from-running - | nodecluster export kubernetes -
`

exports[`test/cli/commands.test.js > TAP > flush is complete and documented > wording of flush 1`] = `
empty the log files of apps
Rotated log files are deleted. Without arguments it works on all apps.
[apps...]: names, namespaces, scripts, /regex/ or all
--json: print the result as JSON, and errors as JSON on stderr
nodecluster flush api
nodecluster flush
`

exports[`test/cli/commands.test.js > TAP > id is complete and documented > wording of id 1`] = `
print the worker ids of an app, as PM2 does
For an unknown app it prints \`[]\`.
<app>: name of the app
nodecluster id api
`

exports[`test/cli/commands.test.js > TAP > import is complete and documented > wording of import 1`] = `
write an ecosystem file for the apps of PM2, and move them here
Reads what PM2 runs (\`pm2 jlist\`), or its dump. Variables that this shell has too are left out of the file, and secrets only go into it with --with-secrets. With --switch each app is stopped in PM2, started here and then deleted there; one that does not start here runs in PM2 again. A file that exists is then used as it is.
[dump]: a dump.pm2; default: the PM2 that runs, or its dump
--output <file>: file to write (default: ecosystem.yml; - for stdout)
--force: replace a file that exists
--with-secrets: copy passwords, keys and tokens into the file too
--switch: move the apps here, one after the other
nodecluster import --output -
nodecluster import && nodecluster import --switch
nodecluster import ~/.pm2/dump.pm2 --with-secrets
`

exports[`test/cli/commands.test.js > TAP > init is complete and documented > wording of init 1`] = `
write an ecosystem.yml for the program here
Without a file, for what npm start runs, or else the main or only program.
[script]: the program
--from-running [file]: write the settings of the apps that run (default: ecosystem.yml; - for stdout)
--force: replace a file that exists
nodecluster init && nodecluster start
nodecluster init server.js
nodecluster init --from-running
nodecluster init --from-running /srv/apps.yml
`

exports[`test/cli/commands.test.js > TAP > jlist is complete and documented > wording of jlist 1`] = `
print the workers as JSON, in the shape of PM2
For scripts written for PM2. It contains no environment, because that may contain secrets. In new scripts use \`ls --json\`.
nodecluster jlist | jq '.[].pm2_env.status'
`

exports[`test/cli/commands.test.js > TAP > kill is complete and documented > wording of kill 1`] = `
stop every app and the daemon
The apps stay in the list: \`nodecluster resurrect\` starts again those that ran.
--json: print the result as JSON, and errors as JSON on stderr
nodecluster kill
`

exports[`test/cli/commands.test.js > TAP > kill says what it stopped > nothing to stop 1`] = `
Nothing to kill: no daemon and no app is running.
`

exports[`test/cli/commands.test.js > TAP > kill says what it stopped > stopped 1`] = `
Stopped api and the daemon. \`nodecluster resurrect\` starts again what ran.
`

exports[`test/cli/commands.test.js > TAP > logs is complete and documented > wording of logs 1`] = `
show recent log lines, then follow
When an app does not do what it should, or has crashed: shows what it wrote, without arguments what all apps wrote. Press Ctrl-C to stop.

Each line starts with the app and the worker: \`api:0 | message\`; \`!\` instead of \`|\` marks stderr. A terminal also shows the local time, and JSON of loggers as text (\`| cat\` shows it as written).
[apps...]: names, worker ids, name:slot, namespaces, scripts, /regex/ or all
-n, --lines <n>: number of past lines to show from each log file (default: 30, on a pipe 1000, and with --since all of them)
--since <time>: show only lines written since then: 10m, 22:20 (local time), 2026-11-26T22:20:00Z
--until <time>: show only lines written until then, and exit
--out: show only stdout
--err: show only stderr
--grep <regex>: show only messages that match, and the indented lines after them; /regex/i ignores case
--timestamp: show the time of each line in UTC, also on a pipe
--raw: show only the messages, as the programs wrote them
--json: print each line as a JSON object
--no-follow: exit after the existing lines
--daemon: show the daemon's own log: what it decided and why
nodecluster logs
nodecluster logs --err --since 10m --no-follow
nodecluster logs --since 22:20 --until 22:25
nodecluster logs api --grep "/timeout/i"
nodecluster logs api:1 --lines 100 --timestamp
nodecluster logs --daemon
`

exports[`test/cli/commands.test.js > TAP > ls is complete and documented > wording of ls 1`] = `
list apps and their workers
CPU is in percent of one core, memory is resident memory (RSS). Terminals of 100 columns or more also show what the workers measure: loop is how busy the event loop is, delay is how late it runs (p99), p99 is how long requests took in the last minute.

Below the table, the worst first, each app in trouble has its cause and what to type.
[apps...]: names, worker ids, name:slot, namespaces, scripts, /regex/ or all
--sort <column>: sort by name, id, pid, status, cpu, memory, uptime, restarts; memory:desc shows the largest first
--json: print the result as JSON, and errors as JSON on stderr
nodecluster ls
nodecluster ls api web
nodecluster ls --sort memory:desc
nodecluster ls --json | jq '.apps[].workers[].pid'
`

exports[`test/cli/commands.test.js > TAP > metrics is complete and documented > wording of metrics 1`] = `
print metrics for Prometheus, serve them, or export them over OTLP
Workers measure their event loop, heap and connections only while a client polls, and for two minutes afterwards. Poll at least every two minutes, or figures are missing. Requests must use an address, localhost, the name in --listen or one of --allow-host, so that web pages cannot read them under a name of their own. --otlp needs packages of OpenTelemetry, which are looked up beside nodecluster and in this directory.
--listen <address>: serve them on http://<address>/metrics until stopped, and probes on /live, /ready and /startup; a port alone means loopback
--allow-host <name>: with --listen: answer requests to this host name too; can be given several times
--otlp: send them to the collector of OpenTelemetry in OTEL_EXPORTER_OTLP_ENDPOINT (default: http://localhost:4318) until stopped
nodecluster metrics
nodecluster metrics --listen 127.0.0.1:9464
nodecluster metrics --otlp
nodecluster metrics | grep http_requests
`

exports[`test/cli/commands.test.js > TAP > monit is complete and documented > wording of monit 1`] = `
watch and control all workers live on the full screen
Shows the workers with their resource use and their own measurements, and the log of the selected one. \`?\` shows the keys. Workers measure only while a client watches.
nodecluster monit
`

exports[`test/cli/commands.test.js > TAP > pid is complete and documented > wording of pid 1`] = `
print the process ids of an app or of all, one per line
For a worker that does not run it prints 0, as PM2 does, and for an unknown app nothing.
[app]: name of the app
nodecluster pid api
`

exports[`test/cli/commands.test.js > TAP > ping is complete and documented > wording of ping 1`] = `
check whether the daemon is running; never starts it
--json: print the result as JSON, and errors as JSON on stderr
nodecluster ping
`

exports[`test/cli/commands.test.js > TAP > profile is complete and documented > wording of profile 1`] = `
record what a worker does: a CPU profile, or a snapshot of its heap
When requests are slow or the CPU is busy: --cpu shows which functions take the time. When memory grows: --heap shows what fills it. Open the file in Chrome DevTools, or a CPU profile in speedscope. While a heap is written, its worker replies to nothing, for some seconds per 100 MB, and needs several times its memory; the other workers get the new connections. Ctrl-C ends a CPU profile early. Of a worker that is blocked, \`why\` shows the function.
<app:slot>: a worker, its id, or an app with one worker
--cpu <duration>: where the time goes: 10s, 1m
--heap: what is in memory
--output <file>: default: <app>-<slot>-g<generation>-<time> in this directory
--json: print the result as JSON, and errors as JSON on stderr
nodecluster profile api:0 --cpu 10s
nodecluster profile api:0 --heap --output leak.heapsnapshot
`

exports[`test/cli/commands.test.js > TAP > prove is complete and documented > wording of prove 1`] = `
count what an app loses while it is reloaded and its processes are killed
Before you trust an app with real traffic, or after you changed how it starts or stops: sends it light traffic, reloads it, and kills one of its workers, its primary and the daemon, one after the other. It counts the requests that are lost: without an answer, with a status of 500 or more, or with one from 400 up that the app did not give before. Requests that a killed process was handling cannot be saved and are counted apart. The exit code is 0 if nothing else was lost, otherwise 5.
[app]: its name; needed if several apps run
--url <url>: what to request with GET, or only a path (default: / where the app listens)
--only <events>: some of reload,worker,primary,daemon
-y, --yes: do not ask first
--json: print the result as JSON, and errors as JSON on stderr
nodecluster prove api
nodecluster prove api --url /health --only reload,worker --yes
`

exports[`test/cli/commands.test.js > TAP > reload is complete and documented > wording of reload 1`] = `
replace workers; in cluster mode no request is lost
A new worker listens and stays up for min_uptime before an old one stops accepting; in fork mode it starts after the old one has exited. With an ecosystem file, its apps get new settings and new code. The options of \`start\` change settings, and arguments after -- those of the program.
[targets...]: names, worker ids, name:slot, namespaces, scripts, /regex/, all; or one ecosystem file (default: the one here)
--only <names>: only these apps of the file: a,b
--env <name>: use the variables of env_<name> on top of env
--lenient: warn about unknown keys instead of rejecting the file
-a, --update-env: use the environment of this shell over the one saved at the start
--parallel <n>: number of workers to replace at a time, after the first (default: max_surge)
--on-failure <action>: if a new worker fails: keep the workers replaced so far (the default), or rollback
--canary <n>: judge n new workers, which serve beside the old ones, before the others follow
--for <duration>: how long to judge them: 30s, 10m (default: 2m)
--max-5xx <percent>: how many more responses with 5xx than the old workers they may give (default: 1%)
--max-p99 <factor>: how many times the 99th percentile of the old workers they may take (default: 2x)
--json: print the result as JSON, and errors as JSON on stderr
nodecluster reload api
nodecluster reload api --set-env LOG=debug --set-env TRACE-
nodecluster reload api --canary 1 --for 5m --max-5xx 0.5%
nodecluster reload ecosystem.yml --env production
`

exports[`test/cli/commands.test.js > TAP > report is complete and documented > wording of report 1`] = `
write a file for a bug report, with secrets masked
When you report a bug: versions, what ls, describe, why, events and doctor show, the end of the logs of nodecluster (not those of programs), its processes, files and limits, in one text file in the current directory, which only you can read. Read it before you send it: secrets are found by their names and forms, and one without either is not. It works without a daemon and starts none.
--print: print what it would contain, and write no file
nodecluster report --print | less
nodecluster report
`

exports[`test/cli/commands.test.js > TAP > reset is complete and documented > wording of reset 1`] = `
reset the restart counters of apps
Earlier crashes no longer count against max_restarts. An errored worker stays errored.
<apps...>: names, worker ids, name:slot, namespaces, scripts, /regex/ or all
--json: print the result as JSON, and errors as JSON on stderr
nodecluster reset api
nodecluster reset all
`

exports[`test/cli/commands.test.js > TAP > restart is complete and documented > wording of restart 1`] = `
stop workers, then start them again
In cluster mode workers finish their requests, and new connections wait; in fork mode requests are interrupted. Options and arguments are those of \`reload\`.
[targets...]: names, worker ids, name:slot, namespaces, scripts, /regex/, all; or one ecosystem file (default: the one here)
--only <names>: only these apps of the file: a,b
--env <name>: use the variables of env_<name> on top of env
--lenient: warn about unknown keys instead of rejecting the file
-a, --update-env: use the environment of this shell over the one saved at the start
--json: print the result as JSON, and errors as JSON on stderr
nodecluster restart api
nodecluster restart all --update-env
`

exports[`test/cli/commands.test.js > TAP > resurrect is complete and documented > wording of resurrect 1`] = `
start again what \`kill\` stopped
What was stopped before \`kill\` stays stopped. Apps that had failed are started too. After a reboot it waits until the apps that ran are online.
--json: print the result as JSON, and errors as JSON on stderr
nodecluster kill && nodecluster resurrect
`

exports[`test/cli/commands.test.js > TAP > run is complete and documented > wording of run 1`] = `
run apps in the foreground, in a container or for an init system
No daemon and no home directory: the apps end with this process. Their output goes to stdout and stderr. SIGTERM and Ctrl-C let requests finish first, a second one does not; SIGHUP reads the file again and reloads what changed. Without arguments it runs the ecosystem file in this directory. Arguments after -- go to the program.
[targets...]: programs, a command line in quotes, a directory, or an ecosystem file
--only <names>: only these apps of the file: a,b
--env <name>: use the variables of env_<name> on top of env
--lenient: warn about unknown keys instead of rejecting the file
--json: write log lines and messages as JSON
--listen <address>: answer /live, /ready, /startup and /metrics on this port, or address and port
--allow-host <name>: with --listen: answer requests for the metrics to this host name too; can be given several times
--otlp: send the metrics to a collector of OpenTelemetry, as \`nodecluster metrics --otlp\`
--raw: write log lines as the programs write them
nodecluster run app.js -i max
nodecluster run ecosystem.yml --env production --json
nodecluster run app.js --listen 9464
nodecluster run "npm start" --name web
`

exports[`test/cli/commands.test.js > TAP > run-now is complete and documented > wording of run-now 1`] = `
run jobs now, outside their schedule
It waits until the runs have ended, and fails if one does; Ctrl-C leaves them running. A job whose last run has not ended is refused, unless it has \`overlap: replace\`.
<apps...>: names, worker ids, name:slot, namespaces, scripts, /regex/ or all
--no-wait: return when the runs have begun
--json: print the result as JSON, and errors as JSON on stderr
nodecluster run-now report
nodecluster run-now report --no-wait
`

exports[`test/cli/commands.test.js > TAP > scale is complete and documented > wording of scale 1`] = `
change the number of workers of a running app
The number holds, also after a reboot, until the file is applied, reloaded or restarted.
<app>: name of the app
<instances>: 4, +2, -1, or max for one worker per core
--json: print the result as JSON, and errors as JSON on stderr
nodecluster scale api 4
nodecluster scale api +2
nodecluster scale api max
`

exports[`test/cli/commands.test.js > TAP > send is complete and documented > wording of send 1`] = `
send a message to the workers' process.on('message')
Prints how many workers it was sent to. Whether a program listens is not known.
<apps>: a name, worker id, name:slot, namespace, script, /regex/ or all
<json>: the message: an object, a quoted string, a number …
--json: print the result as JSON, and errors as JSON on stderr
nodecluster send api '{"reload": "cache"}'
nodecluster send api:0 '"dump"'
`

exports[`test/cli/commands.test.js > TAP > serve is complete and documented > wording of serve 1`] = `
serve the files of a directory over HTTP, as an app
The files are read at each request, so a new release needs no reload. Files whose names begin with a dot are not served. With 404.html in the directory, a missing file shows it.
[directory]: default: this directory
[port]: default: 8080
--port <port>: the port, in place of the argument
--spa: answer paths that are not files with index.html
--basic-auth-username <name>: user name that a browser must send
--basic-auth-password <password>: password that a browser must send
--json: print the result as JSON, and errors as JSON on stderr
nodecluster serve dist 3000 --spa
nodecluster serve public --port 3000 -i 2 --name site
`

exports[`test/cli/commands.test.js > TAP > signal is complete and documented > wording of signal 1`] = `
send a signal to the programs of apps
A worker that exits because of it is started again like any other. Most signals end a program that does not handle them.
<signal>: SIGUSR2, USR2 or its number
<apps...>: names, worker ids, name:slot, namespaces, scripts, /regex/ or all
--json: print the result as JSON, and errors as JSON on stderr
nodecluster signal SIGCONT api
nodecluster sendSignal CONT api:0
`

exports[`test/cli/commands.test.js > TAP > start is complete and documented > wording of start 1`] = `
start programs, an ecosystem file, or stopped apps
It waits until each worker is up, so done means that the app runs. Without arguments it starts the ecosystem file here. Arguments after -- go to the program.
[targets...]: a program, a command in quotes, a directory, an ecosystem file (- for stdin), or stopped apps
--only <names>: only these apps of the file: a,b
--env <name>: use the variables of env_<name> on top of env
--lenient: warn about unknown keys instead of rejecting the file
-a, --update-env: use the environment of this shell over the one saved at the start
--json: print the result as JSON, and errors as JSON on stderr
nodecluster start app.js -i max
nodecluster start app.js --name api -- --port 3000
nodecluster start "npm start" --name web
nodecluster start .
nodecluster start ecosystem.yml --only api --env production
nodecluster start api
`

exports[`test/cli/commands.test.js > TAP > startup is complete and documented > wording of startup 1`] = `
start the apps at boot: install a service (systemd, launchd, OpenRC)
As root it installs the service and hands the running daemon over to it; the apps are not touched. As another user it prints the one command to type. With sudo, also in the shell of \`sudo -i\`, name the user. Without a service, an app whose daemon and primary were killed together stays down until the next command.
[platform]: systemd, launchd or openrc; default: what this machine runs
-u, --user [name]: without a name, use your own service manager, without root; with a name, run that user's apps
--hp <directory>: home directory of the user, as in PM2; nodecluster uses .nodecluster in it
--socket <address>: let systemd open this port, such as 3000 or 127.0.0.1:3000, for the app that listens there
--credential <name:path>: let systemd read this file as root, such as db:/etc/shop/db.secret, for the apps of that user
--print: print the unit, or script, and where it belongs; install nothing
--json: print the result as JSON, and errors as JSON on stderr
nodecluster startup
nodecluster startup --user
sudo nodecluster startup --user deploy
nodecluster startup --socket 3000
nodecluster startup --print > nodecluster.service
`

exports[`test/cli/commands.test.js > TAP > stop is complete and documented > wording of stop 1`] = `
stop apps or single workers; they stay in the list
They finish their requests first. \`nodecluster start <app>\` starts them again.
[targets...]: names, worker ids, name:slot, namespaces, scripts, /regex/, all; or one ecosystem file (default: the one here)
--only <names>: only these apps of the file: a,b
--env <name>: use the variables of env_<name> on top of env
--lenient: warn about unknown keys instead of rejecting the file
--json: print the result as JSON, and errors as JSON on stderr
nodecluster stop api
nodecluster stop 3 api:1
nodecluster stop all
`

exports[`test/cli/commands.test.js > TAP > the end of the main help > epilogue 1`] = `

Examples:
  nodecluster start app.js --name api -i max   run one worker per core
  nodecluster reload api                       deploy new code without losing a request
  nodecluster init --from-running              write its settings to ecosystem.yml
  nodecluster reload ecosystem.yml             deploy, with the changed settings of the file
  nodecluster <command> --help                 show its options and examples

NODECLUSTER_HOME is where apps, logs and the daemon's socket are kept (default: ~/.nodecluster).

Exit codes:
  0  done
  1  a bug in nodecluster
  2  the command line is wrong
  3  an ecosystem file is missing or has an error; nothing was changed
  4  an app, worker or program that was named does not exist or cannot run
  5  an app, or a part of it, did not reach the desired state
  6  refused in the current state: it already exists, or is busy
  7  the environment: permissions, disk, home directory
  8  the daemon, or a primary, cannot be reached
  130  interrupted with Ctrl-C; what the command started continues (\`run\` and \`monit\` end with 0)

`

exports[`test/cli/commands.test.js > TAP > unstartup is complete and documented > wording of unstartup 1`] = `
remove what startup has installed; the apps keep running
[platform]: systemd, launchd or openrc; default: what this machine runs
-u, --user [name]: without a name, use your own service manager, without root; with a name, run that user's apps
--hp <directory>: home directory of the user, as in PM2; nodecluster uses .nodecluster in it
--json: print the result as JSON, and errors as JSON on stderr
nodecluster unstartup
sudo nodecluster unstartup --user deploy
`

exports[`test/cli/commands.test.js > TAP > update is complete and documented > wording of update 1`] = `
replace the daemon with the installed version; apps keep running
The new daemon takes over once it can start. Workers and connections are not touched.
--apps: also replace primaries of other versions, one by one, as in a reload
--json: print the result as JSON, and errors as JSON on stderr
npm install -g nodecluster@latest && nodecluster update
`

exports[`test/cli/commands.test.js > TAP > web is complete and documented > wording of web 1`] = `
show and control all apps on a page in the browser
Serves the page until Ctrl-C, and prints a link that signs in once, within ten minutes; each use prints the next one. The page shows what monit shows, with graphs of the last hour.
--listen <address>: where to serve it: a port or host:port (default: 127.0.0.1:9477), or unix:/path of a socket; beyond this machine only with a proxy
--read-only: refuse every change
--behind-proxy <url>: what browsers open, if a proxy is in front: https://ops.example/nodecluster/
nodecluster web
nodecluster web --read-only --listen unix:/run/nodecluster/web.sock --behind-proxy https://ops.example/nodecluster/
`

exports[`test/cli/commands.test.js > TAP > why is complete and documented > wording of why 1`] = `
show why apps are in trouble: which function blocks, which server is slow
Of each app in trouble, or each one named, it says what \`ls\` says below its table. Of a worker that is blocked it shows the function and the line, without a restart: it opens the inspector of that worker for a moment, on loopback. Of one that does not answer requests, it names the servers that it is connected to. The exit code is 0 whatever it finds.
[apps...]: names, worker ids, name:slot, namespaces, scripts, /regex/ or all
--json: print the result as JSON, and errors as JSON on stderr
nodecluster why
nodecluster why api
nodecluster why api:1 --json
`
