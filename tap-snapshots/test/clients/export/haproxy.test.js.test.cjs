/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/clients/export/haproxy.test.js > TAP > one backend for each app that serves > must match snapshot 1`] = `
# Written by \`nodecluster export haproxy\` from ecosystem.yml.
# Warning: @team: has no health.http, so HAProxy only checks that the port is open, also while no worker is ready
# Warning: @team: HAProxy learns of a stop up to 2 s late: set shutdown_delay to 5s or more
# Warning: @team: Node closes connections that are idle for 5 s, maybe as HAProxy sends a request: set keep_alive_timeout to 65s
# Warning: @team: scheduling: sticky sees only the address of HAProxy, so one worker of each machine gets everything
# Warning: four: has no health.http, so HAProxy only checks that the port is open, also while no worker is ready
# Warning: four: HAProxy learns of a stop up to 2 s late: set shutdown_delay to 5s or more
# Warning: four: Node closes connections that are idle for 5 s, maybe as HAProxy sends a request: set keep_alive_timeout to 65s
# Warning: other-port: HAProxy cannot check health.http: http://127.0.0.1:6001/health; it only checks that the port is open
# Warning: other-port: HAProxy learns of a stop up to 2 s late: set shutdown_delay to 5s or more
# Warning: other-port: Node closes connections that are idle for 5 s, maybe as HAProxy sends a request: set keep_alive_timeout to 65s
# Warning: jobs: has no backend, since it is not a server (autorestart: false)
# Warning: silent: has no backend, since its port is not known: set PORT in env, or give --port
# Needs sections \`global\` and \`defaults\`, and a frontend such as this one:
# frontend web
#     mode http
#     bind :80
#     timeout client 30s
#     default_backend shop

backend shop
    mode http
    balance leastconn
    option forwardfor
    option httpchk GET /health?full=1  # health.http: /health?full=1
    timeout check 3s  # health.timeout: 3s
    timeout connect 2s
    timeout server 45500ms  # drain_timeout: 45500ms; a reload ends what takes longer
    timeout tunnel 1h  # WebSockets
    retry-on conn-failure  # nothing was sent yet, so no request is made twice
    retries 3
    option redispatch  # to another machine
    http-reuse safe
    default-server weight 100 slowstart 10s
    default-server tcp-ut 10s  # a machine that is not reachable any more
    default-server pool-purge-delay 5s  # keep_alive_timeout: 65s
    default-server check inter 2s fall 3 rise 2
    default-server agent-check agent-port 9600 agent-inter 2s agent-send "shop\\n"  # nodecluster agent --listen
    server machine1 10.0.0.11:3000  # env.PORT: 3000
    server machine2 web2:3000  # env.PORT: 3000
    server machine3 [fd00::3]:3000  # env.PORT: 3000

backend _team
    mode http
    balance source  # scheduling: sticky
    hash-type consistent
    option forwardfor
    timeout check 2s
    timeout connect 2s
    timeout server 30s  # drain_timeout: 30s; a reload ends what takes longer
    timeout tunnel 1h  # WebSockets
    retry-on conn-failure  # nothing was sent yet, so no request is made twice
    retries 3
    option redispatch  # to another machine
    http-reuse safe
    default-server weight 100 slowstart 10s
    default-server tcp-ut 10s  # a machine that is not reachable any more
    default-server check inter 2s fall 3 rise 2
    default-server agent-check agent-port 9600 agent-inter 2s agent-send "@team\\n"  # nodecluster agent --listen
    server machine1 10.0.0.11:4000  # env.PORT: 4000
    server machine2 web2:4000  # env.PORT: 4000
    server machine3 [fd00::3]:4000  # env.PORT: 4000

backend four
    mode http
    balance leastconn
    option forwardfor
    timeout check 2s
    timeout connect 2s
    timeout server 30s  # drain_timeout: 30s; a reload ends what takes longer
    timeout tunnel 1h  # WebSockets
    retry-on conn-failure  # nothing was sent yet, so no request is made twice
    retries 3
    option redispatch  # to another machine
    http-reuse safe
    default-server weight 100 slowstart 10s
    default-server tcp-ut 10s  # a machine that is not reachable any more
    default-server check inter 2s fall 3 rise 2
    default-server agent-check agent-port 9600 agent-inter 2s agent-send "four\\n"  # nodecluster agent --listen
    server machine1-0 10.0.0.11:5000  # env.PORT: 5000, increment_var: PORT
    server machine1-1 10.0.0.11:5001  # env.PORT: 5000, increment_var: PORT
    server machine2-0 web2:5000  # env.PORT: 5000, increment_var: PORT
    server machine2-1 web2:5001  # env.PORT: 5000, increment_var: PORT
    server machine3-0 [fd00::3]:5000  # env.PORT: 5000, increment_var: PORT
    server machine3-1 [fd00::3]:5001  # env.PORT: 5000, increment_var: PORT

backend other-port
    mode http
    balance leastconn
    option forwardfor
    timeout check 2s
    timeout connect 2s
    timeout server 30s  # drain_timeout: 30s; a reload ends what takes longer
    timeout tunnel 1h  # WebSockets
    retry-on conn-failure  # nothing was sent yet, so no request is made twice
    retries 3
    option redispatch  # to another machine
    http-reuse safe
    default-server weight 100 slowstart 10s
    default-server tcp-ut 10s  # a machine that is not reachable any more
    default-server check inter 2s fall 3 rise 2
    default-server agent-check agent-port 9600 agent-inter 2s agent-send "other-port\\n"  # nodecluster agent --listen
    server machine1 10.0.0.11:6000  # env.PORT: 6000
    server machine2 web2:6000  # env.PORT: 6000
    server machine3 [fd00::3]:6000  # env.PORT: 6000

`
