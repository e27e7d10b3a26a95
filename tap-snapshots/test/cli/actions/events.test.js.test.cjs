/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/cli/actions/events.test.js > TAP > send says how many workers got the message > receipt 1`] = `
Sent to 2 workers of api; 1 worker has not received it.
Sent to 1 worker of web.
`
