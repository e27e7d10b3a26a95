/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/processes/primary/pool/scarcity.test.js > TAP > a reload without descriptors leaves the old worker > reason 1`] = `
could not be started (EMFILE: no file descriptor is left; raise \`ulimit -n\`, or LimitNOFILE of a systemd unit)
`
