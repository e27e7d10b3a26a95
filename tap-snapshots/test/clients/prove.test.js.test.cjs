/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/clients/prove.test.js > TAP > what is shown > lost in flight 1`] = `
✔ api: proven, only 1 request that a killed process was handling was lost.
`

exports[`test/clients/prove.test.js > TAP > what is shown > not proven 1`] = `
✖ api: not proven.
  daemon killed: 3 requests lost (2 × ECONNREFUSED, 1 × status 503)
  daemon killed: the app was not whole again within 60 s
`

exports[`test/clients/prove.test.js > TAP > what is shown > nothing lost 1`] = `
✔ api: proven, no request was lost.
`

exports[`test/clients/prove.test.js > TAP > what is shown > table 1`] = `
event          requests  lost  in flight  longest wait  whole after
before                2     0                      5ms
reload                1     0                     31ms         2.3s
worker killed         2     1          1           5ms         90ms
daemon killed         3     3          0           0ms        1m 5s
`
