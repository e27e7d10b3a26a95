/** `describe`: one app with everything that is known of it. */
import { formatDuration, formatSize } from '../../shared/units.js';
import { maskLine } from './mask.js';
import { paint, paintStatus } from './palette.js';
import { elapsed } from './quantity.js';
import { renderTable } from './table.js';

/**
 * @typedef {import('./palette.js').Terminal} Terminal
 * @typedef {import('./table.js').App & Record<string, any>} DescribedApp
 *
 * @typedef {object} PastExit
 * @property {number | null} code
 * @property {string | null} signal
 * @property {string | null} [error]
 * @property {string} reason
 * @property {number} uptimeMs
 * @property {number} at epoch ms
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
 * @param {string} key camelCase, `Ms` or `Bytes` at the end where it is a time or a size
 * @param {unknown} value
 * @returns {[string, unknown]} the name that the option has in an ecosystem file
 */
function settingText(key, value) {
  const words = key.replace(/(Ms|Bytes)$/, '');
  const name = words.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
  if (typeof value === 'number' && words !== key) {
    return [name, key.endsWith('Ms') ? formatDuration(value) : formatSize(value)];
  }
  if (Array.isArray(value)) return [name, value.map((each) => JSON.stringify(each)).join(' ')];
  if (value !== null && typeof value === 'object') return [name, partsText(value)];
  return [name, value];
}

/** @param {object} parts of one setting */
function partsText(parts) {
  const settings = Object.entries(parts).map(([key, value]) => settingText(key, value));
  return settings.map((setting) => setting.join(' ')).join(', ');
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
    .flatMap((/** @type {any} */ { slot, lastExit, earlierExits = [] }) => [
      '',
      `${maskLine(app.name)}:${slot} last ended ${exitText(lastExit, now)}`,
      ...(lastExit.lastLines ?? []).map(
        (/** @type {string} */ line) => `  ${dim('|')} ${maskLine(line)}`,
      ),
      ...earlierExits.map((/** @type {PastExit} */ exit) => `  before: ${exitText(exit, now)}`),
    ]);
}

/**
 * @param {PastExit} exit
 * @param {number} now
 */
function exitText({ code, signal, error, reason, uptimeMs, at }, now) {
  const when = `${formatDuration(Math.max(0, now - at))} ago`;
  if (code === null && !signal) {
    return `${when}: no process at all (${maskLine(error ?? 'unknown')})`;
  }
  const how = signal ? `signal ${maskLine(signal)}` : `exit code ${code}`;
  // What the code or the signal says by itself is not said again.
  const isPlain = !reason || /^(exited|was killed)/.test(reason);
  const why = isPlain ? '' : ` (${maskLine(reason)})`;
  return `${when} with ${how}${why}, after ${formatDuration(uptimeMs)}`;
}
