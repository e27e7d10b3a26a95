/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/cli/show-logs.test.js > TAP > an app whose output is not saved > note 1`] = `
api: its output is not saved, because its log files are /dev/null.
`

exports[`test/cli/show-logs.test.js > TAP > marks show where the life of a worker begins > logs --no-follow --timestamp 1`] = `
2026-03-01T12:00:00.000Z api:0 | one
2026-03-01T12:00:01.000Z — api:0 started: pid 11, after it exited with code 1 —
2026-03-01T12:00:01.000Z api:0 ! two
2026-03-01T12:00:02.000Z — api:1 started: pid 13 —
2026-03-01T12:00:02.000Z api:1 | three
`

exports[`test/cli/show-logs.test.js > TAP > marks show where the life of a worker begins > logs --no-follow 1`] = `
api:0 | one
— api:0 started: pid 11, after it exited with code 1 —
api:0 ! two
— api:1 started: pid 13 —
api:1 | three
`

exports[`test/cli/show-logs.test.js > TAP > one stream, and lines that do not name theirs > note 1`] = `
api: one file has both streams and its lines do not name theirs, so both are shown.
`

exports[`test/cli/show-logs.test.js > TAP > single workers, and lines that do not name theirs > note 1`] = `
api: raw lines do not name their worker, so the lines of all workers are shown.
`
