/** What was measured of a home, as the text that Prometheus reads. */
import { VERSION } from '../../../shared/version.js';
import { renderExposition } from './exposition.js';
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
 * @param {Measurements | null} measured null: no daemon runs
 * @returns {string} without the last line end
 */
export function renderMetrics(measured) {
  const { version = VERSION, node = '' } = measured?.daemon ?? {};
  const families = [
    ...familiesOf(buildMetrics, [[{ version, node }, null]]),
    ...familiesOf(homeMetrics, [[{}, measured]]),
    ...(measured ? everything(measured) : []),
  ];
  return renderExposition(families);
}

/** @param {Measurements} measured */
function everything({ daemon, apps }) {
  const primaries = apps.map((app) => ({
    labels: { process: 'primary', app: app.name },
    usage: app.primaryUsage,
  }));
  const supervisors = [
    { labels: { process: 'daemon', app: '' }, usage: daemon.usage },
    ...primaries,
  ];
  const workers = apps.flatMap((app) =>
    app.workers.map((worker) => labelled({ ...labelsOf(app), worker: worker.slot }, worker)),
  );
  return [
    ...familiesOf(daemonMetrics, [[{}, daemon]]),
    ...familiesOf(
      supervisorMetrics,
      supervisors.map(({ labels, usage }) => labelled(labels, usage)),
    ),
    ...familiesOf(
      appMetrics,
      apps.map((app) => labelled(labelsOf(app), app)),
    ),
    ...familiesOf(workerMetrics, workers),
  ];
}

/**
 * @template T
 * @param {Labels} labels
 * @param {T} of
 * @returns {[Labels, T]}
 */
function labelled(labels, of) {
  return [labels, of];
}

/** @param {{name: string, namespace: string}} app */
function labelsOf({ name, namespace }) {
  return { app: name, namespace };
}

/**
 * @template T
 * @param {Metric<T>[]} metrics
 * @param {[Labels, T][]} all what each is read of
 * @returns {Family[]}
 */
function familiesOf(metrics, all) {
  return metrics.map(({ name, type, help, read }) => ({
    name: `nodecluster_${name}`,
    type,
    help,
    samples: all.flatMap(([labels, of]) => samplesOf(labels, read(of))),
  }));
}

/**
 * @param {Labels} labels
 * @param {Reading} reading
 * @returns {Sample[]} none of what is not known
 */
function samplesOf(labels, reading) {
  if (reading === null || reading === undefined) return [];
  if (typeof reading === 'number') return [{ labels, value: reading }];
  if (!Array.isArray(reading)) return [{ labels, distribution: reading }];
  return reading.map(([more, value]) => ({ labels: { ...labels, ...more }, value }));
}
