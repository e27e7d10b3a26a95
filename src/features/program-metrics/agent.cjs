'use strict';
/**
 * Reads the default registry of prom-client, if the program has loaded it, when the primary asks.
 * Nothing is loaded for it, and nothing is measured.
 */
const { onMessage, send } = require('../../agent/channel.cjs');

module.exports = { start };

const FILE = /[\\/]prom-client[\\/]index\.c?js$/;
/** Characters. */
const MAX_REASON = 200;
const MAX_TEXT = 1000;

/** @typedef {{getMetricsAsJSON: () => any}} Registry */

function start() {
  onMessage('program-metrics', ({ maxLength }) => {
    readAll()
      .then((metrics) => encode(metrics, maxLength))
      // A program may throw anything.
      .catch((error) => ({ failure: short(error?.message ?? error, MAX_REASON) }))
      .catch(() => ({ failure: 'it could not be read' }))
      .then((reply) => send('program-metrics', reply))
      .catch(() => {});
  });
}

/** The copy that the program itself loads comes before those inside of its packages. @returns {Registry[]} */
function findRegistries() {
  const files = Object.keys(require.cache).filter((file) => FILE.test(file));
  return files
    .sort((one, other) => one.length - other.length)
    .map((file) => require.cache[file]?.exports?.register)
    .filter((registry) => typeof registry?.getMetricsAsJSON === 'function');
}

/** @returns {Promise<any[]>} the metrics, one of each name */
async function readAll() {
  const lists = await Promise.all(findRegistries().map(async (one) => one.getMetricsAsJSON()));
  const byName = new Map();
  for (const metric of lists.flat()) {
    if (!byName.has(metric?.name)) byName.set(metric?.name, metric);
  }
  return [...byName.values()].filter((metric) => metric?.aggregator !== 'omit');
}

/** @param {any[]} metrics @param {number} maxLength */
function encode(metrics, maxLength) {
  /** @type {string[]} */
  const texts = [];
  let left = maxLength - 2;
  for (const text of metrics.map(encodeOne)) {
    if (text === null || text.length + 1 > left) continue;
    texts.push(text);
    left -= text.length + 1;
  }
  return { text: `[${texts.join(',')}]`, dropped: metrics.length - texts.length };
}

/** @param {any} metric @returns {string | null} null: it is not one of prom-client's */
function encodeOne(metric) {
  try {
    const { name, type, help, aggregator = 'sum', values } = metric;
    const samples = [];
    for (const { metricName = name, labels = {}, value } of values) {
      // JSON has no number for these, and quantiles of several workers cannot be combined.
      const isQuantile = type === 'summary' && 'quantile' in labels;
      if (isQuantile || [Infinity, -Infinity, NaN].includes(value)) continue;
      // One that is too long, such as a URL that somebody sent, must not cost the metric.
      const texts = Object.entries(labels).map(([label, text]) => [label, short(text, MAX_TEXT)]);
      samples.push([metricName.slice(name.length), Object.fromEntries(texts), value]);
    }
    return JSON.stringify({ name, type, help: short(help, MAX_TEXT), aggregator, samples });
  } catch {
    return null;
  }
}

/** @param {unknown} text @param {number} maxLength */
function short(text, maxLength) {
  return String(text).slice(0, maxLength);
}
