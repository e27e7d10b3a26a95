/** Renders the outcome of a command for one app. */
import { isAnyHost, placeOf, portsOf } from '../lifecycle/listening.js';
import { groupBy } from '../shared/groups.js';
import { shellWord } from '../shared/quoting.js';
import { formatElapsed } from '../shared/units.js';
import { escapeLine } from './escape.js';
import { plain } from './paint.js';
import { killedLine } from './progress.js';
import { formatCount, namesText } from './quantity.js';
import { urlsText } from './addresses.js';
import { say } from './features.js';
import { isPrivileged, isTaken, reasonText } from './reason.js';

/**
 * @import { App, AppOutcome, AppSummary, Failure, ListenFault, Note } from '../protocol/shapes.js'
 * @import { Paint } from './paint.js'
 */

/**
 * @param {AppOutcome} outcome
 * @param {Paint} [paint]
 * @param {{now?: number, app?: App}} [seen] now: epoch ms; app: as it is now, which may be later than the outcome
 */
export function renderOutcome(outcome, paint = plain, { now = Date.now(), app } = {}) {
  const name = escapeLine(outcome.name);
  const mark = outcome.ok ? paint.green('✔') : paint.red('✖');
  if (outcome.accepted) {
    const hint = `\`nodecluster describe ${name}\` shows its outcome`;
    return `${mark} ${name}: ${escapeLine(outcome.action)} accepted; ${hint}.`;
  }
  const { longLivedCut, killed, notes = [], shell } = outcome;
  const closed = longLivedCut && formatCount(longLivedCut, 'open connection');
  return [
    `${mark} ${name}: ${outcomeText(outcome, now)}.`,
    ...(closed ? [`  ${closed} closed when drain_timeout expired.`] : []),
    ...(killed ? [killedLine(killed)] : []),
    ...failureLines(name, outcome.failed, paint),
    ...noteLines(name, notes),
    ...(shell
      ? [
          `  It keeps its variables. Different in this shell: ${escapeLine(namesText(shell))}. To take them: \`nodecluster reload ${name} --update-env\`; \`--set-env NAME-\` removes one.`,
        ]
      : []),
    ...nextLines(name, outcome, app),
  ].join('\n');
}

/**
 * @param {AppOutcome} outcome
 * @param {number} [now] epoch ms
 * @returns {string | null} one line for those who gave no command; null: nothing was done
 */
export function describeOutcome(outcome, now = Date.now()) {
  const { ok, action, failed } = outcome;
  // A run of a job goes on when it has begun.
  if (ok) return ['none', 'run'].includes(action) ? null : outcomeText(outcome, now);
  const reasons = new Set(failed.map(({ reason }) => escapeLine(reasonText(reason))));
  return [outcomeText(outcome, now), ...reasons].join(': ');
}

/** @param {AppOutcome} outcome @param {number} now */
function outcomeText(outcome, now) {
  if (!outcome.ok) return failureText(outcome);
  const [own] = outcome.after ? say('outcome', outcome, outcome.after, now) : [];
  if (own !== undefined) return own;
  return `${successText(outcome)}${stoppedText(outcome)}`;
}

/** What a command did to its workers. @type {Record<string, string>} */
const participles = {
  none: 'online',
  start: 'online',
  restart: 'restarted',
  reload: 'replaced',
  update: 'replaced under a new primary',
  reset: 'reset to 0 restarts',
  stop: 'stopped',
};

const SERVING = ['online', 'started', 'restarted', 'replaced', 'replaced under a new primary'];

/** @type {Record<string, string>} */
const withoutWorkers = {
  start: 'has done its work',
  configure: 'settings applied; no worker had to be replaced',
  stop: 'was already stopped',
  reset: 'restart counters reset; it is not running',
  delete: 'deleted',
  flush: 'log files emptied',
};

/** @param {AppOutcome} outcome */
function successText(outcome) {
  const { action, done, durationMs, before, after } = outcome;
  if (wasRunning(outcome)) return runningText(outcome);
  const isShort = ['configure', 'delete'].includes(action) || done.length === 0;
  if (isShort && withoutWorkers[action]) return withoutWorkers[action];
  const time = durationMs ? ` in ${formatElapsed(durationMs)}` : '';
  if (action === 'scale') return scaleText(before, after, time);
  const participle = participleFor(outcome);
  if (!participle) return `${escapeLine(action)} done${time}`;
  const place = SERVING.includes(participle) ? placeText(after) : '';
  return `${countText(outcome, participle)}${place}${time}${floorText(outcome, participle)}`;
}

/** @param {AppOutcome} outcome */
function runningText({ name, done, after }) {
  if (after?.online.length === 0)
    return done.length === 0 ? withoutWorkers.start : 'ran already; no worker is online now';
  return `already running${placeText(after)}; \`nodecluster reload ${escapeLine(name)}\` loads new code`;
}

/** @param {AppOutcome} outcome @param {string} participle */
function floorText({ before, minReady: floor }, participle) {
  // Nothing is said of what did not serve, or where others than the workers themselves did.
  const listening = before?.listening;
  const isKnown = listening?.length !== 0 && !listening?.some(({ by }) => by !== undefined);
  return participle === 'replaced' && isKnown && floor ? `, never fewer than ${floor} ready` : '';
}

