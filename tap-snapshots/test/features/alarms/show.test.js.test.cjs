/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/features/alarms/show.test.js > TAP > what alarms have delivered > must match snapshot 1`] = `

Alarms
  worker.errored, reload.*  ./notify.sh  3 delivered
  *  POST https://example.com/********  0 delivered, 12 given up
    waiting: worker.errored (2 events), in 5s; attempt 2 failed: no\\x1b[2J answer
    waiting: worker.errored (1 event), now
    not delivered 2m ago: worker.errored (2 events), 5 attempts: the server answered 503
`
