/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/cli/program.test.js > TAP > app.js -i 4 is rejected > detail 1`] = `
Unknown command 'app.js'
`

exports[`test/cli/program.test.js > TAP > delete eco.yml --only  is rejected > detail 1`] = `
Option '--only <names>' argument '' is invalid. It names no app
`

exports[`test/cli/program.test.js > TAP > delete eco.yml --only ,, is rejected > detail 1`] = `
Option '--only <names>' argument ',,' is invalid. It names no app
`

exports[`test/cli/program.test.js > TAP > describe is rejected > detail 1`] = `
Missing required argument 'apps'
`

exports[`test/cli/program.test.js > TAP > events --since 2h --until 3h is rejected > detail 1`] = `
--since is later than --until
`

exports[`test/cli/program.test.js > TAP > help relod is rejected > detail 1`] = `
Unknown command 'relod'
`

exports[`test/cli/program.test.js > TAP > kil is rejected > detail 1`] = `
Unknown command 'kil'
`

exports[`test/cli/program.test.js > TAP > kill -- api is rejected > detail 1`] = `
Too many arguments for 'kill'. Expected 0 arguments but got 1
`

exports[`test/cli/program.test.js > TAP > logs --since 2h --until 3h is rejected > detail 1`] = `
--since is later than --until
`

exports[`test/cli/program.test.js > TAP > logs web --timestamp=YYYY is rejected > detail 1`] = `
Unknown option '--timestamp=YYYY'
`

exports[`test/cli/program.test.js > TAP > ls --jsno is rejected > detail 1`] = `
Unknown option '--jsno'
`

exports[`test/cli/program.test.js > TAP > ls --log-file x is rejected > detail 1`] = `
Unknown option '--log-file'
`

exports[`test/cli/program.test.js > TAP > ping more is rejected > detail 1`] = `
Too many arguments for 'ping'. Expected 0 arguments but got 1
`

exports[`test/cli/program.test.js > TAP > profile api:0 --cpu 10 is rejected > detail 1`] = `
Option '--cpu <duration>' argument '10' is invalid. It must be a duration from 10ms to 1h, such as 10s
`

exports[`test/cli/program.test.js > TAP > reload api --canary 1 --for 10 is rejected > detail 1`] = `
Option '--for <duration>' argument '10' is invalid. It must be a duration such as 30s or 10m
`

exports[`test/cli/program.test.js > TAP > reload api --on-failure explode is rejected > detail 1`] = `
Option '--on-failure <action>' argument 'explode' is invalid. It must be keep or rollback
`

exports[`test/cli/program.test.js > TAP > reload api --parallel 0 is rejected > detail 1`] = `
Option '--parallel <n>' argument '0' is invalid. It must be a number from 1 up
`

exports[`test/cli/program.test.js > TAP > reload api --parallel two is rejected > detail 1`] = `
Option '--parallel <n>' argument 'two' is invalid. It must be a number from 1 up
`

exports[`test/cli/program.test.js > TAP > reload eco.yml --only a --prune is rejected > detail 1`] = `
Unknown option '--prune'
`

exports[`test/cli/program.test.js > TAP > reload web --no-watch is rejected > detail 1`] = `
Unknown option '--no-watch'
`

exports[`test/cli/program.test.js > TAP > restart --dry-run is rejected > detail 1`] = `
Unknown option '--dry-run'
`

exports[`test/cli/program.test.js > TAP > restart api --stop-exit=0 1 is rejected > detail 1`] = `
--stop-exit takes one list, not 2 arguments
`

exports[`test/cli/program.test.js > TAP > sotp is rejected > detail 1`] = `
Unknown command 'sotp'
`

exports[`test/cli/program.test.js > TAP > start app.js --log-file x is rejected > detail 1`] = `
Unknown option '--log-file'
`

exports[`test/cli/program.test.js > TAP > start app.js --max-memory 300M is rejected > detail 1`] = `
Unknown option '--max-memory'
`

exports[`test/cli/program.test.js > TAP > start app.js --stop-exit-codes 0 143 -i 2 is rejected > detail 1`] = `
--stop-exit-codes takes one list, not 2 arguments
`

exports[`test/cli/program.test.js > TAP > start app.js --verbose is rejected > detail 1`] = `
Unknown option '--verbose'
`

exports[`test/cli/program.test.js > TAP > start app.js --watch=src is rejected > detail 1`] = `
Unknown option '--watch=src'
`

exports[`test/cli/program.test.js > TAP > start app.js -i is rejected > detail 1`] = `
Option '-i, --instances <number>' argument missing
`

exports[`test/cli/program.test.js > TAP > strat is rejected > detail 1`] = `
Unknown command 'strat'
`
