/** Something that happened, on a line. */
import { maskLine } from './mask.js';
import { paint, paintStatus } from './palette.js';
import { formatElapsed } from './quantity.js';

/** @import { Terminal } from './palette.js' */

/** @typedef {Record<string, any> & {type: string, at: number}} Event */

/**
 * @param {Event} event
 * @param {Terminal} terminal
 * @returns {string} `14:03:21 api:1 exited: exit code 1`
 */
export function renderEvent(event, terminal) {
  const { app, slot, at } = event;
  const who = app && (slot === undefined ? app : `${app}:${slot}`);
  const [words, detail] = tellingOf(event, terminal);
  return [
    paint(terminal).dim(timeOf(at)),
    ...(who ? [maskLine(who)] : []),
    detail ? `${words}: ${maskLine(detail)}` : words,
  ].join(' ');
}

/**
 * @param {Event} event
 * @param {Terminal} terminal
 * @returns {[string, string | undefined]} what happened, and more of it
 */
function tellingOf({ type, ...rest }, terminal) {
  const { reason, name, data, count, pid } = rest;
  if (type === 'missed') return [`${count} events were missed`, undefined];
  if (type === 'worker.event') return [maskLine(name), data === null ? '' : JSON.stringify(data)];
  const [kind, what] = type.split('.');
  if (kind !== 'worker') return [`${maskLine(kind)} ${maskLine(what)}`, outcomeOf(rest)];
  const status = paintStatus(maskLine(what), terminal);
  return [status, reason ?? (pid ? `pid ${pid}` : undefined)];
}

/** @param {Record<string, any>} event */
function outcomeOf({ ok, failed = [], durationMs }) {
  if (ok === undefined) return undefined;
  if (!ok) return failed[0]?.reason ?? 'failed';
  return durationMs > 0 ? `done in ${formatElapsed(durationMs)}` : 'done';
}

/** @param {number} at epoch ms */
function timeOf(at) {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
