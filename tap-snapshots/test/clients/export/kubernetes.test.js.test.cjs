/* IMPORTANT
 * This snapshot file is auto-generated, but designed for humans.
 * It should be checked into source control and tracked carefully.
 * Re-generate by setting TAP_SNAPSHOT=1 and running tests.
 * Make sure to inspect the output below.  Do not ignore changes!
 */
'use strict'
exports[`test/clients/export/kubernetes.test.js > TAP > three apps > text 1`] = `
# Written by \`nodecluster export kubernetes\` from ecosystem.yml.
# Warning: web: create its Secret: kubectl create secret generic web-secrets --from-literal=DB_PASSWORD=… --from-literal=DATABASE_URL=…
# Warning: web: depends_on: nothing waits for queue: a program that cannot connect yet must try again, or exit and be started again
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
# Warning: queue: pid_file, watch, out_file: no effect in a container, which logs to stdout and whose files do not change
# Warning: queue: uid: the files in the image must be readable by user 1200, whatever its name is there
# Warning: queue: its port is not known: if it serves clients, set PORT in env, or repeat with --port
# Warning: queue: max_memory_restart is not set, so its memory has no limit
# Warning: queue: args: what may be secret is replaced by ********: pass it as a variable of env
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
        nodecluster/settings: 0e903c9e1c7092dc # changed settings replace the pods
    spec:
      terminationGracePeriodSeconds: 55 # drain_timeout 30s + kill_timeout 20s + 5s
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
