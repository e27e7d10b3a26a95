/** The options with which `reload` judges a canary, and the order that they make. */
import { MAX_JUDGED_MS, canaryOrder } from './order.js';
import { NodeclusterError } from '../../errors/error.js';
import { parseDuration } from '../../shared/units.js';
import { parseCount } from '../../cli/options.js';

/**
 * @import { CanaryOrder } from '../../protocol/shapes.js'
 * @import { CommandOption } from '../../cli/verbs.js'
 */

/** @type {CommandOption[]} */
export const canaryOptions = [
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
    parse: parseCount,
  },
].map((option) => ({ ...option, heading: 'To judge a canary under real traffic:' }));

/**
 * @param {Record<string, any>} options of `reload`
 * @returns {{canary?: CanaryOrder}}
 * @throws {NodeclusterError} E_USAGE
 */
export function canaryParams({ canary: instances, for: forMs, max5xx, maxP99, minRequests }) {
  if (instances !== undefined) {
    return { canary: canaryOrder({ instances, forMs, max5xx, maxP99, minRequests }) };
  }
  if ([forMs, max5xx, maxP99, minRequests].every((value) => value === undefined)) return {};
  const detail = '--for, --max-5xx, --max-p99 and --min-requests need --canary';
  throw new NodeclusterError('E_USAGE', { detail, command: 'reload' });
}

/** @param {string} text */
function parseJudgedTime(text) {
  const ms = parseDuration(text);
  if (ms === null || ms === 0) throw new RangeError('It must be a duration such as 30s or 10m');
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
