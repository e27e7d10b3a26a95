/** An event as one line. */
import { maskLine } from './mask.js';
import { paint, paintStatus } from './palette.js';
import { formatElapsed } from './quantity.js';

/**
 * @import { Event } from '../../protocol/shapes.js'
 * @import { Terminal } from './palette.js'
 */

/**
 * @param {Event} event
 * @param {Terminal} terminal
 * @returns {string} `14:03:21 api:1 exited: exit code 1`
 */
export function renderEvent(event, terminal) {
  const { type, app, slot, at, ...details } = /** @type {Record<string, any>} */ (event);
  const name = app && (slot === undefined ? app : `${app}:${slot}`);
  const [what, detail] = describeEvent(type, details, terminal);
  return [
    paint(terminal).dim(new Date(at).toTimeString().slice(0, 8)),
    ...(name ? [maskLine(name)] : []),
    detail ? `${what}: ${maskLine(detail)}` : what,
  ].join(' ');
}

/**
 * @param {string} type
 * @param {Record<string, any>} details
 * @param {Terminal} terminal
 * @returns {[what: string, detail: string | undefined]}
 */
function describeEvent(type, details, terminal) {
  const { reason, name, data, count, pid } = details;
  if (type === 'missed') return [`${count} events were missed`, undefined];
  if (type === 'worker.event') return [maskLine(name), data === null ? '' : JSON.stringify(data)];
  const [subject, change] = type.split('.');
  if (subject !== 'worker') {
    return [`${maskLine(subject)} ${maskLine(change)}`, outcomeText(details)];
  }
  const status = paintStatus(maskLine(change), terminal);
  return [status, reason ?? (pid ? `pid ${pid}` : undefined)];
}

/** @param {Record<string, any>} details */
function outcomeText({ ok, failed = [], durationMs }) {
  if (ok === undefined) return undefined;
  if (!ok) return failed[0]?.reason ?? 'failed';
  return durationMs > 0 ? `done in ${formatElapsed(durationMs)}` : 'done';
}
