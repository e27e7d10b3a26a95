/** Says why a worker is not online, or why something failed: the only place that has words for a reason. */
import { mainFrame, shortFrame, stackInLine } from '../lifecycle/hang-policy.js';
import { placeOf } from '../lifecycle/listening.js';
import { describeExit, errnoText } from '../lifecycle/exit.js';
import { shellLine } from '../shared/quoting.js';
import { formatDuration, formatElapsed, formatSize } from '../shared/units.js';
import { escapeLine } from './escape.js';

/** @import { AnswerFigures } from '../features/canary/record.js' */
/** @import { Fact, ListenFault, Reason, Worker } from '../protocol/shapes.js' */

const BY_OLD = 'by what the old workers did,';

/** Why a program could not listen. @type {Record<string, string>} */
const CAUSES = {
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'no network interface has that address',
};

/** @type {{[K in Fact['kind']]: (fact: Extract<Fact, {kind: K}>) => string}} */
const WORDS = {
  exit: describeExit,
  listen(fault) {
    const { errno, port, holder } = fault;
    const failure = `could not listen on ${placeOf(fault)}`;
    if (errno === 'EADDRINUSE') {
      // A unix socket may also have been left by a program that has ended.
      const unknown = port === undefined ? '' : ' by another process';
      return `${failure}: in use${holder ? ` by ${holder}` : unknown}`;
    }
    if (isPrivileged(fault)) return `${failure}: only root may (EACCES)`;
    const cause = Object.hasOwn(CAUSES, errno) ? CAUSES[errno] : null;
    return cause ? `${failure}: ${cause} (${errno})` : `${failure} (${errno})`;
  },
  start: describeExit,
  late({ what, afterMs, addresses = [], instead = [], text }) {
    const time = afterMs === undefined ? '' : ` within ${afterMs / 1000} s`;
    const others = instead.length > 0 ? ` but on ${instead.join(', ')}` : '';
    const places = addresses.length > 0 ? ` on ${addresses.join(', ')}${others}` : '';
    const blocked = 'event loop blocked since its start';
    return {
      ready: `did not call process.send('ready')${time} (wait_ready)`,
      load: `did not load${time}`,
      listen: `did not listen${places}${time}`,
      turn: afterMs === undefined ? blocked : `${blocked} for ${afterMs / 1000} s`,
      continue: 'was stopped by a signal during its start',
      check: `did not pass its health check${time}${text ? ` (${text})` : ''}`,
      exit: `did not exit${time}`,
      serve: 'is not online',
    }[what];
  },
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
  files: ({ open, limit }) => `has ${open} of ${limit} files open`,
  channel: ({ what, limit = 0 }) =>
    ({
      closed: 'closed the channel to its parent',
      invalid: 'wrote invalid data to the channel to its parent',
      long: `sent its parent a message of more than ${limit / 1024 ** 2} MB`,
      unread: `did not read ${limit} replies from its parent`,
    })[what],
  left: ({ processes }) => `ended with it: ${processes.join(', ')}`,
  undrained: () => 'ended before it answered the request to drain',
  hurried: () => 'its drain was ended early',
  stopped: () => 'was stopped before it had exited',
  spare: ({ slot, pid }) => `by its spare :${slot}, pid ${pid}`,
  stack: ({ frames, doing }) => (frames.length > 0 ? `is in ${stackInLine(frames)}` : `${doing}`),

  // In words that follow 'waiting', or 'starting'.
  turn: ({ of }) => `until its ${of} is done`,
  dependency: ({ name }) => `until ${name} has exited`,
  uptime: ({ ms, listens }) => `must ${listens ? 'listen and ' : ''}stay up for ${ms / 1000} s`,

  judging: ({ forMs, beside }) => `for ${formatDuration(forMs)}, beside ${beside} old`,
  judged({ mayFollow, isTimed, own, old }) {
    const verdict = mayFollow ? 'may replace the others' : 'is taken back';
    const figures = `${own.requests} requests, ${shareText(own)} 5xx, p99 ${p99Text(own)}`;
    const others = `(old workers: ${old.requests}, ${shareText(old)}, ${p99Text(old)})`;
    const more = isTimed ? '' : '; too few requests to compare latencies';
    return `it ${verdict}: ${figures} ${others}${more}`;
  },
  share: ({ is5xx, found, total, allowed }) =>
    `${is5xx ? 'answered with 5xx' : 'gave no answer'}: ${percent(found)} of ${total} requests; ` +
    `${BY_OLD} ${percent(allowed)} is allowed`,
  slow: ({ p99Ms, allowedMs }) =>
    `was slow: p99 ${formatElapsed(p99Ms)}; ${BY_OLD} ${formatElapsed(allowedMs)} is allowed`,
  few: ({ requests, old }) =>
    `got too few requests to be judged by: ${requests}, the old workers ${old}`,
  superseded: () => 'another command was given',
  unjudged: () => 'could not be judged',

  cores: ({ count }) => `${count === 1 ? '1 core is' : `${count} cores are`} available now`,
  busy: ({ share }) => `event loops were ${Math.round(share * 100)}% busy`,
  idle: ({ ms }) => `load was low for ${formatDuration(ms)}`,
  memory: ({ free, needed }) =>
    `${formatSize(free)} of memory are left, and a worker needs ${formatSize(needed)}`,
  skipped: ({ other }) =>
    ({
      waiting: 'another run waits already',
      beginning: 'another run is beginning',
      running: 'the last run has not ended',
    })[other],
  repeated: ({ file, times, ms, command }) =>
    `${file} has caused ${times} reloads; the next one waits ${ms / 1000} s; ` +
    `if the program writes it: nodecluster ${shellLine(command)}`,
};

