/** `describe`: one app with everything that is known of it. */
import { formatDuration } from '../../shared/units.js';
import { maskLine } from './mask.js';
import { paint, paintStatus } from './palette.js';
import { elapsed } from './quantity.js';
import { renderTable } from './table.js';

/**
 * @typedef {import('./palette.js').Terminal} Terminal
 * @typedef {import('./table.js').App & Record<string, any>} DescribedApp
 */

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
  const title = `${bold(maskLine(app.name))} ${paintStatus(maskLine(app.status), terminal)}`;
  return [
    title,
    ...labelled([...factsOf(app, now), ...settingsOf(app.spec ?? {})], terminal),
    '',
    renderTable([app], terminal),
    ...deathsOf(app, terminal, now),
  ].join('\n');
}

/**
 * @param {DescribedApp} app
 * @param {number} now
 * @returns {[string, unknown][]}
 */
function factsOf(app, now) {
  return [
    ['script', app.script],
    ['instances', app.instances],
    ['mode', app.mode],
    ['scheduling', app.scheduling],
    ['namespace', app.namespace],
    ['generation', app.generation],
    ['last reload', reloadText(app.lastReload, now)],
    ['doing', app.busy],
    ['primary pid', app.primaryPid],
    ['listens on', [...new Set((app.slots ?? []).flatMap(listeningOf))].join(', ')],
    ['stdout', app.logs?.out],
    ['stderr', app.logs?.error],
    ['note', app.note],
  ];
}

/** @param {{listening?: string[]}} slot */
function listeningOf({ listening = [] }) {
  return listening;
}

/** Shown among the facts, or by `env`. */
const shownElsewhere = new Set([
  ...['name', 'namespace', 'script', 'instances', 'execMode', 'scheduling', 'env', 'shellEnv'],
]);

/**
 * @param {Record<string, unknown>} spec
 * @returns {[string, unknown][]}
 */
function settingsOf(spec) {
  return Object.entries(spec)
    .filter(([key]) => !shownElsewhere.has(key))
    .map(([key, value]) => settingText(key, value));
}

/**
 * @param {string} key camelCase, `Ms` at the end where it is a time
 * @param {unknown} value
 * @returns {[string, unknown]} the name that the option has in an ecosystem file
 */
function settingText(key, value) {
  const isTime = key.endsWith('Ms') && typeof value === 'number';
  const name = (isTime ? key.slice(0, -2) : key).replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
  if (isTime) return [name, formatDuration(/** @type {number} */ (value))];
  if (Array.isArray(value)) return [name, value.map((each) => JSON.stringify(each)).join(' ')];
  return [name, value];
}

/**
 * @param {[string, unknown][]} pairs
 * @param {Terminal} terminal
 */
function labelled(pairs, terminal) {
  const { dim } = paint(terminal);
  const known = pairs.filter(([, value]) => value !== undefined && value !== null && value !== '');
  const labelWidth = Math.max(...known.map(([label]) => label.length));
  return known.map(([label, value]) => `  ${dim(label.padEnd(labelWidth))} ${maskLine(value)}`);
}

/**
 * @param {{at: number, ok: boolean, durationMs: number, reason?: string | null, done?: number[],
 *   kept?: number[], rolledBack?: number[]} | null | undefined} reload
 * @param {number} now
 */
function reloadText(reload, now) {
  if (!reload) return null;
  const when = `${formatDuration(Math.max(0, now - reload.at))} ago`;
  if (reload.ok) return `${when}, took ${elapsed(reload.durationMs)}`;
  const { done = [], kept = [], rolledBack = [] } = reload;
  const parts = [
    [kept.length, 'kept'],
    [rolledBack.length, 'rolled back'],
    [done.length, 'replaced'],
  ].filter(([number]) => number);
  const slots = parts.length ? ` (workers: ${parts.map((part) => part.join(' ')).join(', ')})` : '';
  return `failed ${when}: ${reload.reason ?? 'reason unknown'}${slots}`;
}

/**
 * @param {DescribedApp} app
 * @param {Terminal} terminal
 * @param {number} now
 */
function deathsOf(app, terminal, now) {
  const dim = paint(terminal).dim;
  return (app.slots ?? [])
    .filter((/** @type {any} */ { lastExit }) => lastExit)
    .flatMap((/** @type {any} */ { slot, lastExit }) => [
      '',
      `${maskLine(app.name)}:${slot} last ended ${formatDuration(Math.max(0, now - lastExit.at))} ago with ${exitText(lastExit)}`,
      ...(lastExit.lastLines ?? []).map(
        (/** @type {string} */ line) => `  ${dim('|')} ${maskLine(line)}`,
      ),
    ]);
}

/** @param {{code: number | null, signal: string | null, error?: string | null}} exit */
function exitText({ code, signal, error }) {
  if (signal) return `signal ${maskLine(signal)}`;
  return code === null
    ? `no process at all (${maskLine(error ?? 'unknown')})`
    : `exit code ${code}`;
}
