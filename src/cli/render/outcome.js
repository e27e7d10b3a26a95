/** What became of a command, app by app. */
import { maskLine } from './mask.js';
import { paint } from './palette.js';
import { formatCount, formatElapsed } from './quantity.js';

/**
 * @import { AppOutcome, AppSummary } from '../../protocol/shapes.js'
 * @import { Terminal } from './palette.js'
 */

/**
 * @param {AppOutcome} outcome
 * @param {Terminal} terminal
 * @returns {string}
 */
export function renderOutcome(outcome, terminal) {
  const { green, red } = paint(terminal);
  const name = maskLine(outcome.name);
  if (outcome.accepted) {
    const hint = `\`nodecluster describe ${name}\` shows its outcome`;
    return `${green('✔')} ${name}: ${maskLine(outcome.action)} accepted; ${hint}.`;
  }
  const head = outcome.ok
    ? `${green('✔')} ${name}: ${successOf(outcome)}`
    : `${red('✖')} ${name}: ${failureOf(outcome)}`;
  return [head, ...cutOf(outcome), ...blame(name, outcome.failed, terminal)].join('\n');
}

/** @type {Record<string, string>} */
const participles = {
  start: 'online',
  resume: 'online',
  restart: 'restarted',
  reload: 'replaced',
  scale: 'added',
  reset: 'counted from zero again',
  stop: 'stopped',
  delete: 'stopped and forgotten',
};

/** @type {Record<string, string>} */
const withoutWorkers = {
  configure: 'settings taken over; no worker had to be replaced',
  stop: 'was stopped already',
  reset: 'does not run, and begins with zero',
  delete: 'forgotten',
  flush: 'log files emptied',
  'reload-logs': 'log files opened anew',
};

/** @param {AppOutcome} outcome */
function successOf(outcome) {
  return `${deedOf(outcome)}${stoppedOf(outcome)}.`;
}

/** @param {AppOutcome} outcome */
function deedOf(outcome) {
  const { name, action, done, durationMs } = outcome;
  if (action === 'none' || ranAlready(outcome)) {
    return `runs already; \`nodecluster reload ${maskLine(name)}\` takes new code`;
  }
  if (action === 'configure' || (!done.length && withoutWorkers[action])) {
    return withoutWorkers[action];
  }
  const time = !durationMs ? '' : ` in ${formatElapsed(durationMs)}`;
  if (action === 'scale' && !done.length) return scaledTo(outcome, time);
  if (!participles[action]) return `${maskLine(action)} done${time}`;
  const count = formatCount(done.length, 'worker');
  if (replacedNothing(outcome) || someEnded(outcome)) return `${count} started${time}`;
  return `${count} ${participles[action]}${time}${floorOf(outcome)}`;
}

/** @param {AppOutcome} outcome */
function ranAlready({ action, done, before }) {
  return action === 'resume' && done.length > 0 && done.every((id) => wasOnline(before, id));
}

/** @param {AppOutcome} outcome */
function replacedNothing({ action, before }) {
  return (action === 'reload' || action === 'restart') && before?.online.length === 0;
}

/** @param {AppOutcome} outcome */
function someEnded({ action, done, after }) {
  return participles[action] === 'online' && after && !done.every((id) => wasOnline(after, id));
}

/**
 * @param {AppSummary | undefined} before
 * @param {number | null} id
 */
function wasOnline(before, id) {
  return id !== null && before !== undefined && before.online.includes(id);
}

/** @param {AppOutcome} outcome */
function floorOf({ action, minReady }) {
  if (action !== 'reload' || typeof minReady !== 'number') return '';
  return `, never fewer than ${minReady} ready`;
}

/**
 * @param {AppOutcome} outcome
 * @param {string} time
 */
function scaledTo({ before, after }, time) {
  if (!after) return `scaled${time}`;
  if (before?.workers === after.workers)
    return `has ${formatCount(after.workers, 'worker')} already${downOf(after)}`;
  return `scaled to ${formatCount(after.workers, 'worker')}${time}`;
}

/** @param {AppSummary} standing */
function downOf({ workers, online, stopped }) {
  return online.length + stopped.length < workers ? `, ${online.length} of them online` : '';
}

/**
 * What a user would take for running who does not remember that it was stopped.
 * @param {AppOutcome} outcome
 */
function stoppedOf({ name, action, after = { workers: 0, online: [], stopped: [] } }) {
  const { workers, stopped } = after;
  if (stopped.length === 0 || action === 'stop' || action === 'delete') return '';
  const start = `\`nodecluster start ${maskLine(name)}\``;
  if (stopped.length === workers) return `; it stays stopped (${start} starts it)`;
  const which = stopped.map((slot) => `${maskLine(name)}:${slot}`).join(', ');
  return `; ${which} ${stopped.length === 1 ? 'stays' : 'stay'} stopped (${start} starts all)`;
}

/** @param {AppOutcome} outcome */
function failureOf({ name, action, done, failed, kept = [], rolledBack = [], before, after }) {
  const workers = failed.filter(({ slot }) => slot !== null).length;
  const isReload = kept.length + rolledBack.length > 0;
  const replaceable = done.length + kept.length + rolledBack.length;
  const all = isReload ? Math.max(workers, replaceable) : done.length + workers;
  const count = workers ? `${workers} of ${formatCount(all, 'worker')} failed` : 'failed';
  const serving = before ? kept.filter((id) => wasOnline(before, id)) : kept;
  const parts = [
    ...staying(serving.length, 'of the old version'),
    ...(rolledBack.length ? [`${formatCount(rolledBack.length, 'worker')} rolled back`] : []),
    ...staying(isReload ? done.length : 0, 'of the new version'),
    ...(action === 'scale' && before && after ? [leftByScale(name, before, after)] : []),
  ];
  return `${maskLine(action)}: ${[count, ...parts].join('; ')}.`;
}

/**
 * @param {string} name
 * @param {AppSummary} before
 * @param {AppSummary} after
 */
function leftByScale(name, before, after) {
  const goBack = `\`nodecluster scale ${maskLine(name)} ${before.workers}\` goes back`;
  return `the app has ${formatCount(after.workers, 'worker')} now${downOf(after)} (${goBack})`;
}

/**
 * @param {number} number
 * @param {string} what
 */
function staying(number, what) {
  return number
    ? [`${formatCount(number, 'worker')} ${what} ${number === 1 ? 'stays' : 'stay'}`]
    : [];
}

/** @param {AppOutcome} outcome */
function cutOf({ longLivedCut }) {
  if (!longLivedCut) return [];
  return [`  ${formatCount(longLivedCut, 'long-lived connection')} cut when drain_timeout was up.`];
}

/**
 * What several workers said alike is shown once.
 * @param {string} name
 * @param {AppOutcome['failed']} failed
 * @param {Terminal} terminal
 */
function blame(name, failed, terminal) {
  const dim = paint(terminal).dim;
  /** @type {Map<string, AppOutcome['failed']>} */
  const alike = new Map();
  for (const each of failed) {
    const key = JSON.stringify([each.reason, each.lastLines]);
    alike.set(key, [...(alike.get(key) ?? []), each]);
  }
  const culprit = (/** @type {AppOutcome['failed'][number]} */ { slot }) =>
    slot === null ? name : `${name}:${slot}`;
  return [...alike.values()].flatMap(([first, ...more]) => [
    `  ${culprit(first)}: ${maskLine(first.reason)}`,
    ...first.lastLines.map((line) => `    ${dim('|')} ${maskLine(line)}`),
    ...(more.length > 0 ? [`  ${more.map(culprit).join(', ')}: the same`] : []),
  ]);
}
