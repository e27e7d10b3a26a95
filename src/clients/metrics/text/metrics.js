/** Renders the measurements of a home directory in the Prometheus text format. */
import { VERSION } from '../../../shared/version.js';
import { renderExposition } from './exposition.js';
import { programFamilies } from '../../../features/program-metrics/show.js';
import {
  appMetrics,
  buildMetrics,
  daemonMetrics,
  homeMetrics,
  supervisorMetrics,
  workerMetrics,
} from './table.js';

/**
 * @import { Measurements } from '../../../protocol/methods.js'
 * @import { Family, Labels, Sample } from './exposition.js'
 * @import { Metric, Reading } from './table.js'
 */

/**
 * @param {Measurements | null} measured null: no daemon is running
 * @returns {string} without a newline at the end
 */
export function renderMetrics(measured) {
  return renderExposition(metricFamilies(measured));
}

/**
 * @param {Measurements | null} measured as above
 * @returns {Family[]}
 */
export function metricFamilies(measured) {
  const { version = VERSION, node = '' } = measured?.daemon ?? {};
  const daemons = measured ? [measured.daemon] : [];
  const apps = measured?.apps ?? [];
  const supervisors = [
    ...daemons.map(({ usage }) => ({ labels: { process: 'daemon', app: '' }, source: usage })),
    ...apps.map(({ name, primaryUsage }) => ({
      labels: { process: 'primary', app: name },
      source: primaryUsage,
    })),
  ];
  const workers = apps.flatMap((app) =>
    app.workers.map((worker) => ({
      labels: { ...labelsOf(app), worker: worker.slot },
      source: worker,
    })),
  );
  return [
    ...familiesOf(buildMetrics, [{ labels: { version, node }, source: null }]),
    ...familiesOf(homeMetrics, [{ labels: {}, source: measured }]),
    ...familiesOf(
      daemonMetrics,
      daemons.map((daemon) => ({ labels: {}, source: daemon })),
    ),
    ...familiesOf(supervisorMetrics, supervisors),
    ...familiesOf(
      appMetrics,
      apps.map((app) => ({ labels: labelsOf(app), source: app })),
    ),
    ...familiesOf(workerMetrics, workers),
    ...programFamilies(apps, labelsOf),
  ];
}

/** @param {{name: string, namespace: string}} app */
function labelsOf({ name, namespace }) {
  return { app: name, namespace };
}

/**
 * @template T
 * @param {Metric<T>[]} metrics
 * @param {{labels: Labels, source: T}[]} labelled
 * @returns {Family[]}
 */
function familiesOf(metrics, labelled) {
  return metrics.map(({ name, type, help, read }) => ({
    name: `nodecluster_${name}`,
    type,
    help,
    samples: labelled.flatMap(({ labels, source }) => samplesOf(labels, read(source))),
  }));
}

/**
 * @param {Labels} labels
 * @param {Reading} reading
 * @returns {Sample[]} none if the value is not known
 */
function samplesOf(labels, reading) {
  if (reading === null || reading === undefined) return [];
  if (typeof reading === 'number') return [{ labels, value: reading }];
  if (!Array.isArray(reading)) return [{ labels, distribution: reading }];
  return reading.map(([more, value]) => ({ labels: { ...labels, ...more }, value }));
}
