/** Renders the measurements of a home directory in the Prometheus text format. */
import { say } from './features.js';
import { appMetrics, homeMetrics, supervisorMetrics, workerMetrics } from './metrics-table.js';

/**
 * @import { Listed } from '../protocol/methods.js'
 * @import { Field } from '../protocol/request.js'
 * @import { Metric, Reading } from './metrics-table.js'
 * @import { Family, Labels, Sample } from './metric-family.js'
 */

/** What the daemon must be asked for. @type {Field[]} */
export const METRIC_FIELDS = ['usage', 'counters', 'programMetrics'];

/**
 * @param {Listed | null} measured null: no daemon is running
 * @param {string} [ownVersion] what is said to be installed then
 * @returns {string} without a newline at the end
 */
export function renderMetrics(measured, ownVersion) {
  return renderExposition(metricFamilies(measured, ownVersion));
}

/**
 * @param {Listed | null} measured as above
 * @param {string} [ownVersion]
 */
export function metricFamilies(measured, ownVersion = '') {
  const { version = ownVersion, node = '' } = measured?.daemon ?? {};
  const apps = measured?.apps ?? [];
  const supervisors = [
    ...(measured
      ? [{ labels: { process: 'daemon', app: '' }, source: measured.daemon.usage }]
      : []),
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
    ...familiesOf(homeMetrics, [{ labels: {}, source: { version, node, measured } }]),
    ...familiesOf(supervisorMetrics, supervisors),
    ...familiesOf(
      appMetrics,
      apps.map((app) => ({ labels: labelsOf(app), source: app })),
    ),
    ...familiesOf(workerMetrics, workers),
    ...say('families', apps, labelsOf),
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
  return reading.map(([more, value, suffix]) => ({
    labels: { ...labels, ...more },
    value,
    suffix,
  }));
}

/**
 * Renders metrics in the Prometheus text format, which Prometheus 2 and 3 both scrape.
 * @param {Family[]} families those without samples are left out
 * @returns {string} without a newline at the end
 */
export function renderExposition(families) {
  return families
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ name, type, help, samples }) => [
      `# HELP ${name} ${escapeHelp(help)}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(
        ({ labels, suffix = '', value }) => `${name}${suffix}${labelText(labels)} ${value}`,
      ),
    ])
    .join('\n');
}

/** @param {Labels} labels */
function labelText(labels) {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escapeLabel(String(value))}"`,
  );
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
}

/** @param {string} value */
function escapeLabel(value) {
  return escapeHelp(value).replaceAll('"', '\\"');
}

/** @param {string} text */
function escapeHelp(text) {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
