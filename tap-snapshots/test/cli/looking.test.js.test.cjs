/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/cli/looking.test.js > TAP > kill says what it stopped > nothing to stop 1`] = `
Nothing to kill: no daemon and no app is running.
`

exports[`test/cli/looking.test.js > TAP > kill says what it stopped > stopped 1`] = `
Stopped api and the daemon. \`nodecluster resurrect\` starts api, web again.
`
