/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/show/outcome.test.js > TAP > a command that nobody waits for is only accepted > accepted 1`] = `
✔ api: reload accepted; \`nodecluster describe api\` shows its outcome.
`

exports[`test/show/outcome.test.js > TAP > a failure shows the last lines of the worker, masked > failure 1`] = `
✖ api: reload failed; 2 workers run the old version.
  api:1: exit code 1
    | Error: no \\x07
  Fix it and repeat the whole command.
`

exports[`test/show/outcome.test.js > TAP > a reload that fails half-way says which workers run what > kept 1`] = `
✖ api: reload failed; 1 worker runs the old version; 2 workers run the new version.
  api:2: exit code 1
  Fix it and repeat the whole command.
`

exports[`test/show/outcome.test.js > TAP > a reload that fails half-way says which workers run what > nothing runs 1`] = `
✖ api: reload failed; no worker is online.
  api:2: exit code 1
  Fix it and repeat the whole command.
`

exports[`test/show/outcome.test.js > TAP > a reload that fails half-way says which workers run what > rolled back 1`] = `
✖ api: reload failed; 1 worker runs the old version; 2 workers rolled back.
  api:2: exit code 1
  Fix it and repeat the whole command.
`

exports[`test/show/outcome.test.js > TAP > apply of what has been lost since > apply of what has been lost since 1`] = `
✔ api: ran already; no worker is online now.
`

exports[`test/show/outcome.test.js > TAP > apply of work that is done > apply of work that is done 1`] = `
✔ api: has done its work.
`

exports[`test/show/outcome.test.js > TAP > failed reload of an app that is emptied first > failed reload of an app that is emptied first 1`] = `
✖ api: reload failed; 1 worker runs the old version; 1 worker rolled back.
  api:0: exited with code 1
  Fix it and repeat the whole command.
`

exports[`test/show/outcome.test.js > TAP > reload > reload 1`] = `
✔ api: 2 workers replaced in 2.4s, never fewer than 2 ready.
`

exports[`test/show/outcome.test.js > TAP > reload beside a stopped worker > reload beside a stopped worker 1`] = `
✔ api: 1 worker replaced in 2.4s, never fewer than 1 ready; 1 of 2 workers still stopped (\`nodecluster start api\` starts all).
`

exports[`test/show/outcome.test.js > TAP > reload of what listens on nothing > reload of what listens on nothing 1`] = `
✔ api: 2 workers replaced in 2.4s.
`

exports[`test/show/outcome.test.js > TAP > reload that adds workers > reload that adds workers 1`] = `
✔ api: 2 workers replaced, 2 added in 2.4s.
`

exports[`test/show/outcome.test.js > TAP > reload that left none ready for a while > reload that left none ready for a while 1`] = `
✔ api: 2 workers replaced in 2.4s.
`

exports[`test/show/outcome.test.js > TAP > reset > reset 1`] = `
✔ api: 2 workers reset to 0 restarts.
`

exports[`test/show/outcome.test.js > TAP > reset of what does not run > reset of what does not run 1`] = `
✔ api: restart counters reset; it is not running.
`

exports[`test/show/outcome.test.js > TAP > resume of one of two > resume of one of two 1`] = `
✔ api: 2 workers online in 300ms.
`

exports[`test/show/outcome.test.js > TAP > run of a job that fails > run of a job that fails 1`] = `
✖ api: run failed.
  api:0: exited with code 1
`

exports[`test/show/outcome.test.js > TAP > scale > scale 1`] = `
✔ api: scaled in 1.0s.
`

exports[`test/show/outcome.test.js > TAP > scale of what is stopped, and its spare > scale of what is stopped, and its spare 1`] = `
✔ api: scaled to 2 workers in 1.0ms; all still stopped (\`nodecluster start api\` starts all).
`

exports[`test/show/outcome.test.js > TAP > scale that changes nothing > scale that changes nothing 1`] = `
✖ api: scale failed.
  api: the disk is full [E_HOME_WRITE]
`

exports[`test/show/outcome.test.js > TAP > scale that fails > scale that fails 1`] = `
✖ api: scale failed for 1 of 2 workers; the app now has 4 workers (\`nodecluster scale api 2\` undoes that).
  api:3: exit code 1
`

exports[`test/show/outcome.test.js > TAP > start > start 1`] = `
✔ api: 2 workers online in 312ms.
`

