/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/processes/primary/worker/hangs.test.js > TAP > a worker that hangs too often is given up, with the reason > reason 1`] = `
failed once within 10m; the last time it was killed, its event loop blocked for Ns
`
