/** What a table has no room for. */
import { failedReload, recentChange } from '../change.js';
import { escapeLine } from '../escape.js';
import { noteOf, say } from '../features.js';
import { reasonsOf } from '../help.js';
import { appTone, isCrashing } from '../state.js';
import { paint } from './palette.js';

/**
 * @import { App, Worker } from '../../protocol/shapes.js'
 * @import { Paint } from '../paint.js'
 * @import { Terminal } from './palette.js'
 */

/** In one hint. */
const MAX_NAMED = 4;

/**
 * @param {App[]} apps
 * @param {Terminal} terminal
 * @param {number} [now] epoch ms
 * @returns {string[]} lines below the table: long reasons, and where to read more
 */
export function renderNotes(apps, terminal, now = Date.now()) {
  const { dim } = paint(terminal);
  const lines = apps.flatMap((app) => {
    const [name, note] = [escapeLine(app.name), escapeLine(noteOf(app, now))];
    const change = ['bad', 'warn'].includes(appTone(app, now)) ? recentChange(app, now) : null;
    const failure = failedReload(app, now);
    return [
      ...(note ? [`${name}: ${note}`] : []),
      ...(failure ? [dim(`${name}: ${failure}`)] : []),
      ...say('news', app, now).map((news) => dim(`${name}: ${news}`)),
      ...reasonsOf(app, now).map((line) => dim(line)),
      ...(change ? [dim(`${name}, last change: ${change}`)] : []),
    ];
  });
  const blocked = apps.filter(({ workers }) =>
    workers.some(({ status }) => status === 'unresponsive'),
  );
  return [
    ...lines,
    ...apps.flatMap((app) => firstHelp(app, now)).map((line) => dim(line)),
    ...hintsFor(blocked, 'why', 'where it is blocked', dim),
    ...crashHints(apps, terminal),
  ];
}

/**
 * @param {App[]} apps
 * @param {Terminal} terminal
 * @param {number} [now] epoch ms
 * @returns {string[]} why workers crash, and where to read their last errors
 */
export function renderCrashes(apps, terminal, now = Date.now()) {
  const { dim } = paint(terminal);
  const crashing = apps.map((app) => ({ ...app, workers: app.workers.filter(isCrashing) }));
  const reasons = crashing.flatMap((app) => reasonsOf(app, now));
  return [...reasons.map((line) => dim(line)), ...crashHints(apps, terminal)];
}

/** @param {App[]} apps @param {Terminal} terminal */
function crashHints(apps, terminal) {
  const crashing = apps.filter(({ workers }) => workers.some(isCrashing));
  return hintsFor(crashing, 'describe', 'the last errors', paint(terminal).dim);
}

/** @param {App[]} apps @param {string} command @param {string} what it shows @param {Paint['dim']} dim */
function hintsFor(apps, command, what, dim) {
  if (apps.length === 0) return [];
  const names = apps.length > MAX_NAMED ? ['<app>'] : apps.map(({ name }) => escapeLine(name));
  return [dim(`\`nodecluster ${command} ${names.join(' ')}\` shows ${what}.`)];
}

/** @param {App} app @param {number} now epoch ms */
function firstHelp(app, now) {
  const [first] = say('commands', app, now);
  return first ? [`\`nodecluster ${first[0]}\`: ${first[1]}.`] : [];
}
