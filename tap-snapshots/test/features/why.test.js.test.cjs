/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/features/why.test.js > TAP > describe > must match snapshot 1`] = `

Blocked
  api:1  is blocked in hash\\x1b[2J (hash.js:10:5), seen 4s ago
    at readSync (node:fs:748:3)
    at hash\\x1b[2J (/srv/hash.js:10:5)
    at (anonymous) (/srv/server.js:20:3)
`

exports[`test/features/why.test.js > TAP > why > must match snapshot 1`] = `
api:0 is blocked in hash\\x1b[2J (hash.js:10:5)
    at readSync (node:fs:748:3)
    at hash\\x1b[2J (/srv/hash.js:10:5)
    at (anonymous) (/srv/server.js:20:3)
api:1 is not blocked: its event loop turns
api:2 waits in a native call
api:3 handles SIGUSR1 itself
api:4 is stopped by SIGSTOP
`
