/** `describe`: one app with everything that is known of it. */
import { formatDuration } from '../../../shared/units.js';
import { commandLines } from './commands.js';
import { exitLines } from './exits.js';
import { settingLines } from './settings.js';
import { measuredLines } from './measured.js';
import { indented, labelledLines, narrower } from '../table/labelled.js';
import { maskLine } from '../mask.js';
import { paint, paintStatus } from '../palette.js';
import { formatElapsed } from '../quantity.js';
import { singleState, appState } from '../state.js';
import { reasonsOf, workerLines } from '../table/ls.js';

/**
 * @import { Terminal } from '../palette.js'
 * @import { AppDescription } from '../../../protocol/methods.js'
 * @import { AppView, LastReload } from '../../../protocol/shapes.js'
 */

/** @typedef {AppView & Partial<AppDescription>} DescribedApp */

/**
 * @param {DescribedApp[]} apps
 * @param {Terminal} terminal
 * @param {number} now epoch ms
 * @returns {string}
 */
export function renderDescription(apps, terminal, now) {
  return apps.map((app) => describeOne(app, terminal, now)).join('\n\n');
}

/**
 * @param {DescribedApp} app
 * @param {Terminal} terminal
 * @param {number} now
 */
function describeOne(app, terminal, now) {
  const { bold } = paint(terminal);
  const state = app.workers.length > 1 ? appState(app) : singleState(app);
  return [
    `${bold(maskLine(app.name))}  ${paintStatus(app.status, terminal, state)}`,
    ...labelledLines(factsOf(app, now), terminal),
    '',
    bold('Workers'),
    ...indented([...workerLines(app, narrower(terminal)), ...reasonsOf(app)]),
    ...measuredLines(app, terminal),
    ...exitLines(app, terminal, now),
    ...settingLines(app, terminal),
    ...commandLines(app, terminal),
  ].join('\n');
}

/**
 * @param {DescribedApp} app
 * @param {number} now
 * @returns {[string, unknown][]}
 */
function factsOf(app, now) {
  const { spec, slots = [], logs } = app;
  const scheduling = app.mode === 'cluster' ? `, ${app.scheduling}` : '';
  return [
    ['note', app.note],
    ['script', [app.script, ...(spec?.args ?? [])].join(' ')],
    ['cwd', spec?.cwd],
    ['node', app.mode === 'cluster' ? app.node : null],
    ['mode', app.scheduling === undefined ? app.mode : `${app.mode}${scheduling}`],
    ['namespace', app.namespace],
    ['listens on', [...new Set(slots.flatMap(({ listening }) => listening))].join(', ')],
    ['generation', app.generation],
    ['last reload', reloadText(app.lastReload, now)],
    ['primary', app.primaryPid ? `pid ${app.primaryPid}` : null],
    ['stdout', logs?.out],
    ['stderr', logs?.error],
    ['primary log', logs?.primary],
  ];
}

/**
 * @param {LastReload | null | undefined} reload
 * @param {number} now
 */
function reloadText(reload, now) {
  if (!reload) return null;
  const when = `${formatDuration(Math.max(0, now - reload.at))} ago`;
  const { ok, durationMs = 0, done = [], kept = [], rolledBack = [] } = reload;
  if (ok) return `${when}, took ${formatElapsed(durationMs)}`;
  const parts = [
    [kept.length, 'kept'],
    [rolledBack.length, 'rolled back'],
    [done.length, 'replaced'],
  ].filter(([number]) => number);
  const slots = parts.length ? ` (workers: ${parts.map((part) => part.join(' ')).join(', ')})` : '';
  return `failed ${when}: ${reload.reason ?? 'reason unknown'}${slots}`;
}
