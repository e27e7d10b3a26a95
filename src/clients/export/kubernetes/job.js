/** An app that does one piece of work: once, or at given times. */
import { noted } from '../yaml.js';
import { podTemplate } from './pod.js';
import { metadata } from './workload.js';

/**
 * @import { Times } from '../app.js'
 * @import { Manifest, Workload } from './workload.js'
 */

/** @param {Workload} workload @returns {Manifest} */
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
  const { key, pattern, timezone } = timesOf(workload);
  const { overlap } = workload.app.spec;
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

/** @param {Workload} workload @returns {Times} */
function timesOf({ app }) {
  return app.times ?? { key: 'schedule', pattern: '', timezone: null };
}

/** @param {Workload} workload */
function jobSpec(workload) {
  const { ending } = workload.app;
  return {
    backoffLimit: noted(0, ending),
    template: podTemplate(workload, { restartPolicy: noted('Never', ending) }),
  };
}
