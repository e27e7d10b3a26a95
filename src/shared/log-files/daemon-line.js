/** Lines of daemon.log: each is a JSON object, or text that Node printed. */
import { attempt } from '../../errors/error.js';
import { valueText } from '../quoting.js';

/**
 * @param {string} line
 * @returns {{app: null, worker: null, stream: null, goesOn: false, time: number | null,
 *   message: string, record?: Record<string, unknown>}} in the form of a line of an app's log
 */
export function readDaemonLine(line) {
  const noSource = /** @type {const} */ ({ app: null, worker: null, stream: null, goesOn: false });
  const record = attempt(() => JSON.parse(line), null);
  if (typeof record?.event !== 'string') return { ...noSource, time: null, message: line };
  const time = Date.parse(String(record.time));
  const message = describeRecord(record).join(' ');
  return { ...noSource, time: Number.isNaN(time) ? null : time, message, record };
}

/** @param {Record<string, unknown>} record @returns {[event: string, details: string]} */
export function describeRecord({ event, app, slot, ...rest }) {
  const worker = slot === undefined || slot === null ? app : `${app}:${slot}`;
  // null, '' and empty lists say nothing.
  const pairs = Object.entries(rest).filter(([, value]) => String(value ?? '') !== '');
  const details = pairs.filter(([key]) => !['time', 'level', 'daemon'].includes(key));
  const facts = details.map(([key, value]) => `${key}=${valueText(value)}`);
  return [String(event), [...(worker ? [worker] : []), ...facts].join(' ')];
}
