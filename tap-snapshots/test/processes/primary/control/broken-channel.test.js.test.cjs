/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/processes/primary/control/broken-channel.test.js > TAP > requests in flight are answered, while its successor serves > reason 1`] = `
closed the channel to its parent
`

exports[`test/processes/primary/control/broken-channel.test.js > TAP > the program breaks or closes its channel > reason 1`] = `
wrote invalid data to the channel to its parent
`

exports[`test/processes/primary/control/broken-channel.test.js > TAP > where its exit code decides, its exit is awaited > reason 1`] = `
closed the channel to its parent and autorestart is off
`
