/** How canaries are judged, as the command and programs say it. */
import { usageError } from '../../errors/error.js';
import { isCount, isObject } from '../../shared/checks.js';
import { parseCount, parseDuration, parseTypedDuration } from '../../shared/units.js';

/**
 * @import { ReloadFeature } from '../reload.js'
 * @import { CanaryOptions, CanaryOrder } from './record.js'
 */

const MAX_JUDGED_MS = 86_400_000;

const flags = [
  {
    flags: '--canary <n>',
    summary: 'judge n new workers, which serve beside the old ones, before the others follow',
    parse: parseCount,
  },
  {
    flags: '--for <duration>',
    summary: 'how long to judge them: 30s, 10m (default: 2m)',
    parse: parseJudgedTime,
  },
  {
    flags: '--max-5xx <percent>',
    summary: 'how many more responses with 5xx than the old workers they may give (default: 1%)',
    parse: parsePercent,
  },
  {
    flags: '--max-p99 <factor>',
    summary: 'how many times the 99th percentile of the old workers they may take (default: 2x)',
    parse: parseFactor,
  },
  {
    flags: '--min-requests <n>',
    summary:
      'take them back if they answer fewer (default: a tenth of what as many old workers answer)',
    parse: (/** @type {string} */ text) => (text === '0' ? 0 : parseCount(text)),
  },
].map((option) => ({ ...option, heading: 'To judge a canary under real traffic:' }));

/** @type {Record<keyof CanaryOptions, (value: any) => boolean>} */
const IS = {
  instances: (value) => isCount(value) && value > 0,
  for: (value) => isWithin(parseDuration(value), 1, MAX_JUDGED_MS),
  max5xx: (value) => isWithin(value, 0, 1),
  maxP99: (value) => isWithin(value, 1, Infinity),
  minRequests: isCount,
};

/** @type {ReloadFeature} */
export const canary = {
  flags,
  examples: ['nodecluster reload api --canary 1 --for 5m --max-5xx 0.5%'],
  fromFlags,
  options: {
    canary: {
      expected:
        'an object such as {instances: 1, for: "2m", max5xx: 0.01, maxP99: 2, minRequests: 0}, each of which is optional',
      is: isCanaryOptions,
    },
  },
  fromOptions({ canary: given }) {
    if (!given) return {};
    return { canary: canaryOrder({ ...given, forMs: parseDuration(given.for) ?? undefined }) };
  },
};

/** @type {ReloadFeature['fromFlags']} */
function fromFlags({ canary: instances, for: forMs, max5xx, maxP99, minRequests }) {
  if (instances !== undefined) {
    return { canary: canaryOrder({ instances, forMs, max5xx, maxP99, minRequests }) };
  }
  if ([forMs, max5xx, maxP99, minRequests].every((value) => value === undefined)) return {};
  throw usageError('reload', '--for, --max-5xx, --max-p99 and --min-requests need --canary');
}

/** @param {Partial<CanaryOrder>} given @returns {CanaryOrder} complete */
function canaryOrder({ instances, forMs, max5xx, maxP99, minRequests }) {
  return {
    instances: instances ?? 1,
    forMs: forMs ?? 120_000,
    max5xx: max5xx ?? 0.01,
    maxP99: maxP99 ?? 2,
    minRequests,
  };
}

/** @param {any} value @returns {value is CanaryOptions} */
function isCanaryOptions(value) {
  if (!isObject(value)) return false;
  return Object.entries(value).every(
    ([name, each]) =>
      Object.hasOwn(IS, name) &&
      (each === undefined || IS[/** @type {keyof CanaryOptions} */ (name)](each)),
  );
}

/** @param {any} value @param {number} least @param {number} most */
function isWithin(value, least, most) {
  return typeof value === 'number' && value >= least && value <= most;
}

/** @param {string} text */
function parseJudgedTime(text) {
  const ms = parseTypedDuration(text);
  if (!ms) throw new RangeError('It must be a duration such as 30s or 10m');
  if (ms > MAX_JUDGED_MS) throw new RangeError('It must be at most a day');
  return ms;
}

/** @param {string} text */
function parsePercent(text) {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1];
  if (percent === undefined) throw new RangeError('It must be a percentage such as 0.5%');
  return Number(percent) / 100;
}

/** @param {string} text */
function parseFactor(text) {
  const factor = /^(\d+(?:\.\d+)?)x?$/.exec(text)?.[1];
  if (factor === undefined || Number(factor) < 1) {
    throw new RangeError('It must be a factor from 1 up, such as 1.5x');
  }
  return Number(factor);
}
