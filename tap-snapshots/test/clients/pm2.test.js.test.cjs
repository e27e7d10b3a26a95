/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/clients/pm2.test.js > TAP > the shape of pm2 jlist > jlist 1`] = `
[
  {
    "pid": 4115,
    "name": "api",
    "pm2_env": {
      "name": "api",
      "namespace": "default",
      "version": "1.2.3",
      "node_version": "22.12.0",
      "instances": 2,
      "exec_mode": "cluster_mode",
      "exec_interpreter": "node",
      "node_args": [],
      "pm_exec_path": "/srv/api/src/app.js",
      "pm_cwd": "/srv/api",
      "args": [
        "--port",
        "3000"
      ],
      "pm_out_log_path": "/logs/out.log",
      "pm_err_log_path": "/logs/error.log",
      "status": "online",
      "pm_id": 4,
      "NODE_APP_INSTANCE": 0,
      "pm_uptime": "a time",
      "created_at": "a time",
      "restart_time": 2,
      "unstable_restarts": 0,
      "autorestart": true,
      "watch": false,
      "kill_timeout": 5000,
      "treekill": true,
      "merge_logs": true,
      "max_memory_restart": null,
      "cron_restart": null
    },
    "pm_id": 4,
    "monit": {
      "memory": 43201331,
      "cpu": 3.1
    }
  },
  {
    "pid": 0,
    "name": "api",
    "pm2_env": {
      "name": "api",
      "namespace": "default",
      "version": "1.2.3",
      "node_version": "22.12.0",
      "instances": 2,
      "exec_mode": "cluster_mode",
      "exec_interpreter": "node",
      "node_args": [],
      "pm_exec_path": "/srv/api/src/app.js",
      "pm_cwd": "/srv/api",
      "args": [
        "--port",
        "3000"
      ],
      "pm_out_log_path": "/logs/out.log",
      "pm_err_log_path": "/logs/error.log",
      "status": "waiting restart",
      "pm_id": 5,
      "NODE_APP_INSTANCE": 1,
      "pm_uptime": null,
      "created_at": null,
      "restart_time": 2,
      "unstable_restarts": 0,
      "autorestart": true,
      "watch": false,
      "kill_timeout": 5000,
      "treekill": true,
      "merge_logs": true,
      "max_memory_restart": null,
      "cron_restart": null
    },
    "pm_id": 5,
    "monit": {
      "memory": 43201331,
      "cpu": 3.1
    }
  }
]
`

exports[`test/clients/pm2.test.js > TAP > the text of the file > text 1`] = `
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

exports[`test/clients/pm2.test.js > TAP > what cannot be carried over is named > notes 1`] = `
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