/** @param {AppSummary | undefined} summary @returns {string} where its workers listen */
function placeText(summary) {
  const urls = urlsText(summary?.listening ?? []);
  return urls && ` on ${urls}`;
}

/** A file may change the number of workers that a reload replaces. @param {AppOutcome} outcome @param {string} participle */
function countText({ done, before, after }, participle) {
  const isReplacement = participle === 'replaced' || participle === 'restarted';
  const change = isReplacement && before && after ? after.workers - before.workers : 0;
  const added = Math.max(0, change);
  const text = `${formatCount(done.length - added, 'worker')} ${participle}`;
  if (change === 0) return text;
  return change > 0 ? `${text}, ${added} added` : `${text}, ${-change} removed`;
}

/** @param {AppOutcome} outcome */
function wasRunning({ action, done, before }) {
  const isAny = action === 'none' || (action === 'start' && done.length > 0);
  return isAny && done.every((id) => isOnline(before, id));
}

/** @param {AppOutcome} outcome */
function participleFor({ action, done, before, after }) {
  if (action === 'reload' && before?.online.length === 0) return 'started';
  if (participles[action] !== 'online') return participles[action];
  // A program that has done its work may already have exited.
  return after && done.some((id) => !isOnline(after, id)) ? 'started' : 'online';
}

/** @param {AppSummary | undefined} summary @param {number | null} id */
function isOnline(summary, id) {
  return id !== null && summary !== undefined && summary.online.includes(id);
}

/** @param {AppSummary | undefined} before @param {AppSummary | undefined} after @param {string} time */
function scaleText(before, after, time) {
  if (!after) return `scaled${time}`;
  const count = formatCount(after.workers, 'worker');
  return before?.workers === after.workers ? `already has ${count}` : `scaled to ${count}${time}`;
}

/** The user may have forgotten that they stay stopped. @param {AppOutcome} outcome */
function stoppedText({ name, action, after }) {
  if (!after || after.stopped.length === 0 || action === 'stop' || action === 'delete') return '';
  const [count, all] = [after.stopped.length, after.workers];
  const who = count < all ? `${count} of ${formatCount(all, 'worker')}` : 'all';
  return `; ${who} still stopped (\`nodecluster start ${escapeLine(name)}\` starts all)`;
}

/** @param {AppOutcome} outcome */
function failureText(outcome) {
  const { name, action, done, kept, rolledBack, before, after } = outcome;
  const isReload = kept.length + rolledBack.length > 0;
  const old = before ? kept.filter((id) => isOnline(before, id)) : kept;
  const parts = [
    failedText(outcome),
    runs(old.length, 'old'),
    action === 'reload' && after?.online.length === 0 ? 'no worker is online' : '',
    rolledBack.length > 0 ? `${formatCount(rolledBack.length, 'worker')} rolled back` : '',
    isReload ? runs(done.length, 'new') : '',
    action === 'scale' && before && after ? leftByScale(name, before, after) : '',
  ];
  return parts.filter(Boolean).join('; ');
}

/** @param {AppOutcome} outcome */
function failedText({ action, done, failed, kept }) {
  if (action === 'none') return 'not all workers are online';
  const verb = escapeLine(action);
  const workers = failed.filter(({ slot }) => slot !== null);
  // Which ones is said below.
  if (workers.length === 0 || action === 'reload') return `${verb} failed`;
  const count = new Set([...workers.map(({ id }) => id), ...done, ...kept]).size;
  if (count === 1) return `${verb} failed`;
  return `${verb} failed for ${workers.length} of ${formatCount(count, 'worker')}`;
}

/** @param {number} count @param {string} version */
function runs(count, version) {
  if (count === 0) return '';
  return `${formatCount(count, 'worker')} ${count === 1 ? 'runs' : 'run'} the ${version} version`;
}

/** @param {string} name @param {AppSummary} before @param {AppSummary} after */
function leftByScale(name, before, after) {
  if (before.workers === after.workers) return '';
  const undo = ` (\`nodecluster scale ${escapeLine(name)} ${before.workers}\` undoes that)`;
  return `the app now has ${formatCount(after.workers, 'worker')}${before.workers > 0 ? undo : ''}`;
}

/** One line for all workers of which the same is said. @param {string} app @param {NonNullable<AppOutcome['notes']>} notes */
function noteLines(app, notes) {
  return [...groupBy(notes, ({ note }) => noteText(note))].map(([text, same]) => {
    const names = same.map(({ slot }) => `${app}:${slot}`);
    return `  ${names.join(', ')}: ${escapeLine(text)}`;
  });
}

