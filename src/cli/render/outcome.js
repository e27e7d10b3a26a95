/** What became of a command, app by app. */
import { maskLine } from './mask.js';
import { paint } from './palette.js';
import { counted, elapsed } from './quantity.js';

/**
 * @typedef {object} AppOutcome
 * @property {string} name
 * @property {string} action
 * @property {boolean} ok
 * @property {(number | null)[]} done ids of the workers that are as they should be
 * @property {{id?: number | null, slot: number | null, reason: string, lastLines: string[]}[]} failed
 *   slot null: the app as a whole
 * @property {(number | null)[]} [kept] ids of the workers left on the old version
 * @property {(number | null)[]} [rolledBack] ids of those that are on the old version again
 * @property {boolean} [accepted] it is under way, and nobody waits for it
 * @property {number | null} [minReady] the fewest workers that were ready at any time
 * @property {number} [durationMs]
 * @property {number} [longLivedCut] connections closed when the time to drain was up
 */

/**
 * @param {AppOutcome} outcome
 * @param {import('./palette.js').Terminal} terminal
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
  return [
    head,
    ...cutOf(outcome),
    ...outcome.failed.flatMap((each) => blame(name, each, terminal)),
  ].join('\n');
}

/** @type {Record<string, string>} */
const participles = {
  start: 'online',
  resume: 'online',
  restart: 'restarted',
  reload: 'replaced',
  scale: 'added',
  stop: 'stopped',
  delete: 'stopped and forgotten',
};

/** @type {Record<string, string>} */
const withoutWorkers = {
  none: 'is as wanted, nothing to do.',
  configure: 'settings taken over; no worker had to be replaced.',
  scale: 'scaled',
  stop: 'was stopped already.',
  delete: 'forgotten.',
};

/** @param {AppOutcome} outcome */
function successOf({ action, done, durationMs, minReady }) {
  const time = durationMs === undefined ? '' : ` in ${elapsed(durationMs)}`;
  const participle = participles[action];
  if (action === 'none' || action === 'configure') return withoutWorkers[action];
  if (!done.length && withoutWorkers[action]) return sentence(withoutWorkers[action], time);
  const floor =
    action === 'reload' && typeof minReady === 'number'
      ? `, never fewer than ${minReady} ready`
      : '';
  if (!participle) return `${maskLine(action)} done${time}.`;
  return `${counted(done.length, 'worker')} ${participle}${time}${floor}.`;
}

/**
 * @param {string} words
 * @param {string} time
 */
function sentence(words, time) {
  return words.endsWith('.') ? words : `${words}${time}.`;
}

/** @param {AppOutcome} outcome */
function failureOf({ action, done, failed, kept = [], rolledBack = [] }) {
  const workers = failed.filter(({ slot }) => slot !== null).length;
  const isReload = kept.length + rolledBack.length > 0;
  const all = done.length + (isReload ? kept.length + rolledBack.length : workers);
  const count = workers ? `${workers} of ${counted(all, 'worker')} failed` : 'failed';
  const parts = [
    ...staying(kept.length, 'of the old version'),
    ...(rolledBack.length ? [`${counted(rolledBack.length, 'worker')} rolled back`] : []),
    ...staying(isReload ? done.length : 0, 'of the new version'),
  ];
  return `${maskLine(action)}: ${[count, ...parts].join('; ')}.`;
}

/**
 * @param {number} number
 * @param {string} what
 */
function staying(number, what) {
  return number ? [`${counted(number, 'worker')} ${what} ${number === 1 ? 'stays' : 'stay'}`] : [];
}

/** @param {AppOutcome} outcome */
function cutOf({ longLivedCut }) {
  if (!longLivedCut) return [];
  return [`  ${counted(longLivedCut, 'long-lived connection')} cut when drain_timeout was up.`];
}

/**
 * @param {string} name
 * @param {AppOutcome['failed'][number]} failure
 * @param {import('./palette.js').Terminal} terminal
 */
function blame(name, { slot, reason, lastLines }, terminal) {
  const dim = paint(terminal).dim;
  const lines = lastLines.map((line) => `    ${dim('|')} ${maskLine(line)}`);
  const culprit = slot === null ? name : `${name}:${slot}`;
  return [`  ${culprit}: ${maskLine(reason)}`, ...lines];
}
