/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/clients/export/engines.test.js > TAP > compose: three apps > files 1`] = `
compose.yaml
`

exports[`test/clients/export/engines.test.js > TAP > compose: three apps > text 1`] = `
# Written by \`nodecluster export compose\` from ecosystem.yml.
# Warning: web: set DB_PASSWORD, DATABASE_URL in the shell or in the file .env
# Warning: web: scheduling: sticky holds within a container; Compose balances without it between containers
# Warning: queue: out_file: all lines go to stdout and stderr
# Warning: queue: pid_file: a pid of a container means nothing outside of it
# Warning: queue: watch: the files of an image do not change
# Warning: queue: uid: the files in the image must be readable by user 1200, whatever its name is there
# Warning: queue: env.REDIS_URL: localhost is the container itself, not the machine or another app
# Warning: queue: max_memory_restart is not set, so its memory has no limit
# Warning: queue: args contain what looks like a secret, which is replaced by ********: pass it as a variable of env
# Warning: nightly: max_memory_restart is not set, so its memory has no limit
services:
  web:
    image: example.com/shop:1
    entrypoint:
      - nodecluster-runtime
    command:
      - /etc/nodecluster/web.yml
      - --listen
      - 127.0.0.1:9464
    configs:
      - source: web
        target: /etc/nodecluster/web.yml
    environment:
      NODE_ENV: production # env.NODE_ENV
      PORT: "3000" # env.PORT
      FEATURES: "yes" # env.FEATURES
      PRICE: $$5 $$(each) # env.PRICE
      DB_PASSWORD: "\${DB_PASSWORD:?set it in the shell or in .env}" # env.DB_PASSWORD
      DATABASE_URL: "\${DATABASE_URL:?set it in the shell or in .env}" # env.DATABASE_URL
    ports:
      - 3000:3000 # env.PORT: 3000
    depends_on:
      queue:
        condition: service_healthy # depends_on: queue: ready
    restart: unless-stopped
    stop_grace_period: 40s # drain_timeout 30s + kill_timeout 5s + 5s
    healthcheck:
      test:
        - CMD
        - node
        - -e
        - "require('http').get('http://127.0.0.1:9464/ready', { agent: false }, (reply) => { reply.resume(); if (reply.statusCode !== 200) throw reply.statusCode; })"
      interval: 5s
      timeout: 5s
      retries: 3
      start_period: 71s # listen_timeout 10s + min_uptime 1s + restart_window 60s
    user: 1000:1000 # the user node of the official images of Node
    read_only: true
    tmpfs:
      - /tmp
    cap_drop:
      - ALL
    security_opt:
      - no-new-privileges:true
    deploy:
      resources:
        limits:
          cpus: "4" # instances: 4
          memory: 2056M # 6 workers × max_memory_restart 300M + 256M for nodecluster
  queue:
    image: example.com/shop:1
    entrypoint:
      - nodecluster-runtime
    command:
      - /etc/nodecluster/queue.yml
      - --listen
      - 127.0.0.1:9464
    configs:
      - source: queue
        target: /etc/nodecluster/queue.yml
    environment:
      REDIS_URL: redis://localhost:6379 # env.REDIS_URL
    ports:
      - 4000:4000 # args: --port 4000
    restart: unless-stopped
    stop_grace_period: 55s # drain_timeout 30s + kill_timeout 20s + 5s
    healthcheck:
      test:
        - CMD
        - node
        - -e
        - "require('http').get('http://127.0.0.1:9464/ready', { agent: false }, (reply) => { reply.resume(); if (reply.statusCode !== 200) throw reply.statusCode; })"
      interval: 5s
      timeout: 5s
      retries: 3
      start_period: 71s # listen_timeout 10s + min_uptime 1s + restart_window 60s
    user: 1200:1201 # uid: 1200, gid: 1201
    read_only: true
    tmpfs:
      - /tmp
    cap_drop:
      - ALL
    security_opt:
      - no-new-privileges:true
    deploy:
      resources:
        limits:
          cpus: "1" # instances: 1
  nightly:
    image: example.com/shop:1
    entrypoint:
      - nodecluster-runtime
    command:
      - /etc/nodecluster/nightly.yml
    configs:
      - source: nightly
        target: /etc/nodecluster/nightly.yml
    restart: unless-stopped
    stop_grace_period: 40s # drain_timeout 30s + kill_timeout 5s + 5s
    user: 1000:1000 # the user node of the official images of Node
    read_only: true
    tmpfs:
      - /tmp
    cap_drop:
      - ALL
    security_opt:
      - no-new-privileges:true
    deploy:
      resources:
        limits:
          cpus: "1" # instances: 1
