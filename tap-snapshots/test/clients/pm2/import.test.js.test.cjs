/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/clients/pm2/import.test.js > TAP > the text of the file > text 1`] = `
# head

apps:
  - name: api
    args: [a, "1"]
    env:
      A: "1"
      B: "yes"
    # one
    # two

  - name: b

`

exports[`test/clients/pm2/import.test.js > TAP > what cannot be carried over is named > notes 1`] = `
pm2-logrotate is a module of PM2: nodecluster rotates log files itself (log_rotate)
pm2-odd is a module of PM2: nodecluster has no modules
a b is called a-b here
a-b: it ran with Node 16.0.0: set interpreter to the path of that Node
a-b: filter_env was not carried over: its environment is not filtered; set unwanted variables to '' in env
c: it is stopped in PM2; --switch leaves it there
c: watch_options was not carried over: use ignore_watch and watch_delay
c: log_date_format was not carried over: "Qo" is not one of YYYY MM DD HH mm ss SSS Z
d: it is stopped in PM2, perhaps until its cron_restart; --switch leaves it there
`
