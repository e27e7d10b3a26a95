/** A Deployment and what goes with it. */
import { timesOf } from './app.js';
import { noted } from './yaml.js';
import { podTemplate, appPorts, metadata, selector } from './kubernetes-pod.js';

/**
 * @import { Manifest, Workload } from './kubernetes-pod.js'
 */

/** Percent of the request, which is half of the limit: each worker is busy half of the time. */
const TARGET_CPU = 100;

/** @param {Workload} workload @returns {Manifest} */
export function deployment(workload) {
  const { name, app, replicas, replicasSetting, autoscale } = workload;
  const { minUptimeMs } = app.spec;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata(workload),
    spec: {
      replicas: autoscale === null ? noted(replicas, replicasSetting) : undefined,
      minReadySeconds: noted(Math.ceil(minUptimeMs / 1000), `min_uptime: ${minUptimeMs / 1000}s`),
      strategy: {
        type: 'RollingUpdate',
        rollingUpdate: {
          maxUnavailable: noted(0, 'a new pod is ready before an old one stops'),
          maxSurge: 1,
        },
      },
      selector: { matchLabels: selector(name) },
      template: podTemplate(workload),
    },
  };
}

/** @param {Workload} workload @returns {Manifest} */
export function service(workload) {
  const { name, app } = workload;
  const isSticky = app.spec.scheduling === 'sticky';
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata(workload),
    spec: {
      selector: selector(name),
      sessionAffinity: isSticky ? noted('ClientIP', 'scheduling: sticky') : undefined,
      ports: appPorts(app).map((port) => ({
        name: port.name,
        port: noted(port.number, port.setting),
        targetPort: port.name,
      })),
    },
  };
}

/** @param {Workload} workload @returns {Manifest} */
export function disruptionBudget(workload) {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: metadata(workload),
    spec: { maxUnavailable: 1, selector: { matchLabels: selector(workload.name) } },
  };
}

/** @param {Workload} workload @returns {Manifest} */
export function autoscaler(workload) {
  const { name, autoscale } = workload;
  const setting = `--autoscale ${autoscale?.min}..${autoscale?.max}`;
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: metadata(workload),
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      minReplicas: noted(autoscale?.min, setting),
      maxReplicas: noted(autoscale?.max, setting),
      metrics: [
        {
          type: 'Resource',
          resource: {
            name: 'cpu',
            target: {
              type: 'Utilization',
              averageUtilization: noted(TARGET_CPU, 'percent of the request: half of the limit'),
            },
          },
        },
      ],
    },
  };
}

/**
 * An app that does one piece of work: once, or at given times.
 * @param {Workload} workload @returns {Manifest}
 */
export function job(workload) {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: metadata(workload),
    spec: jobSpec(workload),
  };
}

/** @param {Workload} workload @returns {Manifest} */
export function cronJob(workload) {
  const { key, pattern } = timesOf(workload.app.spec);
  const { overlap, timezone } = workload.app.spec;
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: metadata(workload),
    spec: {
      schedule: noted(schedule(pattern), `${key}: ${pattern}`),
      timeZone: timezone === null ? undefined : noted(timezone, `timezone: ${timezone}`),
      concurrencyPolicy:
        overlap === 'replace'
          ? noted('Replace', 'overlap: replace')
          : noted('Forbid', 'a run that is still busy is not joined by another'),
      jobTemplate: { spec: jobSpec(workload) },
    },
  };
}

/**
 * @param {string} pattern of five fields, or six with seconds first
 * @returns {string} of five
 */
export function schedule(pattern) {
  return pattern.trim().split(/\s+/).slice(-5).join(' ');
}

/** @param {Workload} workload */
function jobSpec(workload) {
  const { ending } = workload.app;
  return {
    backoffLimit: noted(0, ending),
    template: podTemplate(workload, { restartPolicy: noted('Never', ending) }),
  };
}