exports[`test/show/outcome.test.js > TAP > start from a shell with other variables > start from a shell with other variables 1`] = `
✔ api: 2 workers online in 312ms.
  It keeps its variables. Different in this shell: DATABASE_URL, PORT. To take them: \`nodecluster reload api --update-env\`; \`--set-env NAME-\` removes one.
`

exports[`test/show/outcome.test.js > TAP > start of a program that ends by itself > start of a program that ends by itself 1`] = `
✖ api: start failed.
  api:0: exited with code 0
    If it has done its work: \`nodecluster restart api --no-autorestart\`, or set stop_exit_codes to 0.
`

exports[`test/show/outcome.test.js > TAP > start of a server > start of a server 1`] = `
✔ api: 2 workers online on http://localhost:3000, port 9000 in 312ms.
`

exports[`test/show/outcome.test.js > TAP > start of what does not listen > start of what does not listen 1`] = `
✔ api: 2 workers online in 10.0s.
  api:0, api:1: runs, but listens on no TCP port
`

exports[`test/show/outcome.test.js > TAP > start of what is in backoff, and runs again > start of what is in backoff, and runs again 1`] = `
✔ api: 2 workers online in 312ms.
`

exports[`test/show/outcome.test.js > TAP > start of what is not tried again > start of what is not tried again 1`] = `
✖ api: start failed.
  api:0: exited with code 1
`

exports[`test/show/outcome.test.js > TAP > start of what keeps crashing > start of what keeps crashing 1`] = `
✖ api: not all workers are online.
  api:3: exit code 1
`

exports[`test/show/outcome.test.js > TAP > start of what runs > start of what runs 1`] = `
✔ api: already running; \`nodecluster reload api\` loads new code.
`

exports[`test/show/outcome.test.js > TAP > start of what was not ready in time > start of what was not ready in time 1`] = `
✖ api: start failed.
  api:0: did not call process.send('ready') (wait_ready)
    Give it longer with \`--listen-timeout\`, or start it without \`--wait-ready\`.
`

exports[`test/show/outcome.test.js > TAP > start of work that a recovery has done > start of work that a recovery has done 1`] = `
✔ api: has done its work.
`

exports[`test/show/outcome.test.js > TAP > start on a port of root > start on a port of root 1`] = `
✖ api: start failed.
  api:0: could not listen on port 80: only root may (EACCES)
    Run it by root with \`uid\` and \`privileged_ports: 80\`, lower the sysctl net.ipv4.ip_unprivileged_port_start, or use a port above 1023 behind a proxy such as nginx.
    | Error: bind EACCES null:80
`

exports[`test/show/outcome.test.js > TAP > start on a port that is in use > start on a port that is in use 1`] = `
✖ api: start failed.
  api:0: could not listen on port 3000: in use by api
    Give it another port (\`--set-env PORT=…\`, if the program reads PORT), or free this one.
`

exports[`test/show/outcome.test.js > TAP > start on a socket that is left > start on a socket that is left 1`] = `
✖ api: start failed.
  api:0: could not listen on /run/\\x1b]0;x\\x07: in use
    If no program listens there any more, type: rm '/run/\\x1b]0;x\\x07'
`

exports[`test/show/outcome.test.js > TAP > start, and one has exited > start, and one has exited 1`] = `
✔ api: 2 workers started in 500ms.
`

exports[`test/show/outcome.test.js > TAP > stop > stop 1`] = `
✔ api: 1 worker stopped in 100ms.
`

exports[`test/show/outcome.test.js > TAP > stop of what does not run > stop of what does not run 1`] = `
✔ api: was already stopped.
`

exports[`test/show/outcome.test.js > TAP > stop of what waits for its next try > stop of what waits for its next try 1`] = `
✔ api: 2 workers stopped in 1.0ms.
`

exports[`test/show/outcome.test.js > TAP > stop that killed a worker > stop that killed a worker 1`] = `
✔ api: 2 workers stopped in 1.7s.
  1 worker was killed after kill_timeout (1.6s): it, or what it left, did not exit on SIGTERM.
`

exports[`test/show/outcome.test.js > TAP > workers that did not run keep no version; equal failures are listed once > down 1`] = `
✖ api: reload failed.
  api:0: exit code 1
    | no
  api:1, api:2: the same
  Fix it and repeat the whole command.
`

exports[`test/show/outcome.test.js > TAP > workers that did not run keep no version; equal failures are listed once > one was online 1`] = `
✖ api: reload failed; 1 worker runs the old version.
  api:0: exit code 1
    | no
  api:1, api:2: the same
  Fix it and repeat the whole command.
`