configs:
  web:
    content: |
      # Settings of web, for nodecluster run.

      apps:
        - name: web
          namespace: shop
          script: /app/src/web.js
          cwd: /app
          instances: 4
          scheduling: sticky
          hang_timeout: 1m
          max_memory_restart: 300M
  queue:
    content: |
      # Settings of queue, for nodecluster run.

      apps:
        - name: queue
          script: /app/src/queue.js
          args: [--port, "4000", --token, "********", --key=********]
          cwd: /app
          interpreter: node
          exec_mode: fork
          kill_timeout: 20s
  nightly:
    content: |
      # Settings of nightly, for nodecluster run.

      apps:
        - name: nightly
          script: /app/src/nightly.js
          cwd: /app
          autorestart: false
          cron_restart: 30 3 * * 1-5

`

exports[`test/clients/export/engines.test.js > TAP > kubernetes: three apps > files 1`] = `
web.yaml
queue.yaml
nightly.yaml
`

exports[`test/clients/export/engines.test.js > TAP > kubernetes: three apps > text 1`] = `
# Written by \`nodecluster export kubernetes\` from ecosystem.yml.
# Warning: web: create its Secret: kubectl create secret generic web-secrets --from-literal=DB_PASSWORD=… --from-literal=DATABASE_URL=…
apiVersion: v1
kind: ConfigMap
metadata:
  name: web-settings
  labels:
    app.kubernetes.io/name: web
data:
  web.yml: |
    # Settings of web, for nodecluster run.

    apps:
      - name: web
        namespace: shop
        script: /app/src/web.js
        cwd: /app
        instances: 4
        scheduling: sticky
        hang_timeout: 1m
        shutdown_delay: 5s
        max_memory_restart: 300M
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    app.kubernetes.io/name: web
spec:
  replicas: 2 # the default with instances: 4
  minReadySeconds: 1 # min_uptime: 1s
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0 # a new pod is ready before an old one stops
      maxSurge: 1
  selector:
    matchLabels:
      app.kubernetes.io/name: web
  template:
    metadata:
      labels:
        app.kubernetes.io/name: web
      annotations:
        nodecluster/settings: ef31ef8550c80ad9 # changed settings replace the pods
    spec:
      terminationGracePeriodSeconds: 45 # shutdown_delay 5s + drain_timeout 30s + kill_timeout 5s + 5s
      automountServiceAccountToken: false
      enableServiceLinks: false # no variables such as WEB_PORT of every Service
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000 # the user node of the official images of Node
        runAsGroup: 1000
        seccompProfile:
          type: RuntimeDefault
      initContainers:
        - name: wait-for-queue
          image: example.com/shop:1
          command:
            - node
            - -e
            - const [host, port] = process.argv.slice(1); const again = () => require('net').connect(port, host).on('connect', function () { this.destroy(); }).on('error', () => setTimeout(again, 1000)); again();
          args:
            - queue # depends_on: queue
            - "4000"
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop:
                - ALL
          resources:
            requests:
              cpu: 10m
              memory: 64Mi
      containers:
        - name: web
          image: example.com/shop:1
          command:
            - nodecluster-runtime
          args:
            - /etc/nodecluster/web.yml
            - --listen
            - 0.0.0.0:9464
          env:
            - name: NODE_ENV
              value: production # env.NODE_ENV
            - name: PORT
              value: "3000" # env.PORT
            - name: FEATURES
              value: "yes" # env.FEATURES
            - name: PRICE
              value: $5 $$(each) # env.PRICE
            - name: DB_PASSWORD
              valueFrom:
                secretKeyRef:
                  name: web-secrets
                  key: DB_PASSWORD # env.DB_PASSWORD
            - name: DATABASE_URL
              valueFrom:
                secretKeyRef:
                  name: web-secrets
                  key: DATABASE_URL # env.DATABASE_URL
          ports:
            - name: http
              containerPort: 3000 # env.PORT: 3000
            - name: probes
              containerPort: 9464
          startupProbe:
            httpGet:
              path: /startup
              port: 9464
            periodSeconds: 2
            failureThreshold: 36 # listen_timeout 10s + min_uptime 1s + restart_window 60s
          livenessProbe:
            httpGet:
              path: /live
              port: 9464
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 7 # longer than hang_timeout: 60s
          readinessProbe:
            httpGet:
              path: /ready
              port: 9464
            periodSeconds: 2
            timeoutSeconds: 2
            failureThreshold: 2
          resources:
            requests:
              cpu: 2000m # half of the limit
              memory: 2056Mi # 6 workers × max_memory_restart 300M + 256M for nodecluster
            limits:
              cpu: 4000m # instances: 4
              memory: 2056Mi # max_memory_restart
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop:
                - ALL
          volumeMounts:
            - name: settings
              mountPath: /etc/nodecluster
              readOnly: true
            - name: tmp
              mountPath: /tmp
      volumes:
        - name: settings
          configMap:
            name: web-settings
        - name: tmp
          emptyDir: {}
