/** What a command changed in an app, and who gave it. */
import { escapeLine } from './escape.js';
import { formatAgo } from './quantity.js';

/** @import { App, AppChange, Difference, Known } from '../protocol/shapes.js' */

/** @typedef {AppChange | Known<AppChange>} Change */

/**
 * @param {Pick<App, 'changes' | 'busy'>} app
 * @param {number} now epoch ms
 * @returns {[label: string, text: string][]} a row for each command, and one for each difference that it made
 */
export function changeRows({ changes = [], busy }, now) {
  return changes.flatMap((change, index) => {
    const isRunning = index === 0 && busy !== undefined;
    const end = change.isApplied ? '' : isRunning ? ', in progress' : ', not applied';
    const what = change.differences.length > 0 ? '' : ', settings and variables as before';
    /** @type {[string, string]} */
    const head = [
      index === 0 ? 'last change' : 'before that',
      `${formatAgo(change.at, now)}: ${change.action}${authorText(change)}${end}${what}`,
    ];
    return [head, ...differenceRows(change)];
  });
}

/** @param {Change} change @returns {[label: string, text: string][]} */
function differenceRows({ differences, omitted }) {
  /** @type {[string, string][]} */
  const rows = differences.map(({ key, from, to }) => [
    `  ${escapeLine(key)}`,
    `${valueText(from)} → ${valueText(to)}`,
  ]);
  return omitted > 0 ? [...rows, ['', `and ${omitted} more`]] : rows;
}

/** After this time it is hardly the cause of what is wrong now. */
const RECENT_MS = 3600_000;

/**
 * @param {App} app that is not as it should be
 * @param {number} now epoch ms
 * @returns {string | null} what may be the cause: `reload 16s ago by alice (cli): env.PAYMENTS_URL`
 */
export function recentChange({ changes = [] }, now) {
  // With one that is not applied, the app has its earlier settings.
  const change = changes.find(({ isApplied }) => isApplied);
  if (!change || change.differences.length === 0) return null;
  if (now - change.at > RECENT_MS) return null;
  return `${change.action} ${formatAgo(change.at, now)}${changeText(change)}`;
}

/**
 * @param {{by?: Change['by'], differences: readonly {key: string}[], omitted: number}} change
 * @returns {string} ` by alice (cli): env.PORT, kill_timeout`
 */
export function changeText(change) {
  const names = change.differences.map(({ key }) => key);
  const rest = change.omitted > 0 ? [`${change.omitted} more`] : [];
  const what = names.length > 0 ? `: ${[...names, ...rest].join(', ')}` : '';
  return `${authorText(change)}${what}`;
}

/** @param {{by?: Change['by']}} change @returns {string} ` by alice (cli)`, ` by watch` */
function authorText({ by }) {
  if (!by) return '';
  return by.user ? ` by ${by.user} (${by.role})` : ` by ${by.role}`;
}

/**
 * @param {Difference['from']} value
 * @returns {string} as JSON
 */
export function valueText(value) {
  return value === undefined || value === null ? '(none)' : escapeLine(JSON.stringify(value));
}
