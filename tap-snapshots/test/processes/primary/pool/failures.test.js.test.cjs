/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/processes/primary/pool/failures.test.js > TAP > a program that always dies becomes errored, with the reason > reason 1`] = `
failed 4 times within 1m; the last time it exited with code 1
`

exports[`test/processes/primary/pool/failures.test.js > TAP > a reload of a program that may exit is done when it has exited again > reason of the failure 1`] = `
exited with code 1
`

exports[`test/processes/primary/pool/failures.test.js > TAP > a reload of a program that may exit is done when it has exited again > reason of the slot 1`] = `
exit code 0 is one of stop_exit_codes
`

exports[`test/processes/primary/pool/failures.test.js > TAP > cluster: a slot that is never ready becomes errored, with the reason > reason 1`] = `
failed 3 times within 2s, not counting the time of failed starts; the last time it did not call process.send('ready') within 1 s (wait_ready)
`

exports[`test/processes/primary/pool/failures.test.js > TAP > fork: a slot that is never ready becomes errored, with the reason > reason 1`] = `
failed 3 times within 2s, not counting the time of failed starts; the last time it did not call process.send('ready') within 1 s (wait_ready)
`

exports[`test/processes/primary/pool/failures.test.js > TAP > what cannot be started at all > a working directory that does not exist 1`] = `
the working directory /nonexistent/folder does not exist
`

exports[`test/processes/primary/pool/failures.test.js > TAP > a reload without descriptors leaves the old worker > reason 1`] = `
could not be started (EMFILE: no file descriptor is left; raise \`ulimit -n\`, or LimitNOFILE of a systemd unit)
`
