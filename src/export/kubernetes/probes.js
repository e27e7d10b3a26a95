/** The ports of a pod, and the probes with which Kubernetes watches it. */
import { PROBE_PORT } from '../container/place.js';
import { startTime } from '../timing.js';
import { noted } from '../yaml.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { ExportedApp } from '../app.js'
 */

const STARTUP_PERIOD_S = 2;
const LIVE_PERIOD_S = 10;
const LIVE_FAILURES = 3;

/** @param {ExportedApp} app */
export function containerPorts({ port }) {
  const own = { name: 'probes', containerPort: PROBE_PORT };
  return [
    ...appPorts({ port }).map(({ name, number, setting }) => ({
      name,
      containerPort: noted(number, setting),
    })),
    own,
  ];
}

/**
 * @param {Pick<ExportedApp, 'port'>} app
 * @returns {{name: string, number: number, setting: string}[]} one, or one for each worker
 */
export function appPorts({ port }) {
  if (port === null) return [];
  const { number, count, setting } = port;
  return Array.from({ length: count }, (_, slot) => ({
    name: slot === 0 ? 'http' : `http-${slot}`,
    number: number + slot,
    setting: count === 1 ? setting : `${setting}, increment_var, worker ${slot}`,
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
