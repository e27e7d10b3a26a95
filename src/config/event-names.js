/** What the patterns of an alarm mean. */
import { eventNames } from './events.js';

/**
 * @param {string} pattern a name, or one with `*` before or after the dot: `worker.*`, `*.ended`; `*`: all
 * @returns {string[]} the names that it means; none if it is not valid
 */
export function eventsOf(pattern) {
  const [subject, change = subject === '*' ? '*' : '', ...rest] = pattern.split('.');
  if (rest.length > 0) return [];
  const fits = (/** @type {string} */ part, /** @type {string} */ of) => of === '*' || part === of;
  return eventNames.filter((name) => {
    const [first, second] = name.split('.');
    return fits(first, subject) && fits(second, change);
  });
}
