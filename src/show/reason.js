/** Says why a worker is not online, or why something failed: the only place that has words for a reason. */
import { mainFrame, shortFrame } from '../lifecycle/hang-policy.js';
import { describeListenFault } from '../lifecycle/listening.js';
import { describeExit, errnoText } from '../lifecycle/restart-policy.js';
import { formatDuration, formatSize } from '../shared/units.js';

/** @import { Fact, Lateness, ListenFault, Reason, Worker } from '../protocol/shapes.js' */

/** @type {{[K in Fact['kind']]: (fact: Extract<Fact, {kind: K}>) => string}} */
const WORDS = {
  exit: describeExit,
  listen: describeListenFault,
  start: describeExit,
  late: lateText,
  hang({ ms, frame, graceMs }) {
    const where = frame ? ` in ${shortFrame(frame)}` : '';
    const hang = `event loop blocked for ${formatDuration(ms)}${where}`;
    if (graceMs === undefined) return hang;
    return `${hang}, killed ${graceMs ? `unless it turns within ${graceMs / 1000} s` : 'without a drain'}`;
  },
  // The worker had no descriptor for the socket that came with it.
  loss: ({ errno }) =>
    `could not be sent a ${errno === 'EMFILE' ? 'socket' : 'message'} (${errnoText(errno)})`,
  error: ({ text }) => text,
  reported: ({ text }) => text,
  check: ({ failures, text }) =>
    `failed its health check ${failures === 1 ? 'once' : `${failures} times in a row`} (${text})`,
  limit({ setting, value }) {
    if (setting === 'max_requests') return `answered ${value.toLocaleString('en')} requests`;
    if (setting === 'max_age') return `reached the age of ${formatDuration(value)}`;
    return `used more memory than its ${setting} of ${formatSize(value)}`;
  },
  waits: ({ ms, isSilent }) =>
    isSilent
      ? `has answered no request for ${formatDuration(ms)}`
      : `has not answered a request for ${formatDuration(ms)}`,
  errors: ({ count, total }) => `answered ${count} of its last ${total} requests with 5xx`,
  growth: ({ bytesPerMinute }) =>
    `uses ${Math.round(bytesPerMinute / 1024 ** 2)} MiB more each minute`,
};

/** @param {Reason} reason @returns {string} in words that follow the name of a worker or an app: `exited with code 1` */
export function reasonText(reason) {
  const { final, replaces } = reason;
  const text = factText(reason);
  if (replaces) return `${factText(replaces)} and could not be replaced: the next one ${text}`;
  if (final === undefined) return text;
  const isListen = reason.kind === 'listen';
  if (final === 'autorestart') return `${text}${isListen ? ';' : ' and'} autorestart is off`;
  if (final === 'stop_exit_codes') {
    const code = reason.kind === 'exit' ? `exit code ${reason.code}` : 'its exit code';
    return `${isListen ? `${text}; ` : ''}${code} is one of stop_exit_codes`;
  }
  const { failures, windowMs, isLonger } = final;
  const times = failures === 1 ? 'once' : `${failures} times`;
  const note = isLonger ? ', not counting the time of failed starts' : '';
  const last = reason.kind === 'hang' ? `was killed, its ${text}` : text;
  return `failed ${times} within ${formatDuration(windowMs)}${note}; the last time it ${last}`;
}

/** @param {Fact} fact */
function factText(fact) {
  // A daemon of another version may know others.
  if (!Object.hasOwn(WORDS, fact.kind))
    return 'failed for a reason that this version does not know';
  return /** @type {any} */ (WORDS)[fact.kind](fact);
}

/** @param {Lateness} late */
function lateText({ what, afterMs, addresses = [], instead = [], text }) {
  const time = afterMs === undefined ? '' : ` within ${afterMs / 1000} s`;
  const others = instead.length > 0 ? ` but on ${instead.join(', ')}` : '';
  const places = addresses.length > 0 ? ` on ${addresses.join(', ')}${others}` : '';
  const blocked = 'event loop blocked since its start';
  return {
    ready: `did not send 'ready'${time}`,
    load: `did not load${time}`,
    listen: `did not listen${places}${time}`,
    turn: afterMs === undefined ? blocked : `${blocked} for ${afterMs / 1000} s`,
    continue: 'was stopped by a signal during its start',
    check: `did not pass its health check${time}${text ? ` (${text})` : ''}`,
    exit: `did not exit${time}`,
    serve: 'is not online',
  }[what];
}

/** @param {{reason?: Reason | null, cause?: string | null}} failure @returns {string} with what the program wrote about its exit */
export function reasonWithCause({ reason, cause }) {
  if (!reason) return 'reason unknown';
  return `${reasonText(reason)}${reason.kind === 'exit' && cause ? `: ${cause}` : ''}`;
}

/** @param {{reason?: Reason | null, note?: string}} step @returns {string | undefined} why, and what else is to be said of it */
export function whyText({ reason, note }) {
  return [reason && reasonText(reason), note].filter(Boolean).join('; ') || undefined;
}

/**
 * Why it is not online.
 * @param {Pick<Worker, 'reason' | 'blockedSince' | 'stack'>} worker
 * @param {number} now epoch ms
 */
export function workerReason({ reason, blockedSince, stack }, now) {
  if (blockedSince === undefined) return reason && reasonText(reason);
  const { frames = [], note } = stack ?? {};
  const more = frames.length === 0 && note !== undefined ? `; it ${note}` : '';
  const ms = Math.max(0, now - blockedSince);
  return reasonText({ kind: 'hang', ms, frame: mainFrame(frames) }) + more;
}

/** Without why nothing starts it again. @param {Reason} [reason] */
export function bareText(reason) {
  return reason && reasonText({ ...reason, final: undefined });
}

/** @param {Reason} one @param {Reason} [other] */
export function isSame(one, other) {
  return other !== undefined && reasonText(one) === reasonText(other);
}

/** @param {Reason} [reason] @returns {reason is ListenFault} whether something else listens there */
export function isTaken(reason) {
  return reason?.kind === 'listen' && reason.errno === 'EADDRINUSE';
}