/** @param {Reason} reason @returns {string} in words that follow the name of a worker or an app: `exited with code 1` */
export function reasonText(reason) {
  const { final, replaces, takenBack } = reason;
  const text = factText(reason);
  if (takenBack) return `taken back: ${subjectOf(reason)}${text}`;
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
function subjectOf({ kind }) {
  if (kind === 'superseded') return '';
  return kind === 'hang' ? 'its ' : 'it ';
}

/** @param {number} share */
function percent(share) {
  return `${Number((100 * share).toPrecision(2))} %`;
}

/** @param {AnswerFigures} figures @returns {string} of 5xx: `0 %`, `0.3 %`, `12 %` */
export function shareText({ errors, requests }) {
  return percent(requests > 0 ? Math.min(1, errors / requests) : 0);
}

/** @param {AnswerFigures} figures */
export function p99Text({ p99Ms }) {
  return p99Ms === undefined ? 'unknown' : formatElapsed(p99Ms);
}

/** @param {Fact} fact */
function factText(fact) {
  // A daemon of another version may know others.
  if (!Object.hasOwn(WORDS, fact.kind))
    return 'failed for a reason that this version does not know';
  return /** @type {any} */ (WORDS)[fact.kind](fact);
}

/** @param {ListenFault} fault */
export function isPrivileged({ errno, port }) {
  return errno === 'EACCES' && port !== undefined && port < 1024;
}

/**
 * @param {{reason?: Reason | null, cause?: string | null}} failure
 * @returns {string} what its program wrote, unless nodecluster itself knows; empty: not known
 */
export function shortCauseOf({ reason, cause }) {
  if (!reason) return '';
  const text = escapeLine(reasonText(reason));
  if (reason.kind === 'listen') return inUseText(reason) ?? text;
  if (reason.kind !== 'exit') return text;
  const { code, signal } = reason;
  // Whoever kills a program, or whatever ends it well, says nothing in its output.
  if (cause && (code || signal === 'SIGABRT')) return escapeLine(cause);
  return signal ?? `exit ${code}`;
}

/** @param {ListenFault} fault @returns {string | null} `port 3000 in use by pid 7 (node a.cjs)`; null: it is not, or not known */
function inUseText({ errno, address, port, holder }) {
  const by = holder ?? (port === undefined ? null : 'another process');
  if (errno !== 'EADDRINUSE' || by === null) return null;
  return escapeLine(`${port === undefined ? address : `port ${port}`} in use by ${by}`);
}

/** @param {{reason?: Reason | null, cause?: string | null}} failure @returns {string} with what the program wrote about its exit */
export function reasonWithCause({ reason, cause }) {
  if (!reason) return 'reason unknown';
  return `${reasonText(reason)}${reason.kind === 'exit' && cause ? `: ${cause}` : ''}`;
}

/**
 * Why it is not online.
 * @param {Pick<Worker, 'reason' | 'blockedSince' | 'stack'>} worker
 * @param {number} now epoch ms
 */
export function workerReason({ reason, blockedSince, stack }, now) {
  if (blockedSince === undefined) return reason && reasonText(reason);
  const frame = mainFrame(stack?.frames ?? []);
  const note = stack?.note ? `: it ${stack.note}` : '';
  const time = formatDuration(Math.max(0, now - blockedSince));
  return `blocked ${time}${frame ? ` in ${shortFrame(frame)}` : note}`;
}

/** @param {Reason} [reason] @returns {reason is ListenFault} whether something else listens there */
export function isTaken(reason) {
  return reason?.kind === 'listen' && reason.errno === 'EADDRINUSE';
}

/** @param {Reason | null} [reason] @returns {boolean} whether something else ended it: a user, or a system without memory */
export function isKilled(reason) {
  const signal = reason?.kind === 'exit' && reason.signal;
  return Boolean(signal) && !/^SIG(ABRT|BUS|FPE|ILL|SEGV|TRAP)$/.test(String(signal));
}
