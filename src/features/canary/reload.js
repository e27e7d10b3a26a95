/** How canaries are judged, as the command and programs say it. */
import { usageError } from '../../errors/error.js';
import { isCount, isObject } from '../../shared/checks.js';
import { parseCount, parseDuration, parseTypedDuration } from '../../shared/units.js';

/**
 * @import { Kind } from '../../api/arguments.js'
 * @import { CommandOption } from '../../cli/command.js'
 * @import { Rolling } from '../../protocol/methods.js'
 * @import { FeatureReloadOptions, FeatureRolling } from '../record.js'
 * @import { CanaryOptions, CanaryOrder } from './record.js'
 */

const MAX_JUDGED_MS = 86_400_000;

/** @type {CommandOption[]} */
export const flags = [
  {
    flags: '--canary <n>',
    summary: 'judge n new workers, which serve beside the old ones, before the others follow',
    parse: parseCount,
  },
  {
    flags: '--for <duration>',
    summary: 'how long to judge them: 30s, 10m (default: 2m)',
    parse: parseTypedDuration,
  },
  {
    flags: '--max-5xx <percent>',
    summary: 'how many more responses with 5xx than the old workers they may give (default: 1%)',
    parse: (/** @type {string} */ text) => Number(/^([\d.]+)%$/.exec(text)?.[1]) / 100,
  },
  {
    flags: '--max-p99 <factor>',
    summary: 'how many times the 99th percentile of the old workers they may take (default: 2x)',
    parse: (/** @type {string} */ text) => Number(/^([\d.]+)x?$/.exec(text)?.[1]),
  },
].map((option) => ({ ...option, heading: 'To judge a canary under real traffic:' }));

export const examples = ['nodecluster reload api --canary 1 --for 5m --max-5xx 0.5%'];

/** @param {Record<string, any>} flags as they were given @returns {{canary?: CanaryOrder}} @throws {NodeclusterError} E_USAGE */
export function fromFlags({ canary: instances, for: time, max5xx, maxP99 }) {
  const given = { instances, for: time, max5xx, maxP99 };
  if (Object.values(given).every((value) => value === undefined)) return {};
  const order = instances === undefined ? null : orderOf(given);
  if (order) return { canary: order };
  const needs =
    '--for takes a duration such as 30s or 10m, at most a day, --max-5xx a percentage such as 0.5%, --max-p99 a factor from 1 up such as 1.5x; all of them need --canary';
  throw usageError('reload', needs);
}

/** The options of a program. @type {Record<string, Kind>} */
export const options = {
  canary: {
    expected:
      'an object such as {instances: 1, for: "2m", max5xx: 0.01, maxP99: 2}, each of which is optional',
    is: (value) => isObject(value) && orderOf(value) !== null,
  },
};

/** @param {FeatureReloadOptions} options of a program, which have been checked @returns {FeatureRolling} */
export function fromOptions({ canary }) {
  return canary ? { canary: orderOf(canary) ?? undefined } : {};
}

/** @param {Rolling} params of a command, which has others too @returns {Rolling} how its workers are replaced */
export function rollingIn({ parallel, onFailure, canary }) {
  return { parallel, onFailure, canary };
}

/** By how much longer it takes than others. @param {{canary?: {forMs: number}}} order, or what its primary reports */
export function addedMs({ canary }) {
  return canary?.forMs ?? 0;
}

/** @param {CanaryOptions} given @returns {CanaryOrder | null} null: they are not valid */
function orderOf({ instances = 1, for: time = '2m', max5xx = 0.01, maxP99 = 2, ...others }) {
  const forMs = Number(parseDuration(time));
  const isValid =
    isCount(instances) &&
    isWithin(instances, 1, Infinity) &&
    isWithin(forMs, 1, MAX_JUDGED_MS) &&
    isWithin(max5xx, 0, 1) &&
    isWithin(maxP99, 1, Infinity) &&
    Object.keys(others).length === 0;
  return isValid ? { instances, forMs, max5xx, maxP99 } : null;
}

/** @param {unknown} value @param {number} least @param {number} most */
function isWithin(value, least, most) {
  return typeof value === 'number' && value >= least && value <= most;
}