/** What happens to workers that failed, and what to do. @param {string} name @param {AppOutcome} outcome @param {App} [app] as it is now */
function nextLines(name, { action, failed }, app) {
  if (failed.every(({ slot, isOldGone }) => slot === null || isOldGone)) return [];
  // Only the command itself has what it was given.
  if (action === 'reload') return ['  Fix it and repeat the whole command.'];
  const isAny = (/** @type {string[]} */ ...statuses) =>
    app?.workers.some(({ status }) => statuses.includes(status));
  if (isAny('errored')) return [`  Fix it and type: \`nodecluster start ${name}\`.`];
  if (!isAny('backoff', 'starting')) return [];
  const end = `\`nodecluster delete ${name}\` ends that`;
  if (failed.every(({ reason }) => reason.kind === 'late')) return [`  It is waited for; ${end}.`];
  const { maxRestarts: most } = app?.spec ?? {};
  return [`  It is tried again, up to ${most} times; ${end}.`];
}

/** Beside the stack, which names the place. */
const EMPTY_LINE = /^(\s*\^+|Node\.js v[\d.]+|node:\S+|\s+throw err?;.*)$/;

/** Workers that failed in the same way are listed together. @param {string} app @param {Failure[]} failed @param {Paint} paint */
function failureLines(app, failed, { dim }) {
  const groups = groupBy(failed, (each) => JSON.stringify([whyFailed(each), each.lastLines]));
  const nameOf = (/** @type {Failure} */ { slot }) => (slot === null ? app : `${app}:${slot}`);
  const codeOf = (/** @type {Failure} */ { reason }) =>
    reason.kind === 'error' ? dim(` [${escapeLine(reason.code)}]`) : '';
  return [...groups.values()].flatMap(([first, ...others]) => [
    `  ${nameOf(first)}: ${escapeLine(whyFailed(first))}${codeOf(first)}`,
    ...adviceLines(app, first),
    ...(isTaken(first.reason) ? [] : first.lastLines)
      .filter((line) => !EMPTY_LINE.test(line))
      .map((line) => `    ${dim('|')} ${escapeLine(line)}`),
    ...(others.length > 0 ? [`  ${others.map(nameOf).join(', ')}: the same`] : []),
  ]);
}

/** @param {Failure} failure */
function whyFailed({ reason, stays }) {
  const before = stays === 'unreverted' ? 'could not be rolled back' : `stays ${stays}`;
  // Whether it is tried again is said below.
  return `${stays ? `${before}: ` : ''}${reasonText({ ...reason, final: undefined })}`;
}

/** @param {string} app @param {Failure} failure */
function adviceLines(app, { reason, isOldGone }) {
  if (isOldGone) {
    return ['    The old version is gone. Fix the new one and repeat the command.'];
  }
  if (reason.kind === 'exit' && reason.stdinEnded === 'empty') {
    return ['    With one instance (`-i 1`), or with `--exec-mode fork`, its stdin stays open.'];
  }
  if (reason.kind === 'exit' && reason.code === 0) {
    const restart = `\`nodecluster restart ${app} --no-autorestart\``;
    return [`    If it has done its work: ${restart}, or set stop_exit_codes to 0.`];
  }
  if (reason.kind === 'late' && reason.what === 'ready') {
    return ['    Give it longer with `--listen-timeout`, or start it without `--wait-ready`.'];
  }
  const advice = reason.kind === 'listen' ? adviseOnListenFault(reason) : null;
  return advice === null ? [] : [`    ${escapeLine(advice)}`];
}

/** What to do about it, if that is always the same. @param {ListenFault} fault */
export function adviseOnListenFault(fault) {
  const { errno, address, port, holder } = fault;
  if (errno === 'EADDRINUSE') {
    if (port !== undefined)
      return 'Give it another port (`--set-env PORT=…`, if the program reads PORT), or free this one.';
    if (holder || address === undefined) return null;
    return `If no program listens there any more, type: rm ${shellWord(address)}`;
  }
  if (!isPrivileged(fault)) return null;
  const listed = isAnyHost(address) ? port : placeOf(fault);
  return (
    `Run it by root with \`uid\` and \`privileged_ports: ${listed}\`, lower the sysctl ` +
    'net.ipv4.ip_unprivileged_port_start, or use a port above 1023 behind a proxy such as nginx.'
  );
}

/** What is noteworthy about a worker, in words that follow its name. @type {{[K in Note['kind']]: (note: Extract<Note, {kind: K}>) => string}} */
const NOTES = {
  silent: () => 'runs, but listens on no TCP port',
  elsewhere: ({ ports, asked }) => `listens on port ${ports.join(', ')} instead of ${asked}`,
  gone: ({ addresses }) =>
    `does not listen on ${addresses.map(portOf).join(', ')} so far, unlike the worker before it`,
  crashed: ({ reason }) => `${reasonText(reason)} after it had taken over, and was started again`,
  below: ({ places, isAlone }) => {
    const where = places.map(({ address, by }) => `${portOf(address)} by ${by}`);
    const other = isAlone
      ? 'the program that listens in its place'
      : 'what listens there as an app of its own';
    return `listens on ${where.join(', ')}, which workers cannot share: a reload stops it before the next one starts, and requests there are refused meanwhile. Start ${other}`;
  },
};

/** @param {string} address */
function portOf(address) {
  return portsOf([address])[0] ?? address;
}

/** @param {Note} note @returns {string} its kind, if a newer daemon has sent it */
export function noteText(note) {
  return /** @type {any} */ (NOTES)[note.kind]?.(note) ?? note.kind;
}
