/** Renders a progress event of a worker as one line. */
import { maskLine } from './mask.js';
import { paintStatus, plain } from './paint.js';

/**
 * @import { ProgressEvent } from '../protocol/shapes.js'
 * @import { Paint } from './paint.js'
 */

/**
 * @param {ProgressEvent} event
 * @param {Paint} [paint]
 */
export function renderProgress(event, paint = plain) {
  const worker = event.slot === undefined ? event.app : `${event.app}:${event.slot}`;
  const detail = detailOf(event);
  const words = [maskLine(worker), paintStatus(maskLine(event.kind), paint)];
  return [...words, ...(detail ? [paint.dim(detail)] : [])].join(' ');
}

/** @param {ProgressEvent} event */
function detailOf({ kind, pid, reason }) {
  // `exited` is followed by `with code 0`.
  const isRepeated = reason?.startsWith(`${kind} `);
  const text = reason && maskLine(isRepeated ? reason.slice(kind.length + 1) : reason);
  const isShown = pid && (!text || kind === 'starting');
  return [isShown ? `pid ${pid}` : '', text].filter(Boolean).join(', ');
}
