/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/processes/primary/pool/failed-starts.test.js > TAP > cluster: the slot becomes errored, with the reason > reason 1`] = `
failed 4 times within 2s, not counting the time of failed starts; the last time it did not send 'ready' within 1 s
`

exports[`test/processes/primary/pool/failed-starts.test.js > TAP > fork: the slot becomes errored, with the reason > reason 1`] = `
failed 4 times within 2s, not counting the time of failed starts; the last time it did not send 'ready' within 1 s
`
