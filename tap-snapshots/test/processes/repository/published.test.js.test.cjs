/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/processes/repository/published.test.js > TAP > number of files and unpacked size > npx tap --snapshot accepts what has grown 1`] = `
beside them: 9 files, up to 150 kB
bin: 2 files, up to 50 kB
docs: 111 files, up to 1600 kB
man: 45 files, up to 150 kB
packaging: 2 files, up to 50 kB
src/agent: 2 files, up to 100 kB
src/api: 5 files, up to 500 kB
src/cli: 6 files, up to 1200 kB
src/clients: 7 files, up to 450 kB
src/config: 2 files, up to 50 kB
src/daemon: 4 files, up to 500 kB
src/errors: 1 files, up to 50 kB
src/features: 16 files, up to 550 kB
src/primary: 1 files, up to 300 kB
src/protocol: 3 files, up to 50 kB
src/shared: 1 files, up to 50 kB
src/show: 1 files, up to 50 kB
all: 218 files, up to 5450 kB
`
