/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/processes/daemon/control/spec-values.test.js > TAP > an app whose saved state is not valid is set aside alone > must match snapshot 1`] = `
App watcher was set aside: its saved state is not valid (watch: expected true, false, a path, or a list of paths, got a list). See <home>/desired.json.unreadable.
App dates was set aside: its saved state is not valid (log_date_format: expected a format such as YYYY-MM-DD HH:mm:ss.SSS Z, got 5 (it contains none of YYYY MM DD HH mm ss SSS Z)). See <home>/desired.json.unreadable.
App twice was set aside: its saved state is not valid (slots is not valid). See <home>/desired.json.unreadable.
App b was set aside: its saved state is not valid (another app has its name). See <home>/desired.json.unreadable.
App (without a name) was set aside: its saved state is not valid (not a map). See <home>/desired.json.unreadable.
`
