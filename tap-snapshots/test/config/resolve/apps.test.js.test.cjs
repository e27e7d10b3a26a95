/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/config/resolve/apps.test.js > TAP > depends_on names apps of the same file, and conditions > each error with its position 1`] = `
x.yml has 3 errors:
  x.yml:2:44 [0].depends_on[0]: no app in this file is called "dbs"; did you mean db?
  x.yml:4:43 [2].depends_on[0]: the dependencies form a circle: web → cache → db → web
  x.yml:5:44 [3].depends_on: the dependencies form a circle: self → self
`

exports[`test/config/resolve/apps.test.js > TAP > depends_on names apps of the same file, and conditions > errors in conditions 1`] = `
x.yml has 5 errors:
  x.yml:2:44 [0].depends_on.dbs: no app in this file is called "dbs"; did you mean db?
  x.yml:2:60 [0].depends_on.db: expected ready, started or exited, got "healthy"
  x.yml:2:69 [0].depends_on.migrate: migrate is started again whenever it exits; give it autorestart: false or stop_exit_codes: [0]
  x.yml:3:48 [1].depends_on.web: the dependencies form a circle: web → migrate → web
  x.yml:4:42 [2].depends_on: expected the name of an app, a list of names, or a map of names to ready, started or exited, got 7
`

exports[`test/config/resolve/apps.test.js > TAP > keys that only PM2 has are named, with the closest equivalent > warning 1`] = `
x.yml:9:1 static: ignored, because only PM2 knows static: use \`nodecluster serve <directory> <port>\`
x.yml:4:5 apps[0].filter_env: ignored, because only PM2 knows filter_env: give unwanted variables an empty value: \`--set-env NAME=\`, or \`env: {NAME: ''}\`
x.yml:5:5 apps[0].trace: ignored, because only PM2 knows trace: nodecluster does not send metrics anywhere
x.yml:7:5 apps[1].name_prefix: ignored, because only PM2 knows name_prefix: put the whole name into name, or group apps by namespace
x.yml:8:5 apps[1].namePrefix: ignored, because only PM2 knows namePrefix: put the whole name into name, or group apps by namespace
`

exports[`test/config/resolve/apps.test.js > TAP > options without effect are reported > warnings 1`] = `
x.yml:1:1 script: runs in fork mode: what npm runs is not known; for a cluster, start the program of Node itself
x.yml:2:1 scheduling: has no effect in fork mode, where workers share no connections
x.yml:3:1 hang_timeout: has no effect in fork mode, where event loops are not watched
x.yml:4:1 node_args: has no effect, because no interpreter runs the script
`

exports[`test/config/resolve/apps.test.js > TAP > programs that cannot run as requested > script: bin 1`] = `
x.yml has an error:
  x.yml:1:9 script: expected a file that exists or a command in PATH, got "bin" (bin is a directory without index.js, and no package.json in it names a main file)
`

exports[`test/config/resolve/apps.test.js > TAP > programs that cannot run as requested > script: bin/npm
exec_mode: cluster 1`] = `
x.yml has an error:
  x.yml:2:12 exec_mode: expected fork, got "cluster" (cluster is for scripts that Node runs; it runs by itself)
`

exports[`test/config/resolve/apps.test.js > TAP > programs that cannot run as requested > script: nothing --x 1`] = `
x.yml has an error:
  x.yml:1:9 script: expected a file that exists or a command in PATH, got "nothing --x" (nothing is neither a file nor a command)
`

exports[`test/config/resolve/apps.test.js > TAP > programs that cannot run as requested > script: npm start && npm stop
exec_mode: cluster 1`] = `
x.yml has an error:
  x.yml:2:12 exec_mode: expected fork, got "cluster" (cluster is for scripts that Node runs; it needs a shell (\`&&\`))
`

exports[`test/config/resolve/apps.test.js > TAP > programs that cannot run as requested > script: worker.py
exec_mode: cluster 1`] = `
x.yml has an error:
  x.yml:2:12 exec_mode: expected fork, got "cluster" (cluster is for scripts that Node runs; python3 runs it)
`

exports[`test/config/resolve/apps.test.js > TAP > programs that cannot run as requested > script: x.jar
interpreter: java 1`] = `
x.yml has an error:
  x.yml:2:14 interpreter: java, which runs it, is neither an executable file nor a command in PATH
`

exports[`test/config/resolve/apps.test.js > TAP > programs that cannot run as requested > script: x.jar 1`] = `
x.yml has an error:
  x.yml:1:9 script: expected an executable file, or an interpreter that runs it, got "x.jar" (HERE/x.jar is not executable)
`

exports[`test/config/resolve/apps.test.js > TAP > programs that cannot run as requested > script: x.pl 1`] = `
x.yml has an error:
  x.yml:1:9 script: perl, which runs it, is neither an executable file nor a command in PATH
`
