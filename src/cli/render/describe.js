/** `describe`: one app in full. */
import { dirname } from 'node:path';
import { nearestPackage } from '../../config/resolve/names.js';
import { say } from '../../show/features.js';
import { originOf } from './plan.js';
import { settingRows } from '../../api/setting-rows.js';
import { indented, labelledLines, narrower, drawTable } from '../../show/terminal/table.js';
import { neededColumns } from '../../show/columns.js';
import { addressesText } from '../../show/addresses.js';
import { changeRows } from '../../show/change.js';
import { escapeLine } from '../../show/escape.js';
import { paint } from '../../show/terminal/palette.js';
import { paintTone } from '../../show/paint.js';
import { formatAgo, formatMoment } from '../../show/quantity.js';
import { oldnessOf } from './versions.js';
import { headlinesOf, helpOf, wholeState } from '../../show/help.js';
import { printColumns } from './ls.js';
import { exitsOf } from '../../show/exits.js';
import { reasonText } from '../../show/reason.js';
import { appTone, rowsOf, rowsOfWorkers } from '../../show/rows.js';

/**
 * @import { Description } from '../../protocol/shapes.js'
 * @import { Section } from '../../show/features.js'
 * @import { Terminal } from '../../show/terminal/palette.js'
 */

/** @param {Description[]} apps @param {Terminal} terminal @param {number} now epoch ms */
export function renderDescription(apps, terminal, now) {
  return apps.map((app) => describeApp(app, terminal, now)).join('\n\n');
}

/** @param {Description} app @param {Terminal} terminal @param {number} now */
function describeApp(app, terminal, now) {
  const { bold } = paint(terminal);
  return [
    `${bold(escapeLine(app.name))}  ${paintTone(appTone(app, now), paint(terminal), wholeState(rowsOf(app)[0], now))}`,
    ...labelledLines(newsOf(app, now), terminal),
    ...commandLines(app, terminal, now),
    ...exitLines(app, terminal, now),
    ...workerLines(app, terminal, now),
    ...sectionLines(app, terminal, now),
    '',
    bold('Program'),
    ...labelledLines(factsOf(app), terminal),
    ...settingLines(app, terminal),
  ].join('\n');
}

/** The line above has the status of the only worker. @param {Description} app @param {Terminal} terminal @param {number} now */
function workerLines(app, terminal, now) {
  const columns = neededColumns('workers', [app]).filter(
    ({ heading }) => heading !== 'status' || app.workers.length > 1,
  );
  const rows = rowsOfWorkers(app, now);
  const table = printColumns(columns, rows, narrower(terminal), now);
  const places = say('workerLines', app, paint(terminal), now);
  // What has crashed is said above.
  const others = app.workers.filter(({ stack, crash }) => !stack && !crash);
  const shown = [wholeState(rowsOf(app)[0], now), ...table].join('\n');
  const reasons = headlinesOf(app, now, { workers: others, shown }).map(({ text }) => text);
  const title = paint(terminal).bold('Workers');
  return ['', title, ...indented([...table, ...reasons]), ...places];
}

/** @param {Description} app @param {Terminal} terminal @param {number} now */
function sectionLines(app, terminal, now) {
  return say('section', app, now).flatMap(({ title, facts }) => [
    '',
    paint(terminal).bold(title),
    ...labelledLines(withoutTones(facts), terminal),
  ]);
}

/** @param {Section['facts']} facts @returns {[string, unknown][]} */
const withoutTones = (facts) => facts.map(([label, text]) => [label, text || null]);

/** @param {Description} app @param {Terminal} terminal */
function settingLines(app, terminal) {
  const { configFile } = app.spec;
  const remark = configFile ? 'set by a command' : '';
  /** @type {[string, unknown, string][]} */
  const own = settingRows(app)
    .filter(([, , source]) => source !== 'default')
    .map(([key, text, source]) => [key, text, source === 'file' ? '' : remark]);
  if (own.length === 0) return [];
  const { bold, dim } = paint(terminal);
  const file = configFile ? dim(` of ${escapeLine(configFile)}`) : '';
  return ['', `${bold('Settings')}${file}`, ...labelledLines(own, terminal)];
}

/** What a look at a sick app is for. @param {Description} app @param {number} now @returns {[string, unknown][]} */
function newsOf(app, now) {
  return [
    ['note', app.note],
    ...withoutTones(say('facts', app, now)),
    ...changeRows(app, now),
    ['last replacement', replacementText(app, now)],
  ];
}

/** @param {Description} app @returns {[string, unknown][]} */
function factsOf(app) {
  const { spec, logs } = app;
  const started = app.workers.flatMap(({ startedAt }) => startedAt ?? []);
  return [
    ['script', [app.script, ...spec.args].join(' ')],
    ['resolved from', originOf(spec)],
    // What runs may be older.
    ['version on disk', nearestPackage(dirname(app.script))?.version],
    ['started', started.length > 0 ? formatMoment(Math.min(...started)) : null],
    ['cwd', spec.cwd],
    ['node', app.mode === 'cluster' ? app.node : null],
    ['mode', spec.modeReason ? `${app.mode} (${spec.modeReason})` : app.mode],
    ['user', app.user],
    ['namespace', app.namespace === 'default' ? null : app.namespace],
    ['listens on', addressesText(app)],
    ['primary', primaryText(app)],
    ['stdout', logs.out.join(', ')],
    ['stderr', logs.error.join(', ')],
  ];
}

/** Only of one that is old. @param {Description} app */
function primaryText({ primaryPid, primaryVersion, primaryNode }) {
  const age = primaryPid && oldnessOf({ version: primaryVersion, node: primaryNode });
  return age ? `pid ${primaryPid} (${age}; \`nodecluster update --apps\` replaces it)` : null;
}

/** @param {Description} app @param {number} now */
function replacementText({ lastReplacement }, now) {
  if (!lastReplacement) return null;
  const { slot, at, reason } = lastReplacement;
  return `:${slot} ${formatAgo(at, now)}, because it ${reasonText(reason)}`;
}

/** What helps. @param {Description} app @param {Terminal} terminal @param {number} now */
export function commandLines(app, terminal, now) {
  const { bold, dim } = paint(terminal);
  const rows = helpOf(app, now).map(([command, why]) => [command, dim(why)]);
  if (rows.length === 0) return [];
  return ['', bold('What to do now'), ...indented(drawTable(rows, [{}, {}]))];
}

/** @param {Description} app @param {Terminal} terminal @param {number} now */
function exitLines(app, terminal, now) {
  const { bold, dim, red } = paint(terminal);
  const exits = exitsOf(app, now, red).flatMap(({ names, texts: [last, ...before], lines }) => [
    `  ${names}  ${last}`,
    ...lines.map((line) => `    ${dim('|')} ${escapeLine(line)}`),
    ...before.map((text) => `    ${dim(`before that: ${text}`)}`),
  ]);
  return exits.length === 0 ? [] : ['', bold('Recent exits'), ...exits];
}
