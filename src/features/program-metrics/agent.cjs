'use strict';
/** Reads the default registry of prom-client, if the program has loaded it, when the primary asks. */
const { onMessage, send } = require('../../agent/channel.cjs');

module.exports = { start };

const FILE = /[\\/]prom-client[\\/]index\.c?js$/;
/** Characters. One that is too long, such as a URL that somebody sent, must not cost the metric. */
const MAX_TEXT = 1000;

function start() {
  onMessage('program-metrics', ({ maxLength }) => {
    read(maxLength)
      .catch((error) => ({ failure: short(error?.message ?? error) }))
      .then((reply) => send('program-metrics', reply))
      // A program may throw anything.
      .catch(() => {});
  });
}

/** @param {number} maxLength @returns {Promise<{text: string}>} the metrics as JSON */
async function read(maxLength) {
  const files = Object.keys(require.cache).filter((file) => FILE.test(file));
  const lists = await Promise.all(
    // Of two of one name, that of the copy which the program itself loads counts, not of one inside of its packages.
    files
      .sort((one, other) => other.length - one.length)
      .map((file) => require.cache[file]?.exports?.register?.getMetricsAsJSON?.() ?? []),
  );
  const byName = new Map(lists.flat().map((metric) => [metric.name, metric]));
  const metrics = [...byName.values()].filter(({ aggregator }) => aggregator !== 'omit');
  const text = JSON.stringify(metrics.map(familyOf));
  if (text.length > maxLength) throw new Error(`its metrics have ${text.length} characters`);
  return { text };
}

/** @param {any} metric of prom-client */
function familyOf({ name, type, help, aggregator = 'sum', values }) {
  const samples = [];
  for (const { metricName = name, labels = {}, value } of values) {
    // JSON has no number for these, and quantiles of several workers cannot be combined.
    const isQuantile = type === 'summary' && 'quantile' in labels;
    if (isQuantile || [Infinity, -Infinity, NaN].includes(value)) continue;
    const texts = Object.entries(labels).map(([label, text]) => [label, short(text)]);
    samples.push([metricName.slice(name.length), Object.fromEntries(texts), value]);
  }
  return { name, type, help: short(help), aggregator, samples };
}

/** @param {unknown} text */
function short(text) {
  return String(text).slice(0, MAX_TEXT);
}
