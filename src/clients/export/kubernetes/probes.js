/** The ports of a pod, and the probes with which Kubernetes watches it. */
import { PROBE_PORT } from '../container/place.js';
import { startTime } from '../timing.js';
import { noted } from '../yaml.js';

/**
 * @import { Spec } from '../../../config/spec.js'
 * @import { ExportedApp } from '../app.js'
 */

const STARTUP_PERIOD_S = 2;
const LIVE_PERIOD_S = 10;
const LIVE_FAILURES = 3;

/** @param {ExportedApp} app */
export function containerPorts({ ports }) {
  const named = appPorts({ ports }).map(({ name, number, setting }) => ({
    name,
    containerPort: noted(number, setting),
  }));
  return [...named, { name: 'probes', containerPort: PROBE_PORT }];
}

/**
 * @param {Pick<ExportedApp, 'ports'>} app
 * @returns {{name: string, number: number, setting: string}[]} by name, which a Service needs
 */
export function appPorts({ ports }) {
  if (ports === null) return [];
  const { numbers, setting } = ports;
  return numbers.map((number, index) => ({
    name: index === 0 ? 'http' : `port-${number}`,
    number,
    setting,
  }));
}

/** @param {Spec} spec */
export function probes(spec) {
  const start = startTime(spec);
  const { hangTimeoutMs } = spec;
  const hangFailures = Math.ceil((hangTimeoutMs ?? 0) / 1000 / LIVE_PERIOD_S) + 1;
  const failures = Math.max(LIVE_FAILURES, hangFailures);
  return {
    startupProbe: {
      ...httpGet('/startup'),
      periodSeconds: STARTUP_PERIOD_S,
      failureThreshold: noted(Math.ceil(start.seconds / STARTUP_PERIOD_S), start.setting),
    },
    livenessProbe: {
      ...httpGet('/live'),
      periodSeconds: LIVE_PERIOD_S,
      timeoutSeconds: 5,
      failureThreshold: noted(
        failures,
        hangTimeoutMs === null ? null : `longer than hang_timeout: ${hangTimeoutMs / 1000}s`,
      ),
    },
    readinessProbe: {
      ...httpGet('/ready'),
      periodSeconds: 2,
      timeoutSeconds: 2,
      failureThreshold: 2,
    },
  };
}

/** @param {string} path */
function httpGet(path) {
  return { httpGet: { path, port: PROBE_PORT } };
}
