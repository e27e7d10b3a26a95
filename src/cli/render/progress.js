/** One line for each thing that happens to a worker while a command waits for it. */
import { maskLine } from './mask.js';
import { paint, paintStatus } from './palette.js';
import { formatCount } from './quantity.js';

/** @import { Terminal } from './palette.js' */

/**
 * @typedef {object} ProgressEvent
 * @property {string} app
 * @property {string} kind starting, online, draining, stopping, stopped, failed, cut or waiting
 * @property {number} [slot]
 * @property {number} [pid]
 * @property {string} [reason] why it failed, or what is waited for
 * @property {number} [connections] how many long-lived ones were cut
 */

/**
 * @param {ProgressEvent} event
 * @param {Terminal} terminal
 * @returns {string}
 */
export function renderProgress(event, terminal) {
  const worker = event.slot === undefined ? event.app : `${event.app}:${event.slot}`;
  const detail = detailOf(event);
  const words = [maskLine(worker), paintStatus(maskLine(event.kind), terminal)];
  return [...words, ...(detail ? [paint(terminal).dim(detail)] : [])].join(' ');
}

/** @param {ProgressEvent} event */
function detailOf({ kind, pid, reason, connections }) {
  if (kind === 'cut' && connections !== undefined) {
    return formatCount(connections, 'long-lived connection');
  }
  if (reason) return maskLine(reason);
  return pid ? `pid ${pid}` : '';
}
