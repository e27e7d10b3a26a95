/** The pod of an app: one container that runs `nodecluster-runtime`. */
import { createHash } from 'node:crypto';
import { Scalar } from 'yaml';
import { printable } from '../../api/write-ecosystem.js';
import { stopTime, startTime } from './resources.js';
import { DEFAULT_USER, PROBE_PORT, SETTINGS_DIRECTORY } from './app.js';

/**
 * @import { Workload } from './kubernetes.js'
 * @import { Spec } from '../../config/spec.js'
 */

/** @param {Workload} workload @param {Record<string, unknown>} more of the pod's spec */
export function podTemplate(workload, more = {}) {
  const { name } = workload;
  const stop = stopTime(workload.spec);
  const hash = createHash('sha256').update(workload.file).digest('hex');
  return {
    metadata: {
      labels: selector(name),
      annotations: {
        'nodecluster/settings': noted(hash.slice(0, 16), 'changed settings replace the pods'),
      },
    },
    spec: {
      ...more,
      terminationGracePeriodSeconds: noted(stop.seconds, stop.setting),
      automountServiceAccountToken: false,
      enableServiceLinks: noted(false, 'no variables such as WEB_PORT of every Service'),
      securityContext: podSecurity(workload),
      containers: [container(workload)],
      volumes: [
        { name: 'settings', configMap: { name: `${name}-settings` } },
        { name: 'tmp', emptyDir: {} },
      ],
    },
  };
}

/** @param {Workload} workload */
function podSecurity({ spec: { uid, gid }, ports }) {
  const user = uid ?? DEFAULT_USER;
  const node = 'the user node of the official images of Node';
  const lowest = Math.min(...(ports?.numbers ?? []));
  const portStart = {
    name: 'net.ipv4.ip_unprivileged_port_start',
    value: noted(String(lowest), String(ports?.setting)),
  };
  return {
    runAsNonRoot: user !== 0,
    runAsUser: noted(user, uid === null ? node : `uid: ${uid}`),
    runAsGroup: noted(gid ?? user, gid === null ? null : `gid: ${gid}`),
    seccompProfile: { type: 'RuntimeDefault' },
    // By default only root may open those below.
    sysctls: lowest < 1024 ? [portStart] : undefined,
  };
}

/** @param {Workload} workload */
function container(workload) {
  const { name, image } = workload;
  const isService = workload.role === 'service';
  const listen = isService ? ['--listen', `0.0.0.0:${PROBE_PORT}`] : [];
  const ports = appPorts(workload).map((each) => ({ name: each.name, containerPort: each.port }));
  return {
    name,
    image,
    command: ['nodecluster-runtime'],
    args: [`${SETTINGS_DIRECTORY}/${name}.yml`, ...listen],
    env: variables(workload),
    ports: isService ? [...ports, { name: 'probes', containerPort: PROBE_PORT }] : undefined,
    ...(isService ? probes(workload.spec) : {}),
    resources: resources(workload),
    securityContext: CONTAINER_SECURITY,
    volumeMounts: [
      { name: 'settings', mountPath: SETTINGS_DIRECTORY, readOnly: true },
      { name: 'tmp', mountPath: '/tmp' },
    ],
  };
}

const CONTAINER_SECURITY = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

/** @param {Workload} workload */
function variables({ name, environment }) {
  const plain = Object.entries(environment.plain).map(([key, value]) => ({
    name: key,
    // Kubernetes replaces $(NAME), and $$ by $.
    value: noted(value.replace(/\$(?=[$(])/g, '$$$$'), `env.${key}`),
  }));
  const secret = Object.keys(environment.secrets).map((key) => ({
    name: key,
    valueFrom: { secretKeyRef: { name: `${name}-secrets`, key: noted(key, `env.${key}`) } },
  }));
  const all = [...plain, ...secret];
  return all.length > 0 ? all : undefined;
}

/** @param {Workload} workload */
function resources({ resources: { cpus, memoryMiB, isLimited, cpuSetting, memorySetting } }) {
  const memory = `${memoryMiB}Mi`;
  return {
    requests: {
      cpu: noted(`${Math.ceil(cpus * 500)}m`, `half of the limit`),
      memory: noted(memory, memorySetting),
    },
    limits: {
      cpu: noted(`${Math.ceil(cpus * 1000)}m`, cpuSetting),
      ...(isLimited ? { memory: noted(memory, 'max_memory_restart') } : {}),
    },
  };
}

const STARTUP_PERIOD_S = 2;
const LIVE_PERIOD_S = 10;
const LIVE_FAILURES = 3;

/** With names, which a Service needs. @param {Workload} workload */
export function appPorts({ ports }) {
  if (ports === null) return [];
  return ports.numbers.map((number, index) => ({
    name: index === 0 ? 'http' : `port-${number}`,
    port: noted(number, ports.setting),
  }));
}

/** @param {Spec} spec */
function probes(spec) {
  const start = startTime(spec);
  const { hangTimeoutMs } = spec;
  const hangFailures = Math.ceil((hangTimeoutMs ?? 0) / 1000 / LIVE_PERIOD_S) + 1;
  const failures = Math.max(LIVE_FAILURES, hangFailures);
  const hang = hangTimeoutMs === null ? null : `longer than hang_timeout: ${hangTimeoutMs / 1000}s`;
  return {
    startupProbe: {
      httpGet: { path: '/startup', port: PROBE_PORT },
      periodSeconds: STARTUP_PERIOD_S,
      failureThreshold: noted(Math.ceil(start.seconds / STARTUP_PERIOD_S), start.setting),
    },
    livenessProbe: {
      httpGet: { path: '/live', port: PROBE_PORT },
      periodSeconds: LIVE_PERIOD_S,
      timeoutSeconds: 5,
      failureThreshold: noted(failures, hang),
    },
    readinessProbe: {
      httpGet: { path: '/ready', port: PROBE_PORT },
      periodSeconds: 2,
      timeoutSeconds: 2,
      failureThreshold: 2,
    },
  };
}

/** @param {string} name */
export function selector(name) {
  return { 'app.kubernetes.io/name': name };
}

/**
 * @param {string | number | boolean | undefined} value
 * @param {string | null} comment what its line says about it; null: the value says it all
 * @returns {unknown} for a document of YAML
 */
export function noted(value, comment) {
  if (comment === null) return value;
  const node = new Scalar(value);
  node.comment = ` ${printable(comment)}`;
  return node;
}
