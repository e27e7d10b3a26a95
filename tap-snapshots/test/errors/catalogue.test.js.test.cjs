/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/errors/catalogue.test.js > TAP > each sentence reads as it must, and has all that it needs > catalogue 1`] = `
E_INTERNAL (exit 1)
nodecluster failed unexpectedly: <detail>
This is a bug in nodecluster. Please report it with the text above.

E_FLAG_INVALID (exit 2)
--instances: must be at least 1, not 0
The command with \`--help --all\` says what each option takes.

E_REQUEST_INVALID (exit 2)
The daemon received a request that it does not understand: <what>.
Use the version of nodecluster that started the daemon; \`nodecluster ping\` shows it.

E_NAME_TWICE (exit 2)
Could not start these programs: two of them would be named <name>.
Start them one by one, each with its own --name.

E_SELECTOR_REGEX (exit 2)
<selector> is not a valid regular expression: <reason>.
Correct it, and quote it for the shell: \`nodecluster ls "/^api/"\`.

E_SCALE_COUNT (exit 2)
Cannot scale <app> from <present> to "<instances>": give 1 to 1000, max, +N or -N.
To stop all its workers and keep the app: \`nodecluster stop <app>\`.

E_SEVERAL_RUNS (exit 2)
\`nodecluster run\` is running here 2 times, so it is not clear which one is meant.
Name one with NODECLUSTER_HOME: /dev/shm/run-a, /dev/shm/run-b

E_USAGE (exit 2)
<detail>.
See \`nodecluster --help\`.

E_USAGE (exit 2)
<detail>.
Did you mean --watch? See \`nodecluster start --help\`.

E_USAGE (exit 2)
<detail>.
Options for the program itself go after --. See \`nodecluster <command> --help\`.

E_USAGE (exit 2)
<detail>.
<advice>

E_PM2_ONLY (exit 2)
nodecluster does not have <word>. <advice>
(no hint)

E_NOTHING_NAMED (exit 2)
Nothing to start: you named no app, and <directory> has no ecosystem file.
Name a program (\`nodecluster start app.js\`, or \`nodecluster start .\` for that of a package.json), or create a file with \`nodecluster init\`.

E_NOTHING_NAMED (exit 2)
Nothing to stop: you named no app, and <directory> has no ecosystem file.
Name apps or worker ids, or use \`nodecluster stop all\`.

E_NOTHING_NAMED (exit 2)
Nothing to apply: you named no file, and <directory> has no ecosystem file.
Name a file, or create one with \`nodecluster init\`.

E_MIXED_TARGETS (exit 2)
The ecosystem file <file> cannot be combined with other targets.
Give only the file (--only a,b limits it to those apps), or only names: \`nodecluster <command> a b\`.

E_OPTION_NEEDS_FILE (exit 2)
<option> only works with an ecosystem file.
Name the file: \`nodecluster <command> ecosystem.yml\`.

E_OPTION_NEEDS_FILE (exit 2)
--env only works with an ecosystem file.
Name the file: \`nodecluster start ecosystem.yml\`. Without a file, \`--set-env NODE_ENV=production\` sets a variable.

E_CONFIG_UNREADABLE (exit 3)
Could not read <file>: <reason>.
<advice>

E_CONFIG_EMPTY (exit 3)
<file> does not define any apps.
A script must export them. \`nodecluster init\` writes an example in YAML.

E_CONFIG_SYNTAX (exit 3)
<file>:<line>:<column> is not valid <language>: <reason>
<excerpt>
Nothing was changed.

E_CONFIG_SYNTAX (exit 3)
<file> is not valid <language>: <reason>
Nothing was changed.

E_CONFIG_PACKAGE (exit 3)
<file> describes a package, not apps.
Start the program of the package with \`nodecluster start .\`, or write an ecosystem file with \`nodecluster init\`.

E_CONFIG_SCRIPT_FAILED (exit 3)
<file>:<line> threw an error: <reason>
nodecluster runs this file to get its apps. Correct it; \`node <file>\` may show more.

E_CONFIG_INVALID (exit 3)
<file> has an error:
  <file>:3:5 instances: must be at least 1, not 0
Nothing was changed. <package>/docs/reference/configuration.md describes every option.

E_CONFIG_INVALID (exit 3)
<file> has an error:
  <file>:3:5 nmae: unknown key
Nothing was changed. <package>/docs/reference/configuration.md describes every option.

E_CONFIG_INVALID (exit 3)
<file> has 2 errors:
  <file>:3:5 instances: must be at least 1, not 0
  <file>: no apps
Nothing was changed. <package>/docs/reference/configuration.md describes every option.

E_CONFIG_ENV_UNKNOWN (exit 4)
--env <name> needs env_<name>, and no app in <file> has one; did you mean env_api or env_web?
(no hint)

E_CONFIG_APP_UNKNOWN (exit 4)
<file> has no app named api or web. Its apps are: api, web.
(no hint)

E_CANNOT_RUN (exit 4)
Could not start the app: there is no /srv/a.js.
(no hint)

E_APP_UNKNOWN (exit 4)
There is no app "<selector>". The apps are: api, web.
Did you mean <nearest>?

E_APP_UNKNOWN (exit 4)
There is no app "<selector>". The apps are: api, web.
\`nodecluster ls\` shows names and worker ids.

E_APP_UNKNOWN (exit 4)
There is no app "<selector>": this home directory has no apps.
Start one with \`nodecluster start app.js -i max\`.

E_WORKER_UNKNOWN (exit 4)
There is no worker <selector>.
\`nodecluster ls\` shows names and worker ids.

E_WORKER_UNKNOWN (exit 4)
There is no worker <selector>. The workers are: api:0, api:1.
\`nodecluster ls\` shows names and worker ids.

E_APP_DELETED (exit 4)
<app> was deleted while this command waited for its turn.
To run it again, start its program or its file.

E_APP_DELETED (exit 4)
<app> was renamed to web while this command waited for its turn.
\`nodecluster ls\` shows those that are left.

E_APP_DELETED (exit 4)
api:1 was deleted while this command waited for its turn.
\`nodecluster ls\` shows those that are left.

E_APP_DELETED (exit 4)
api:1, api:2 were deleted while this command waited for its turn.
\`nodecluster ls\` shows those that are left.

E_NEITHER_FILE_NOR_APP (exit 4)
<directory> has no file <word>, and no app has that name.
<word> is a command. Run it with \`nodecluster start "<line>"\`.

E_NEITHER_FILE_NOR_APP (exit 4)
<directory> has no file <word>, and no app has that name.
<word> is a command. Run it with \`nodecluster start <word> --interpreter none\`.

E_NEITHER_FILE_NOR_APP (exit 4)
<directory> has no file <word>, and no app has that name.
Did you mean <nearest>?

E_NEITHER_FILE_NOR_APP (exit 4)
<directory> has no file <word>, and no app has that name.
(no hint)

E_NO_APPS (exit 4)
Nothing to do: <home> has no apps.
Start one with \`nodecluster start app.js -i max\`.

E_NO_APPS (exit 4)
Nothing to do: <home> has none of the apps in <file>.
Start them with \`nodecluster start <file>\`.

E_NO_PROGRAM (exit 4)
Could not tell which program in <directory> to run: it has no <program>.
Name its file, as in \`nodecluster init shop.js\`, or set \`main\` in package.json.

E_NO_PROGRAM (exit 4)
Could not tell which program in <directory> to run.
Name its file, as in \`nodecluster init shop.js\`, or set \`main\` in package.json.

E_NONE_RUNS (exit 4)
No app of <home> is running, so no file was written.
Start the apps first: \`nodecluster start all\`.

E_LOG_NONE (exit 4)
<home> has no daemon.log: no daemon has run there.
Set NODECLUSTER_HOME to use another home directory.

E_APP_STOPPED (exit 5)
<app> was stopped while this command waited for its turn.
\`nodecluster start <app>\` starts it.

E_APP_KILLED (exit 5)
\`nodecluster kill\` stopped <app> before the command was done.
\`nodecluster resurrect\` starts what it stopped.

E_DEPENDENCY_FAILED (exit 5)
<dependency> failed, and <app> depends on it, so <app> was not touched.
Repair <dependency>, then repeat the command.

E_DEPENDENCY_FAILED (exit 5)
<dependency> failed (<reason>), and <app> depends on it, so <app> was not started yet.
Repair <dependency>, then <app> starts by itself.

E_DEPENDENCY_FAILED (exit 5)
<dependency> was deleted, and <app> depends on it, so <app> was not started yet.
Start <dependency>, then <app> starts by itself.

E_PRIMARY_START (exit 5)
The primary process of <app> <reason>.
Its log is <log>. The daemon keeps trying.

E_PRIMARY_START (exit 5)
The primary process of <app> <reason>.
Raise the limits of open files and of processes (\`ulimit -n\` and \`-u\`, or LimitNOFILE and TasksMax of a systemd unit). The daemon keeps trying.

E_PRIMARY_START (exit 5)
The primary process of <app> <reason>.
Free some space. The daemon keeps trying.

E_PRIMARY_GONE (exit 5)
The primary process of <app> exited before the command was done.
The daemon starts it again. Its log is <log>.

E_INPUT_CLOSED (exit 5)
Worker <name> does not run, so it reads no input.
\`nodecluster logs <name>\` shows its output.

E_INPUT_CLOSED (exit 5)
Worker <name> has siblings, so it has no stdin.
With one instance (-i 1), or with --exec-mode fork, its stdin is open.

E_INPUT_CLOSED (exit 5)
Could not write to the stdin of worker <name>: its program has closed it, or reads that of \`nodecluster run\`.
\`nodecluster logs <name>\` shows its output.

E_INPUT_UNREAD (exit 5)
Worker <name> does not read its stdin: earlier input is still waiting there, so this was not written.
Its program may be busy, or reads no input; \`nodecluster logs <name>\` shows its output.

E_MESSAGE_UNHEARD (exit 5)
No worker of api, web has received the message.
Only online workers can receive messages, and in fork mode only with \`--interpreter node\`. One whose event loop is blocked may receive it later.

E_SIGNAL_UNSENT (exit 5)
Could not send <signal> to any worker of api, web.
\`nodecluster ls\` shows why no worker is running.

E_UPDATE_ENDED (exit 5)
<app> was not updated, since the update of <failed> failed.
It runs on as before. Repeat \`nodecluster update --apps\` when the cause is removed.

E_SECOND_PRIMARY (exit 5)
The primary of <app> was not replaced, and the first one keeps serving: <reason>
Its log is <log>.

E_PROTOCOL_VERSION (exit 6)
This command (nodecluster 2.0.0, protocol 2) and the running daemon (nodecluster 1.0.0, protocol 1, pid 4100) have no protocol in common.
\`nodecluster update\` replaces that daemon with the installed version; the apps keep running. Until then ls, stop, delete and kill work.

E_PROTOCOL_VERSION (exit 6)
The daemon (nodecluster 2.0.0, protocol 2) and the running primary (nodecluster 1.0.0, protocol 1, pid 4100) have no protocol in common.
\`nodecluster update --apps\` replaces that primary with the installed version; the apps keep running. Until then ls, stop, delete and kill work.

E_PROTOCOL_CLIENTS (exit 6)
Too many clients: <maxClients> are already connected.
Wait until a running command ends, or end one, then try again.

E_PROTOCOL_CLIENTS (exit 6)
Too many clients: <maxClients> are already connected.
Wait until a running command ends, or end one, then try again. \`ls\`, \`stop\`, \`delete\` and \`kill\` work even now.

E_PROTOCOL_REQUESTS (exit 6)
Too many requests: <maxRequests> from this client are already waiting for a reply.
(no hint)

E_PROGRAM_CHANGED (exit 6)
Could not replace the workers of app <app>: its command, read again from package.json, no longer starts one Node program: <reason>.
The old workers keep serving. Correct package.json and repeat the command. If it is right as it is: \`nodecluster delete <app>\`, then start it again.

E_APP_EXISTS (exit 6)
App api already runs /srv/api.js.
New code: \`nodecluster reload api\`. New settings: the same with options, such as \`nodecluster reload api -i 4\`. A second copy: \`--name <other>\`.

E_APP_EXISTS (exit 6)
App api already runs /srv/api.js, with other settings: instances.
New code: \`nodecluster reload api\`. New settings: the same with options, such as \`nodecluster reload api -i 4\`. A second copy: \`--name <other>\`.

E_APP_EXISTS (exit 6)
App api already runs /srv/api.js, with other settings: cwd, env.A, args, watch, env.B, and 1 more.
New code: \`nodecluster reload api\`. New settings: the same with options, such as \`nodecluster reload api -i 4\`. A second copy: \`--name <other>\`.

E_APP_EXISTS (exit 6)
App api already exists, with the settings of /srv/a.yml.
Start it with \`nodecluster start api\`, or a second copy with \`--name <other>\`.

E_APP_EXISTS (exit 6)
App api already exists and is another program: /old/api.js, not /srv/api.js.
Give this one another name: \`--name <other>\`.

E_NAME_TAKEN (exit 6)
Could not rename the app: there is another one called <name>.
Choose another name; \`nodecluster ls\` shows those that are taken.

E_APP_BUSY (exit 6)
<app> is busy: a <doing> is in progress.
Wait until it ends; \`nodecluster describe <app>\` shows its progress.

E_APP_BUSY (exit 6)
<app> is busy: <waiting> commands are waiting for their turn.
Wait until some of them are done.

E_DAEMON_ENDING (exit 6)
The command was not carried out: the daemon is shutting down.
Repeat the command: it starts a new daemon.

E_PRIMARY_USER (exit 6)
<app> has \`uid\` <uid>, but its primary runs as another user.
Restart it: \`nodecluster restart <app>\`.

E_SCALE_FORK (exit 6)
App <app> can have only one worker, because <reason>.
Start the Node program itself, which can share its port, or, if it serves no port, use --exec-mode fork.

E_SCALE_RANGE (exit 6)
Cannot scale <app> to <count>: it scales itself between <min> and <max> workers.
For a fixed number, use \`nodecluster reload <app> -i <count>\`; other limits belong in \`instances\` of its file.

E_FILE_EXISTS (exit 6)
<file> already exists and was not changed.
Edit it, rename it, or replace it with \`--force\`.

E_FILE_EXISTS (exit 6)
<file> already exists and was not changed.
Remove it, or name another file with \`--output\`.

E_LOG_OF_USER (exit 6)
Could not empty the log files of <app>: it is stopped, and they belong to another user.
Start it first: \`nodecluster start <app>\`.

E_LOG_TIMELESS (exit 6)
--since needs the time of each line, and the lines in <path> have none.
Set \`log_type: text\` and \`time: true\` for <app> (with the date, if you set log_date_format), or use --lines.

E_DAEMON_RUNS (exit 6)
Another daemon runs for <home> (pid <pid>).
It keeps the apps running in the background. \`nodecluster startup\` hands them over to the init system.

E_DAEMON_RUNS (exit 6)
Another daemon, started by an init system, runs for <home> (pid <pid>).
Two services use the same home directory: \`nodecluster unstartup\` removes one.

E_UPDATE_FOREGROUND (exit 6)
These apps belong to \`nodecluster run\` (pid <pid>), which ends with them, so no other daemon can take over.
Replace the container, or stop it and start it with the new version.

E_UPDATE_OTHER_COMMAND (exit 6)
The service of this home directory runs another command than this one. Nothing was changed.
  the service: <node> <cli>
  this one:    <ownNode> <ownCli>
To make the service run this command, repeat the \`nodecluster startup\` that installed it. To update the command of the service: \`<node> <cli> update\`.

E_PRIMARY_STAYS (exit 6)
The primary of <app> was not replaced: its socket <address> cannot be handed over.
To replace it with an interruption: \`nodecluster stop <app> && nodecluster start <app>\`.

E_PROTOCOL_SOCKET (exit 7)
Could not listen on <socket> (<reason>).
Check whether a process uses that path, and whether you can write to its directory.

E_END_UNWRITTEN (exit 7)
The stop is done, but could not be saved to <file>: <reason>
Free some space, and the daemon saves it. A daemon that starts before that starts what ran.

E_END_UNWRITTEN (exit 7)
The delete is done, but could not be saved to <file>: <reason>
Free some space, and the daemon saves it. A daemon that starts before that starts what ran.

E_FILE_UNTRUSTED (exit 7)
nodecluster does not use the file <file>: <reason>.
Remove it, or name a file in a directory that no other user can write.

E_USER_ACCESS (exit 7)
<app> cannot run as <user>: that user has no access to <path>.
Node.js, nodecluster and the program must be where that user can read them, such as /usr/local and /srv, not in the home directory of root.

E_USER_GROUP (exit 7)
<app> cannot run as user <uid>: there is no account that names its group.
Set \`gid\` too, or use a user of this machine.

E_PRIVILEGED_PORT (exit 7)
Could not start <app>, because the daemon <reason>.
Free that port, or remove it from \`privileged_ports\`.

E_LOG_FILE (exit 7)
Could not open the log file <file> (<reason>).
Apps keep running. Check the permissions of the file and its directory, or name another file.

E_HOME_UNUSABLE (exit 7)
Could not use the home directory <directory>: <reason>.
Set NODECLUSTER_HOME to the path of a directory of your own.

E_NO_WRITABLE_DIRECTORY (exit 7)
\`run\` needs a directory for its sockets, and could write to none of: /dev/shm (EROFS), /tmp (EROFS).
Mount a small tmpfs at /dev/shm or /tmp, or set XDG_RUNTIME_DIR to a directory that you can write to.

E_HOME_FOREIGN (exit 7)
<directory> belongs to user <owner>, but you are user <uid>.
Give the command as that user (\`sudo -u '#<owner>' nodecluster …\`), or set NODECLUSTER_HOME to a directory of your own.

E_HOME_OPEN (exit 7)
Other users can access <directory> (mode <mode>), so they could control your apps.
Make it private with \`chmod 700 <directory>\`.

E_HOME_WRITE (exit 7)
Could not write <file>: <reason>
Nothing on disk was changed. Free some space, or check the permissions.

E_HOME_READ (exit 7)
Could not read <file>: <reason>
Keep it: it lists your apps. Check its permissions; if a newer nodecluster wrote it, use that one.

E_HOME_LOCK (exit 7)
Could not tell whether a daemon runs in <home>: <reason>
Nothing was started. Check the disk and the permissions, then try again.

E_NO_TERMINAL (exit 7)
<command> needs a terminal, and stdin or stdout is not one.
Use \`watch nodecluster ls\`, or \`nodecluster metrics\` for monitoring.

E_NO_TERMINAL (exit 7)
<command> cannot draw on this terminal (TERM=dumb).
Use \`watch nodecluster ls\`, or \`nodecluster metrics\` for monitoring.

E_FILE_UNWRITABLE (exit 7)
Could not remove <file> (<reason>).
Check that its directory exists, its permissions, and the free space.

E_LOG_MISSED (exit 7)
Could not read 1 rotated log file of <app> (deleted).
(no hint)

E_LOG_MISSED (exit 7)
Could not read 2 rotated log files of <app> (deleted).
(no hint)

E_LISTEN (exit 7)
Could not listen on <address>: in use by another process.
Choose another address or port after --listen.

E_LISTEN (exit 7)
Could not listen on <address>: in use by <holder>.
Choose another address or port after --listen.

E_LISTEN (exit 7)
Could not listen on <address>: you do not have permission to use that port.
Choose another address or port after --listen.

E_LISTEN (exit 7)
Could not listen on <address>: this machine does not have that address.
Choose another address or port after --listen.

E_LISTEN (exit 7)
Could not listen on <address>: no host has that name.
Choose another address or port after --listen.

E_LISTEN (exit 7)
Could not listen on <address>: EINVAL.
Choose another address or port after --listen.

E_OUTPUT (exit 7)
Could not write the result to stdout (<reason>).
The command itself was carried out. Check the disk, or where stdout goes.

E_DAEMON_NOT_RUNNING (exit 8)
No daemon is running for <home>.
If there are apps, \`nodecluster ls\` starts it; otherwise the first app does: \`nodecluster start app.js\`.

E_DAEMON_SILENT (exit 8)
The daemon of <home> (pid <pid>) does not answer. The apps keep running.
If a signal stopped it, \`kill -CONT <pid>\` lets it go on. If an app runs, a primary replaces it after about 15 s. \`kill -9 <pid>\` ends it at once, and the next command starts another one, which adopts the apps.

E_DAEMON_SILENT (exit 8)
The daemon of <home> does not answer. The apps keep running.
Repeat the command. Its log is <log>.

E_DAEMON_SILENT (exit 8)
No daemon is running for <home>: another program holds <socket>, and does not answer.
Repeat the command, or move <socket> away. Its log is <log>.

E_DAEMON_START (exit 8)
The daemon did not start: <reason>.
Its log is <log>.

E_DAEMON_START (exit 8)
The daemon did not start: <reason>.
  | one
  | two
Its log is <log>.

E_PROTOCOL_UNREACHABLE (exit 8)
Could not connect to <socket> (<reason>).
The process behind it is not running, or is just starting. Try again.

E_PROTOCOL_TIMEOUT (exit 8)
No reply to <what> within <ms> ms.
It may be busy, or stopped by SIGSTOP. \`nodecluster logs --daemon\` may show why.

E_PROTOCOL_CLOSED (exit 8)
The connection closed before the reply to <method> arrived.
Check with \`nodecluster ls\` what was done, then repeat the command.

E_PROTOCOL_FRAME (exit 8)
Received an invalid message: <reason>.
(no hint)

E_PROTOCOL_FRAME_SIZE (exit 8)
A message is longer than <maxBytes> bytes.
(no hint)

E_PROTOCOL_METHOD (exit 8)
There is no method "<method>".
(no hint)

E_PROTOCOL_PARAMS (exit 8)
The parameter <key> of <method> is missing or not valid.
(no hint)

E_DAEMON_EXITS (exit 8)
The daemon is shutting down and did not finish the command on <app>.
The next daemon completes or undoes it; \`nodecluster ls\` shows the state.

E_DAEMON_LOST (exit 8)
The connection to the daemon broke before it replied to <method>, so the outcome of the command is not known.
This daemon, or the next one, completes what had begun, or undoes it. \`nodecluster ls\` shows the state; then repeat the command if necessary.

E_PRIMARY_REPORT (exit 8)
The primary process of <app> sent a report that is not valid (<what>).
If that happens again, \`nodecluster delete <app>\` stops the app and removes it.

E_PRIMARY_REPORT (exit 8)
The primary process sent a report that is not valid (<what>).
\`nodecluster kill\`, then \`nodecluster resurrect\` runs its apps on this version.

E_PRIMARY_SILENT (exit 8)
The primary process of <app> (pid <pid>) is running but does not answer: <reason>
The app may still be serving, and the daemon keeps trying to reach it. It replaces a primary that is frozen; \`kill -9 <pid>\` makes it do so at once.

E_PRIMARY_UNCLEAR (exit 8)
The daemon could not find out whether <app> has a primary process: <reason>
The app may be serving, so it is not started again. The daemon keeps trying; \`nodecluster describe <app>\` shows the reason.

E_PRIMARY_LOST (exit 8)
The connection to the primary process of <app> was lost, so it is not known how the command ended.
The app is still running: \`nodecluster describe <app>\` shows its state.

E_UPDATE_FAILED (exit 8)
The installed version could not take over: <reason>.
  | x is not defined
nodecluster 1.0.0 (pid 4100) manages the apps.
Its log is <log>.

E_UPDATE_FAILED (exit 8)
The installed version could not take over: <reason>.
No daemon is running. The apps keep running.
Its log is <log>.

E_UPDATE_FAILED (exit 8)
The installed version could not take over: <reason>.
It is not known whether a daemon is running. The apps keep running.
The log of the service says why. \`nodecluster startup\` installs it again.

E_CANARY (exit 6)
<app> was not reloaded, because a canary cannot be judged: its new workers cannot serve beside the old ones.
Reload it without --canary.

E_SCALE_JOB (exit 2)
Cannot scale <app>: a job runs one process at a time.
For a second process at the same times, start the program again with another --name.

E_NOT_A_JOB (exit 6)
App <app> is not a job: it has no schedule.
\`nodecluster restart <app>\` runs its program again.

E_JOB_STOPPED (exit 6)
Could not run job <app>: it is stopped.
Start it with \`nodecluster start <app>\`, then repeat the command.

E_JOB_RUNS (exit 6)
Job <app> was not touched: its last run has not ended.
Wait until it has ended, or stop it with \`nodecluster restart <app>\`. With \`overlap: replace\`, a new run stops the last one.

E_INSPECT (exit 5)
Could not inspect <app>:<slot>: it <reason>.
\`nodecluster why <app>:<slot>\` shows where it is blocked, or what else is wrong.

E_PROFILE_SELECTOR (exit 2)
Cannot profile <selector>: profile takes one worker, not <count>.
Name one of them: \`nodecluster profile <worker> --cpu 10s\`.

E_PROFILE_LOST (exit 5)
The profile of <app>:<slot> is not complete, so no file was written: <reason>.
\`nodecluster why <app>:<slot>\` shows whether it is blocked, \`nodecluster describe <app>\` whether it was replaced.

E_PM2_FAILED (exit 5)
\`pm2 stop 0\` failed: <reason>
\`pm2 ls\` and \`nodecluster ls\` show what runs where.

E_PM2_NOT_FOUND (exit 4)
Nothing to import: <reason>.
Start the apps in PM2, set PM2_HOME, or name a dump: \`nodecluster import /path/to/dump.pm2\`.

E_USER_UNKNOWN (exit 4)
This machine has no user "<user>".
Name the user that owns the apps: \`nodecluster startup --user deploy\`.

E_PROVE_DOWN (exit 6)
<app> was not touched: it is <status>, and prove needs an app that is online.
\`nodecluster describe <app>\` shows more.

E_PROVE_DOWN (exit 6)
<app> was not touched: a <busy> is in progress.
\`nodecluster describe <app>\` shows more.

E_PROVE_ANSWER (exit 6)
<app> was not touched: it does not answer every request to <url> (ECONNRESET, status 503).
Give the URL of something that answers GET over HTTP/1.1, such as \`--url /status\`.

E_PROVE_ELSEWHERE (exit 6)
<app> was not touched: most of <requests> requests to <url> were answered by something else.
Give a URL that leads to the app, and not to a cache in front of it.

E_LINGER (exit 6)
Without lingering, systemd starts the units of <user> at login, not at boot, and stops them at logout.
Type \`loginctl enable-linger <user>\` (with sudo if that is refused), then repeat this command.

E_OTLP_PACKAGES (exit 7)
Could not export metrics: the package <name> is not installed.
Run \`npm install a b\` in this directory, or add -g if nodecluster is installed globally.

E_OTLP_PACKAGES (exit 7)
Could not load the package <name>, which exports metrics: <reason>.
Run \`npm install a\` in this directory, or add -g if nodecluster is installed globally.

E_WEB_UNBUILT (exit 7)
The page is not built here (<reason>).
The published package has it; in a checkout, \`npm install\` brings what builds it.

E_NO_INIT_SYSTEM (exit 7)
This machine does not run systemd, launchd or OpenRC.
To start the apps at boot from cron, type \`crontab -e\` and add this line: \`@reboot <atBoot>\`. To print a unit for another machine, name its init system: \`nodecluster startup systemd --print\`.

E_NO_INIT_SYSTEM (exit 7)
This machine does not run OpenRC.
To start the apps at boot from cron, type \`crontab -u <user> -e\` and add this line: \`@reboot <atBoot>\`. To print a unit for another machine, name its init system: \`nodecluster startup systemd --print\`.

E_NO_INIT_SYSTEM (exit 7)
This machine does not run systemd, launchd or OpenRC.
For a service of one of them, name it: \`nodecluster unstartup systemd\`.

E_SERVICE (exit 7)
\`<command>\` failed: <reason>
\`<log>\` may show why. The apps were not touched.
`
