/** `describe`: one app in full. */
import { dirname } from 'node:path';
import { nearestPackage } from '../../config/resolve/names.js';
import { formatElapsed } from '../../shared/units.js';
import { say } from '../../show/features.js';
import { originOf } from './plan.js';
import { settingRows } from '../../api/setting-rows.js';
import { indented, labelledLines, narrower, drawTable } from '../../show/terminal/table.js';
import { columnsOf } from '../../show/columns.js';
import { addressesText } from '../../show/addresses.js';
import { changeRows } from '../../show/change.js';
import { escapeLine } from '../../show/escape.js';
import { paint } from '../../show/terminal/palette.js';
import { paintTone } from '../../show/paint.js';
import { formatAgo, formatCount, formatMoment } from '../../show/quantity.js';
import { appState } from '../../show/state.js';
import { oldnessOf } from './versions.js';
import { helpOf, reasonsOf } from '../../show/help.js';
import { printColumns } from './ls.js';
import { exitsOf, exitText, exitsTitle } from '../../show/event.js';
import { reasonText, reasonWithCause } from '../../show/reason.js';
import { appTone, rowsOfWorkers } from '../../show/rows.js';

/**
 * @import { App, Description } from '../../protocol/shapes.js'
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
  const workers = printColumns(
    columnsOf('workers'),
    rowsOfWorkers(app, now),
    narrower(terminal),
    now,
  );
  return [
    `${bold(escapeLine(app.name))}  ${paintTone(appTone(app, now), paint(terminal), appState(app, now))}`,
    ...labelledLines(newsOf(app, now), terminal),
    '',
    bold('Workers'),
    ...indented([...workers, ...reasonsOf(app, now, workers.join('\n'))]),
    ...say('workerLines', app, paint(terminal), now),
    ...measuredLines(app, terminal, now),
    ...exitLines(app, terminal, now),
    ...sectionLines(app, terminal, now),
    ...commandLines(app, terminal, now),
    '',
    bold('Program'),
    ...labelledLines(factsOf(app), terminal),
    ...settingLines(app, terminal),
  ].join('\n');
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
  const rows = settingRows(app);
  const own = rows.filter(([, , source]) => source !== 'default');
  const set = [...own, ...variableRows(app)];
  const { bold, dim } = paint(terminal);
  const { configFile } = app.spec;
  const file = configFile ? dim(` of ${escapeLine(configFile)}`) : '';
  const rest = dim(
    `${formatCount(rows.length - own.length, 'setting')} at the default: nodecluster describe ${escapeLine(app.name)} --json`,
  );
  return ['', `${bold('Settings')}${file}`, ...labelledLines(set, terminal), ...indented([rest])];
}

/** Their values may be secret: `env` shows them. @param {Description} app @returns {[key: string, names: string, source: string][]} */
function variableRows({ spec: { given } }) {
  const variables = Object.keys(given).filter((key) => key.startsWith('env.'));
  return [...new Set(variables.map((key) => given[key]))].map((source) => {
    const names = variables.filter((key) => given[key] === source).map((key) => key.slice(4));
    return ['env', names.join(', '), source];
  });
}

/** What a look at a sick app is for. @param {Description} app @param {number} now @returns {[string, unknown][]} */
function newsOf(app, now) {
  return [
    ['note', app.note],
    ...withoutTones(say('facts', app, now)),
    ['last reload', reloadText(app.lastReload, now)],
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
    ['mode', modeText(app)],
    ['user', app.user],
    ['namespace', app.namespace],
    ['listens on', addressesText(app)],
    ['primary', primaryText(app)],
    ['stdout', logs.out.join(', ')],
    ['stderr', logs.error.join(', ')],
    ['primary log', logs.primary],
  ];
}

/** @param {Description} app */
function modeText({ mode, scheduling, spec }) {
  const how = mode === 'cluster' ? `${mode}, ${scheduling}` : mode;
  return spec.modeReason ? `${how} (${spec.modeReason})` : how;
}

/** @param {Description} app */
function primaryText({ primaryPid, primaryVersion, primaryNode }) {
  if (!primaryPid) return null;
  const age = oldnessOf({ version: primaryVersion, node: primaryNode });
  const hint = age ? ` (${age}; \`nodecluster update --apps\` replaces it)` : '';
  return `pid ${primaryPid}${hint}`;
}

/** @param {Description} app @param {number} now */
function replacementText({ lastReplacement }, now) {
  if (!lastReplacement) return null;
  const { slot, at, reason } = lastReplacement;
  return `:${slot} ${formatAgo(at, now)}, because it ${reasonText(reason)}`;
}

/** @param {App['lastReload']} reload @param {number} now */
function reloadText(reload, now) {
  if (!reload) return null;
  const when = formatAgo(reload.at, now);
  if (reload.ok) return `${when}, took ${formatElapsed(reload.durationMs ?? 0)}`;
  const { done = [], kept = [], rolledBack = [] } = reload;
  const counts = [
    kept.length > 0 ? `${kept.length} kept` : '',
    rolledBack.length > 0 ? `${rolledBack.length} rolled back` : '',
    done.length > 0 ? `${done.length} replaced` : '',
  ].filter(Boolean);
  const workers = counts.length > 0 ? ` (workers: ${counts.join(', ')})` : '';
  return `failed ${when}: ${reasonWithCause(reload)}${workers}`;
}

/** What helps. @param {Description} app @param {Terminal} terminal @param {number} now */
export function commandLines(app, terminal, now) {
  const { bold, dim } = paint(terminal);
  const rows = helpOf(app, now).map(([command, why]) => [`nodecluster ${command}`, dim(why)]);
  if (rows.length === 0) return [];
  return ['', bold('What to do now'), ...indented(drawTable(rows, [{}, {}]))];
}

/** @param {Description} app @param {Terminal} terminal @param {number} now */
function exitLines(app, terminal, now) {
  const name = escapeLine(app.name);
  const { bold, dim, red } = paint(terminal);
  const lines = exitsOf(app.workers).flatMap(({ slot, last, earlier, like }) => {
    const written =
      like === null ? last.lastLines.map(escapeLine) : [`the same as ${name}:${like}`];
    return [
      `  ${name}:${slot}  ${exitText(last, now, red)}`,
      ...written.map((line) => `    ${dim('|')} ${like === null ? line : dim(line)}`),
      ...earlier.map((exit) => `    ${dim(`before that: ${exitText(exit, now)}`)}`),
    ];
  });
  return lines.length === 0 ? [] : ['', bold(exitsTitle(app)), ...lines];
}

/** @param {App} app @param {Terminal} terminal @param {number} now */
function measuredLines(app, terminal, now) {
  const rows = rowsOfWorkers(app, now).filter(({ figures }) => typeof figures.elu === 'number');
  if (rows.length === 0) return [];
  const { bold, dim } = paint(terminal);
  const columns = columnsOf('measured').map((column) =>
    column.heading === 'delay' ? { ...column, heading: 'delay p99' } : column,
  );
  const table = printColumns(columns, rows, narrower(terminal), now);
  return [
    '',
    `${bold('Measured')} ${dim('by the workers, just now; requests: in the last minute')}`,
    ...indented(table),
  ];
}