---
apiVersion: v1
kind: Service
metadata:
  name: web
  labels:
    app.kubernetes.io/name: web
spec:
  selector:
    app.kubernetes.io/name: web
  sessionAffinity: ClientIP # scheduling: sticky
  ports:
    - name: http
      port: 3000 # env.PORT: 3000
      targetPort: http
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: web
  labels:
    app.kubernetes.io/name: web
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      app.kubernetes.io/name: web
---
# Written by \`nodecluster export kubernetes\` from ecosystem.yml.
# Warning: queue: exec_mode: in fork mode a reload stops the old process first; Kubernetes starts the new pod before it stops the old one
# Warning: queue: out_file: all lines go to stdout and stderr
# Warning: queue: pid_file: a pid of a container means nothing outside of it
# Warning: queue: watch: the files of an image do not change
# Warning: queue: uid: the files in the image must be readable by user 1200, whatever its name is there
# Warning: queue: env.REDIS_URL: localhost is the container itself, not the machine or another app
# Warning: queue: max_memory_restart is not set, so its memory has no limit
# Warning: queue: args contain what looks like a secret, which is replaced by ********: pass it as a variable of env
apiVersion: v1
kind: ConfigMap
metadata:
  name: queue-settings
  labels:
    app.kubernetes.io/name: queue
data:
  queue.yml: |
    # Settings of queue, for nodecluster run.

    apps:
      - name: queue
        script: /app/src/queue.js
        args: [--port, "4000", --token, "********", --key=********]
        cwd: /app
        interpreter: node
        exec_mode: fork
        shutdown_delay: 5s
        kill_timeout: 20s
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: queue
  labels:
    app.kubernetes.io/name: queue
spec:
  replicas: 1 # the default with instances: 1
  minReadySeconds: 1 # min_uptime: 1s
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0 # a new pod is ready before an old one stops
      maxSurge: 1
  selector:
    matchLabels:
      app.kubernetes.io/name: queue
  template:
    metadata:
      labels:
        app.kubernetes.io/name: queue
      annotations:
        nodecluster/settings: 8493de6a67675f60 # changed settings replace the pods
    spec:
      terminationGracePeriodSeconds: 60 # shutdown_delay 5s + drain_timeout 30s + kill_timeout 20s + 5s
      automountServiceAccountToken: false
      enableServiceLinks: false # no variables such as WEB_PORT of every Service
      securityContext:
        runAsNonRoot: true
        runAsUser: 1200 # uid: 1200
        runAsGroup: 1201 # gid: 1201
        seccompProfile:
          type: RuntimeDefault
      containers:
        - name: queue
          image: example.com/shop:1
          command:
            - nodecluster-runtime
          args:
            - /etc/nodecluster/queue.yml
            - --listen
            - 0.0.0.0:9464
          env:
            - name: REDIS_URL
              value: redis://localhost:6379 # env.REDIS_URL
          ports:
            - name: http
              containerPort: 4000 # args: --port 4000
            - name: probes
              containerPort: 9464
          startupProbe:
            httpGet:
              path: /startup
              port: 9464
            periodSeconds: 2
            failureThreshold: 36 # listen_timeout 10s + min_uptime 1s + restart_window 60s
          livenessProbe:
            httpGet:
              path: /live
              port: 9464
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 3
          readinessProbe:
            httpGet:
              path: /ready
              port: 9464
            periodSeconds: 2
            timeoutSeconds: 2
            failureThreshold: 2
          resources:
            requests:
              cpu: 500m # half of the limit
              memory: 384Mi # 1 worker × no max_memory_restart, so 128M + 256M for nodecluster
            limits:
              cpu: 1000m # instances: 1
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop:
                - ALL
          volumeMounts:
            - name: settings
              mountPath: /etc/nodecluster
              readOnly: true
            - name: tmp
              mountPath: /tmp
      volumes:
        - name: settings
          configMap:
            name: queue-settings
        - name: tmp
          emptyDir: {}
