/** Renders an event as one line. */
import { maskLine } from './mask.js';
import { paintStatus, plain } from './paint.js';
import { formatClock, formatElapsed } from './quantity.js';

/**
 * @import { AppOutcome, Event } from '../protocol/shapes.js'
 * @import { Paint } from './paint.js'
 */

/**
 * @param {Event} event
 * @param {Paint} paint
 * @returns {string} `14:03:21 api:1 exited: exit code 1`
 */
export function renderEvent(event, paint) {
  return `${paint.dim(formatClock(event.at))} ${eventText(event, paint)}`;
}

/**
 * @param {Event} event
 * @param {Paint} [paint]
 * @returns {string} `api:1 exited: exit code 1`
 */
export function eventText(event, paint = plain) {
  const app = 'app' in event ? event.app : null;
  const name = app !== null && 'slot' in event ? `${app}:${event.slot}` : app;
  const [what, detail] = describeEvent(event, paint);
  const text = detail ? `${what}: ${maskLine(detail)}` : what;
  return name ? `${maskLine(name)} ${text}` : text;
}

/** @param {Event} event @param {Paint} paint @returns {[what: string, detail?: string]} */
function describeEvent(event, paint) {
  if (event.type === 'missed') return [`${event.count} events were missed`];
  if (event.type === 'worker.event') {
    const { name, data } = event;
    return [maskLine(name), data === null ? '' : JSON.stringify(data)];
  }
  const [subject, change] = event.type.split('.').map(maskLine);
  if (event.type === 'alarm.undelivered') {
    return [`${maskLine(event.of)} not delivered to ${maskLine(event.to)}`, event.reason];
  }
  if (event.type === 'job.ended') return [`${subject} ${change}`, runText(event)];
  if ('ok' in event) return [`${subject} ${change}`, outcomeText(event)];
  const reason = 'reason' in event ? event.reason : undefined;
  if (subject !== 'worker') return [`${subject} ${change}`, reason];
  const pid = 'pid' in event ? event.pid : null;
  return [paintStatus(change, paint), reason ?? (pid ? `pid ${pid}` : undefined)];
}

/** @param {{ok: boolean, reason: string, durationMs?: number}} run */
function runText({ ok, reason, durationMs }) {
  const time = durationMs === undefined ? '' : ` after ${formatElapsed(durationMs)}`;
  return `${ok ? 'succeeded' : `failed, ${reason}`}${time}`;
}

/** @param {Pick<AppOutcome, 'ok' | 'failed' | 'durationMs'>} outcome */
function outcomeText({ ok, failed, durationMs }) {
  if (!ok) return failed[0]?.reason ?? 'failed';
  return durationMs > 0 ? `done in ${formatElapsed(durationMs)}` : 'done';
}
