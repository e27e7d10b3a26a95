/** `describe`: one app in full. */
import { formatDuration } from '../../../shared/units.js';
import { featureFacts, featureLines, featureWorkerLines } from '../../../show/features.js';
import { commandLines } from './commands.js';
import { exitLines } from './exits.js';
import { originOf } from './program.js';
import { settingLines } from './settings.js';
import { measuredLines } from './measured.js';
import { indented, labelledLines, narrower } from '../table/labelled.js';
import { maskLine } from '../../../show/mask.js';
import { paint } from '../palette.js';
import { paintStatus } from '../../../show/paint.js';
import { formatElapsed } from '../../../show/quantity.js';
import { appState } from '../../../show/state.js';
import { ageOf } from '../other-versions.js';
import { reasonsOf, workerLines } from '../table/ls.js';

/**
 * @import { AppDescription, LastReload } from '../../../protocol/shapes.js'
 * @import { Terminal } from '../palette.js'
 */

/** What Node does without a setting. */
const NODE_KEEP_ALIVE_MS = 5000;

/**
 * @param {AppDescription[]} apps
 * @param {Terminal} terminal
 * @param {number} now epoch ms
 * @returns {string}
 */
export function renderDescription(apps, terminal, now) {
  return apps.map((app) => describeApp(app, terminal, now)).join('\n\n');
}

/** @param {AppDescription} app @param {Terminal} terminal @param {number} now */
function describeApp(app, terminal, now) {
  const { bold } = paint(terminal);
  return [
    `${bold(maskLine(app.name))}  ${paintStatus(app.status, paint(terminal), appState(app))}`,
    ...labelledLines(factsOf(app, now), terminal),
    '',
    bold('Workers'),
    ...indented([...workerLines(app, narrower(terminal)), ...reasonsOf(app)]),
    ...featureWorkerLines(app, paint(terminal)),
    ...measuredLines(app, terminal),
    ...exitLines(app, terminal, now),
    ...featureLines(app, paint(terminal), now),
    ...settingLines(app, terminal),
    ...commandLines(app, terminal),
  ].join('\n');
}

/** @param {AppDescription} app @param {number} now @returns {[string, unknown][]} */
function factsOf(app, now) {
  const { spec, slots, logs } = app;
  return [
    ['note', app.note],
    ['warning', keepAliveWarning(app)],
    ['script', [app.script, ...spec.args].join(' ')],
    ['resolved from', originOf(spec)],
    ['cwd', spec.cwd],
    ['node', app.mode === 'cluster' ? app.node : null],
    ['mode', modeText(app)],
    ...featureFacts(app, now),
    ['user', app.user],
    ['namespace', app.namespace],
    [
      'listens on',
      [...new Set(slots.flatMap(({ listening }) => listening.map(({ address }) => address)))].join(
        ', ',
      ),
    ],
    ['health', healthText(app)],
    ['generation', app.generation],
    ['last reload', reloadText(app.lastReload, now)],
    ['last replacement', replacementText(app, now)],
    ['primary', primaryText(app)],
    ['stdout', logs.out.join(', ')],
    ['stderr', logs.error.join(', ')],
    ['primary log', logs.primary],
  ];
}

/** @param {AppDescription} app */
function modeText({ mode, scheduling, spec }) {
  const how = mode === 'cluster' ? `${mode}, ${scheduling}` : mode;
  return spec.modeReason ? `${how} (${spec.modeReason})` : how;
}

/**
 * nginx and others keep idle connections for a minute, and Node closes them after five seconds.
 * @param {AppDescription} app
 */
function keepAliveWarning({ slots }) {
  const proxies = slots.flatMap(({ proxy }) => proxy ?? []);
  const proxy = proxies.find(
    ({ keepAliveMs }) => keepAliveMs > 0 && keepAliveMs <= NODE_KEEP_ALIVE_MS,
  );
  if (!proxy) return null;
  const after = `closes idle connections after ${formatDuration(proxy.keepAliveMs)}`;
  return `a proxy is in front (${proxy.header}), and the program ${after}: clients may get 502. Set keep_alive_timeout above the proxy's, such as 65s`;
}

/** @param {AppDescription} app */
function primaryText({ primaryPid, primaryVersion, primaryNode }) {
  if (!primaryPid) return null;
  const age = ageOf({ version: primaryVersion, node: primaryNode });
  const hint = age ? ` (${age}; \`nodecluster update --apps\` replaces it)` : '';
  return `pid ${primaryPid}${hint}`;
}

/** @param {AppDescription} app */
function healthText({ name, workers }) {
  const failing = workers.flatMap(({ slot, health }) => {
    const { reason = null, failingMs } = health ?? {};
    if (reason === null) return [];
    return [`${name}:${slot} fails for ${formatDuration(failingMs ?? 0)} (${reason})`];
  });
  if (failing.length > 0) return failing.join(', ');
  return workers.some(({ health }) => health?.status === 'healthy') ? 'every check succeeds' : null;
}

/** @param {AppDescription} app @param {number} now */
function replacementText({ lastReplacement }, now) {
  if (!lastReplacement) return null;
  const { slot, at, reason } = lastReplacement;
  return `:${slot} ${formatDuration(Math.max(0, now - at))} ago, because ${reason}`;
}

/** @param {LastReload | null} reload @param {number} now */
function reloadText(reload, now) {
  if (!reload) return null;
  const when = `${formatDuration(Math.max(0, now - reload.at))} ago`;
  if (reload.ok) return `${when}, took ${formatElapsed(reload.durationMs ?? 0)}`;
  const { done = [], kept = [], rolledBack = [] } = reload;
  const counts = [
    kept.length > 0 ? `${kept.length} kept` : '',
    rolledBack.length > 0 ? `${rolledBack.length} rolled back` : '',
    done.length > 0 ? `${done.length} replaced` : '',
  ].filter(Boolean);
  const workers = counts.length > 0 ? ` (workers: ${counts.join(', ')})` : '';
  return `failed ${when}: ${reload.reason ?? 'reason unknown'}${workers}`;
}
