/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/config/resolve/apps.test.js > TAP > what has no effect is said > warnings 1`] = `
x.yml:2:1 scheduling: has no effect in fork mode, where workers share no connections
x.yml:3:1 hang_timeout: has no effect in fork mode, where event loops are not watched
x.yml:4:1 node_args: has no effect, because no interpreter runs the script
`

exports[`test/config/resolve/apps.test.js > TAP > what only PM2 has is named once, with the nearest thing > warning 1`] = `
x.yml has keys that only PM2 knows. They are ignored.
  static: serve files with a web server or with your own app
  pid_file, pidFile: \`nodecluster ls --json\` contains the pid of every worker
  vizion: nodecluster does not inspect repositories
`
