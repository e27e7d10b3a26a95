/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/clients/pm2/process-list.test.js > TAP > the shape of pm2 jlist > jlist 1`] = `
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
