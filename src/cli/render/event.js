/** Renders an event as one line. */
import { maskLine } from './mask.js';
import { paint, paintStatus } from './palette.js';
import { formatElapsed } from './quantity.js';

/**
 * @import { AppOutcome, Event } from '../../protocol/shapes.js'
 * @import { Terminal } from './palette.js'
 */

/**
 * @param {Event} event
 * @param {Terminal} terminal
 * @returns {string} `14:03:21 api:1 exited: exit code 1`
 */
export function renderEvent(event, terminal) {
  const time = paint(terminal).dim(new Date(event.at).toTimeString().slice(0, 8));
  return `${time} ${eventText(event, terminal)}`;
}

/**
 * @param {Event} event
 * @param {Terminal} terminal
 * @returns {string} `api:1 exited: exit code 1`
 */
export function eventText(event, terminal) {
  const app = 'app' in event ? event.app : null;
  const name = app !== null && 'slot' in event ? `${app}:${event.slot}` : app;
  const [what, detail] = describeEvent(event, terminal);
  const text = detail ? `${what}: ${maskLine(detail)}` : what;
  return name ? `${maskLine(name)} ${text}` : text;
}

/** @param {Event} event @param {Terminal} terminal @returns {[what: string, detail?: string]} */
function describeEvent(event, terminal) {
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
  return [paintStatus(change, terminal), reason ?? (pid ? `pid ${pid}` : undefined)];
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