---
apiVersion: v1
kind: Service
metadata:
  name: queue
  labels:
    app.kubernetes.io/name: queue
spec:
  selector:
    app.kubernetes.io/name: queue
  ports:
    - name: http
      port: 4000 # args: --port 4000
      targetPort: http
---
# Written by \`nodecluster export kubernetes\` from ecosystem.yml.
# Warning: nightly: autorestart: false with cron_restart is a job: it does not run before its first time
# Warning: nightly: cron_restart: 30 3 * * 1-5 is in the time zone of the cluster (mostly UTC)
# Warning: nightly: max_memory_restart is not set, so its memory has no limit
apiVersion: v1
kind: ConfigMap
metadata:
  name: nightly-settings
  labels:
    app.kubernetes.io/name: nightly
data:
  nightly.yml: |
    # Settings of nightly, for nodecluster run.

    apps:
      - name: nightly
        script: /app/src/nightly.js
        cwd: /app
        autorestart: false
---
apiVersion: batch/v1
kind: CronJob
metadata:
  name: nightly
  labels:
    app.kubernetes.io/name: nightly
spec:
  schedule: 30 3 * * 1-5 # cron_restart: 30 3 * * 1-5
  concurrencyPolicy: Forbid # a run that is still busy is not joined by another
  jobTemplate:
    spec:
      backoffLimit: 0 # autorestart: false
      template:
        metadata:
          labels:
            app.kubernetes.io/name: nightly
          annotations:
            nodecluster/settings: c95f9ed0abdf6375 # changed settings replace the pods
        spec:
          restartPolicy: Never # autorestart: false
          terminationGracePeriodSeconds: 40 # drain_timeout 30s + kill_timeout 5s + 5s
          automountServiceAccountToken: false
          enableServiceLinks: false # no variables such as WEB_PORT of every Service
          securityContext:
            runAsNonRoot: true
            runAsUser: 1000 # the user node of the official images of Node
            runAsGroup: 1000
            seccompProfile:
              type: RuntimeDefault
          containers:
            - name: nightly
              image: example.com/shop:1
              command:
                - nodecluster-runtime
              args:
                - /etc/nodecluster/nightly.yml
              resources:
                requests:
                  cpu: 500m # half of the limit
                  memory: 384Mi # 1 worker × no max_memory_restart, so 128M + 256M for nodecluster
                limits:
                  cpu: 1000m # instances: 1
              securityContext:
                allowPrivilegeEscalation: false
                readOnlyRootFilesystem: true
                capabilities:
                  drop:
                    - ALL
              volumeMounts:
                - name: settings
                  mountPath: /etc/nodecluster
                  readOnly: true
                - name: tmp
                  mountPath: /tmp
          volumes:
            - name: settings
              configMap:
                name: nightly-settings
            - name: tmp
              emptyDir: {}

`

exports[`test/clients/export/engines.test.js > TAP > systemd: three apps > files 1`] = `
web.service
web.yml
queue.service
queue.yml
nightly.service
nightly.yml
`

exports[`test/clients/export/engines.test.js > TAP > systemd: three apps > text 1`] = `
# Written by \`nodecluster export systemd\` from ecosystem.yml.
# Warning: web: write NAME=value lines for DB_PASSWORD, DATABASE_URL to /etc/nodecluster/web.env (mode 0600)
# /etc/systemd/system/web.service
[Unit]
Description=web, run by nodecluster
Wants=network-online.target
After=network-online.target
# depends_on: queue: ready
Requires=queue.service
After=queue.service
StartLimitIntervalSec=0

[Service]
Type=notify
NotifyAccess=all
WatchdogSec=30
Restart=on-failure
# max_restart_delay: 5000ms
RestartSec=5000ms
User=deploy
# env: DB_PASSWORD, DATABASE_URL
EnvironmentFile=/etc/nodecluster/web.env
ExecStart=/usr/bin/node /usr/lib/nodecluster/bin/nodecluster.js run /etc/nodecluster/web.yml
ExecReload=/bin/kill -HUP $MAINPID
KillMode=mixed
# drain_timeout 30s + kill_timeout 5s + 5s
TimeoutStopSec=40
# 6 workers × max_memory_restart 300M + 256M for nodecluster
MemoryMax=2056M
OOMPolicy=continue
LimitNOFILE=524288
TasksMax=infinity

NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=yes
PrivateDevices=yes
ProtectProc=invisible
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
LockPersonality=yes
RemoveIPC=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM
# what the program may write: cwd, its logs
ReadWritePaths="-/srv/shop"
CapabilityBoundingSet=

[Install]
WantedBy=multi-user.target

# Written by \`nodecluster export systemd\` from ecosystem.yml.
# /etc/nodecluster/web.yml
# Settings of web, for nodecluster run.

apps:
  - name: web
    namespace: shop
    script: /srv/shop/src/web.js
    cwd: /srv/shop
    instances: 4
    scheduling: sticky
    env:
      NODE_ENV: production
      PORT: "3000"
      FEATURES: "yes"
      PRICE: $5 $(each)
    hang_timeout: 1m
    max_memory_restart: 300M

- # Warning: web: write NAME=value lines for DB_PASSWORD, DATABASE_URL to /etc/nodecluster/web.env (mode 0600)
- # /etc/systemd/system/web.service
- Description=web, run by nodecluster
- # depends_on: queue: ready
- Requires=queue.service
- After=queue.service
- User=deploy
- # env: DB_PASSWORD, DATABASE_URL
- EnvironmentFile=/etc/nodecluster/web.env
- ExecStart=/usr/bin/node /usr/lib/nodecluster/bin/nodecluster.js run /etc/nodecluster/web.yml
- # drain_timeout 30s + kill_timeout 5s + 5s
- TimeoutStopSec=40
- # 6 workers × max_memory_restart 300M + 256M for nodecluster
- MemoryMax=2056M
- ReadWritePaths="-/srv/shop"
+ # Warning: queue: max_memory_restart is not set, so its memory has no limit
+ # Warning: queue: args contain what looks like a secret, which is replaced by ********: pass it as a variable of env
+ # /etc/systemd/system/queue.service
+ Description=queue, run by nodecluster
+ # uid: 1200
+ User=1200
+ # gid: 1201
+ Group=1201
+ ExecStart=/usr/bin/node /usr/lib/nodecluster/bin/nodecluster.js run /etc/nodecluster/queue.yml
+ # drain_timeout 30s + kill_timeout 20s + 5s
+ TimeoutStopSec=55
+ ReadWritePaths="-/srv/shop" "-/var/log" "-/run"
# Written by \`nodecluster export systemd\` from ecosystem.yml.
# /etc/nodecluster/queue.yml
# Settings of queue, for nodecluster run.

apps:
  - name: queue
    script: /srv/shop/src/queue.js
    args: [--port, "4000", --token, "********", --key=********]
    cwd: /srv/shop
    interpreter: node
    exec_mode: fork
    env:
      REDIS_URL: redis://localhost:6379
    kill_timeout: 20s
    pid_file: /run/queue.pid
    watch: true
    out_file: /var/log/queue.log

- # Warning: web: write NAME=value lines for DB_PASSWORD, DATABASE_URL to /etc/nodecluster/web.env (mode 0600)
- # /etc/systemd/system/web.service
- Description=web, run by nodecluster
- # depends_on: queue: ready
- Requires=queue.service
- After=queue.service
- # env: DB_PASSWORD, DATABASE_URL
- EnvironmentFile=/etc/nodecluster/web.env
- ExecStart=/usr/bin/node /usr/lib/nodecluster/bin/nodecluster.js run /etc/nodecluster/web.yml
- # 6 workers × max_memory_restart 300M + 256M for nodecluster
- MemoryMax=2056M
+ # Warning: nightly: max_memory_restart is not set, so its memory has no limit
+ # /etc/systemd/system/nightly.service
+ Description=nightly, run by nodecluster
+ ExecStart=/usr/bin/node /usr/lib/nodecluster/bin/nodecluster.js run /etc/nodecluster/nightly.yml
# Written by \`nodecluster export systemd\` from ecosystem.yml.
# /etc/nodecluster/nightly.yml
# Settings of nightly, for nodecluster run.

apps:
  - name: nightly
    script: /srv/shop/src/nightly.js
    cwd: /srv/shop
    autorestart: false
    cron_restart: 30 3 * * 1-5

`
