/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/cli/logs/merged-logs.test.js > TAP > it follows, also files that appear later, until the reader closes the pipe > note 1`] = `
Waiting for new lines. Press Ctrl-C to stop.
`
