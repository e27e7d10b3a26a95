'use strict';
/**
 * Reads the default registry of prom-client, if the program has loaded it, when the primary asks.
 * Nothing is loaded for it, and nothing is measured.
 */
const { onMessage, send } = require('../../agent/channel.cjs');
const { clearTimeout, guarded, setTimeout } = require('../../agent/guard.cjs');

module.exports = { start };

const FILE = /[\\/]prom-client[\\/]index\.c?js$/;
const MAX_REASON = 200;
/** What JSON has no number for, as Prometheus writes it. @type {Map<unknown, string>} */
const SPECIAL = new Map([
  [NaN, 'NaN'],
  [Infinity, '+Inf'],
  [-Infinity, '-Inf'],
]);

/** @typedef {{getMetricsAsJSON: () => any}} Registry */

function start() {
  let isReading = false;
  onMessage('program-metrics', ({ timeoutMs, maxLength }) => {
    // A collect function of the program that hangs is not called a second time.
    if (isReading) return send('program-metrics', { isLate: true });
    isReading = true;
    let isAnswered = false;
    const answer = (/** @type {Record<string, unknown>} */ data) => {
      if (!isAnswered) send('program-metrics', data);
      isAnswered = true;
    };
    const timer = setTimeout(() => answer({ isLate: true }), timeoutMs);
    timer.unref();
    const finish = guarded((/** @type {Record<string, unknown>} */ data) => {
      isReading = false;
      clearTimeout(timer);
      answer(data);
    });
    read(maxLength).then(finish);
  });
}

/** @param {number} maxLength @returns {Promise<Record<string, unknown>>} it never rejects */
async function read(maxLength) {
  try {
    return encode(await readAll(findRegistries()), maxLength);
  } catch (error) {
    return { failure: describe(error) };
  }
}

/** The copy that the program itself loads comes before those inside of its packages. @returns {Registry[]} */
function findRegistries() {
  const files = Object.keys(require.cache).filter((file) => FILE.test(file));
  return files
    .sort((one, other) => one.length - other.length)
    .map((file) => require.cache[file]?.exports?.register)
    .filter((registry) => typeof registry?.getMetricsAsJSON === 'function');
}

/** @param {Registry[]} registries @returns {Promise<any[]>} the metrics, one of each name */
async function readAll(registries) {
  const lists = await Promise.all(registries.map(async (one) => one.getMetricsAsJSON()));
  const byName = new Map();
  for (const metric of lists.flat()) {
    if (!byName.has(metric?.name)) byName.set(metric?.name, metric);
  }
  return [...byName.values()];
}

/** @param {any[]} metrics @param {number} maxLength */
function encode(metrics, maxLength) {
  /** @type {string[]} */
  const texts = [];
  let length = 2;
  let dropped = 0;
  for (const metric of metrics) {
    const text = encodeOne(metric);
    if (text === null || length + text.length + 1 > maxLength) {
      dropped += 1;
      continue;
    }
    texts.push(text);
    length += text.length + 1;
  }
  return { text: `[${texts.join(',')}]`, dropped };
}

/** @param {any} metric @returns {string | null} null: it is not one of prom-client's */
function encodeOne(metric) {
  try {
    const { name, type, help, aggregator = 'sum', values } = metric;
    const samples = values.map((/** @type {any} */ { metricName = name, labels, value }) => [
      metricName.slice(name.length),
      labels,
      SPECIAL.get(value) ?? value,
    ]);
    return JSON.stringify({ name, type, help, aggregator, samples });
  } catch {
    return null;
  }
}

/** Whatever a program may throw. @param {unknown} error */
function describe(error) {
  try {
    return String(/** @type {any} */ (error)?.message ?? error).slice(0, MAX_REASON);
  } catch {
    return 'it could not be read';
  }
}
