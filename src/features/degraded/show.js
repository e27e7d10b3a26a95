/** What a worker that serves does not do as it should. */
import { formatSize } from '../../shared/units.js';
import { formatAge } from '../../show/quantity.js';
import { judgeLoad } from './decide.js';

/**
 * @import { App, Worker } from '../../protocol/shapes.js'
 * @import { ShowFeature } from '../../show/features.js'
 * @import { Facts } from './decide.js'
 */

/** @type {ShowFeature} */
export const degraded = { troubles };

/**
 * @param {App} app
 * @param {Worker | null} worker null: the app as a whole
 * @param {number} now epoch ms
 * @returns {string[]} `oldest request 5 s`, `5xx 40/40`, `+14M/min`, `3 crashes in 1 m`
 */
function troubles({ workers }, worker, now) {
  const known = (worker ? [worker] : workers).filter(({ status }) => status === 'online');
  const crashes = (worker ? [worker] : workers).reduce(
    (sum, { recentCrashes = 0 }) => sum + recentCrashes,
    0,
  );
  const judged = known.map((one) => {
    const others = workers.filter((other) => other !== one).map((other) => factsOf(other, now));
    const facts = factsOf(one, now);
    return { facts, verdict: judgeLoad(facts, others) };
  });
  const failing = (/** @type {string} */ verdict) =>
    judged.filter((one) => one.verdict === verdict).map(({ facts }) => facts);
  return [
    ...texts(failing('waits'), (all) => {
      return `oldest request ${formatAge(Math.max(...all.map(({ oldestMs }) => oldestMs)))}`;
    }),
    ...texts(failing('errors'), (all) => `5xx ${sum(all, 'errors')}/${sum(all, 'answered')}`),
    ...texts(failing('memory'), (all) => `+${formatSize(sum(all, 'memoryGrowth'))}/min`),
    ...(crashes > 0 ? [`${crashes} ${crashes === 1 ? 'crash' : 'crashes'} in 1 m`] : []),
  ];
}

/** @param {Facts[]} all @param {(all: Facts[]) => string} text */
function texts(all, text) {
  return all.length > 0 ? [text(all)] : [];
}

/** @param {Facts[]} all @param {'errors' | 'answered' | 'memoryGrowth'} key */
function sum(all, key) {
  return all.reduce((total, one) => total + (one[key] ?? 0), 0);
}

/** @param {Worker} worker @param {number} now @returns {Facts} */
function factsOf({ requests, memoryGrowth }, now) {
  const { oldestSince = now, answered = 0, errors = 0 } = requests ?? {};
  return { oldestMs: now - oldestSince, answered, errors, memoryGrowth };
}
