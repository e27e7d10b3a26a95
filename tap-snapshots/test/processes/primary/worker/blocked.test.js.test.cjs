/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/processes/primary/worker/blocked.test.js > TAP > one that hangs too often is given up, with the reason > reason 1`] = `
failed once within 10m; the last time it was killed, its event loop blocked for Ns
`

exports[`test/processes/primary/worker/blocked.test.js > TAP > reload: a blocked worker has kill_timeout to recover > reasons 1`] = `
Array [
  "event loop blocked for Ns, killed unless it turns within 1 s",
  "event loop blocked for Ns, killed without a drain",
  "ended before it answered the request to drain",
]
`

exports[`test/processes/primary/worker/blocked.test.js > TAP > restart: a blocked worker has kill_timeout to recover > reasons 1`] = `
Array [
  "event loop blocked for Ns, killed unless it turns within 1 s",
  "event loop blocked for Ns, killed without a drain",
  "ended before it answered the request to drain",
]
`

exports[`test/processes/primary/worker/blocked.test.js > TAP > stop: a blocked worker has kill_timeout to recover > reasons 1`] = `
Array [
  "event loop blocked for Ns, killed unless it turns within 1 s",
  "event loop blocked for Ns, killed without a drain",
  "ended before it answered the request to drain",
]
`
