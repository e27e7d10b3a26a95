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
    at /srv/server.js:20:3
`
