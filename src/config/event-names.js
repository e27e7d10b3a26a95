/** The types of the events that an alarm can name, and what its patterns mean. */
/** @import { Event } from '../protocol/shapes.js' */

/**
 * Not `worker.event`, which a program sends and could deliver itself, and not what happens to an alarm.
 * @typedef {Exclude<Event['type'], 'missed' | 'worker.event' | 'alarm.undelivered'>} EventName
 */

/** Complete, since the type says so. @type {Record<EventName, null>} */
const NAMES = {
  'worker.starting': null,
  'worker.online': null,
  'worker.draining': null,
  'worker.stopping': null,
  'worker.stopped': null,
  'worker.exited': null,
  'worker.errored': null,
  'worker.unresponsive': null,
  'worker.responsive': null,
  'worker.stack': null,
  'worker.unhealthy': null,
  'worker.healthy': null,
  'worker.replacing': null,
  'worker.judging': null,
  'worker.judged': null,
  'app.unhealthy': null,
  'app.healthy': null,
  'primary.lost': null,
  'job.started': null,
  'job.skipped': null,
  'job.ended': null,
  'start.begun': null,
  'start.ended': null,
  'stop.begun': null,
  'stop.ended': null,
  'restart.begun': null,
  'restart.ended': null,
  'reload.begun': null,
  'reload.ended': null,
  'reload.rollback': null,
  'scale.begun': null,
  'scale.ended': null,
  'delete.begun': null,
  'delete.ended': null,
  'reset.begun': null,
  'reset.ended': null,
  'configure.begun': null,
  'configure.ended': null,
  'update.begun': null,
  'update.ended': null,
};

export const eventNames = Object.freeze(Object.keys(NAMES));

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
