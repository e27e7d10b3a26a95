/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/e2e/commands/daemon-lost.test.js > TAP > the daemon and the only primary are killed while the app starts > stderr 1`] = `
The daemon was not running. Starting it; it adopts or starts api.
error: The connection to the daemon broke before it replied to start, so the outcome of the command is not known.
  This daemon, or the next one, completes what had begun, or undoes it. \`nodecluster ls\` shows the state; then repeat the command if necessary. [E_DAEMON_LOST]

`
