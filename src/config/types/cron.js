/** Cron patterns, checked by the parser that runs them. The only importer of croner. */
import { createRequire } from 'node:module';
import { onDemand } from '../../shared/package/on-demand.js';

/** @import { Cron } from 'croner' */

const require = createRequire(import.meta.url);
/** Few apps have a pattern. */
const croner = onDemand(() => /** @type {typeof import('croner')} */ (require('croner')));

/**
 * @param {string} pattern five fields, six with seconds first, or a nickname such as @daily
 * @param {string} [timezone] default: that of this process
 * @returns {Cron} not scheduled; used only to compute times
 * @throws {Error} with a reason that completes "the pattern is not valid: …"
 */
export function parseCronPattern(pattern, timezone) {
  // croner would parse it as a date.
  if (pattern.includes(':')) throw new Error('it is a date, not a pattern');
  try {
    return new (croner().Cron)(pattern, { paused: true, timezone });
  } catch (error) {
    throw new Error(describeFault(/** @type {Error} */ (error).message), { cause: error });
  }
}

/**
 * croner counts days and months from 0, so the number in its message is not the one in the pattern.
 * @param {string} message
 */
function describeFault(message) {
  const field = /Invalid value for (\w+)/.exec(message)?.[1];
  if (field) return `the ${field.replace('dayOfWeek', 'day of the week')} is out of range`;
  const text = message
    .replace(/^CronPattern: (invalid configuration format .*, )?/, '')
    .replace(/\.$/, '');
  return text.charAt(0).toLowerCase() + text.slice(1);
}
