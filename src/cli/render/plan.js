/** What applying an ecosystem file would do, or did: the smallest action for each app, and why. */
import { maskLine } from './mask.js';
import { paint } from './palette.js';

/**
 * @typedef {object} PlanEntry
 * @property {string} app
 * @property {string} action start, none, configure, scale, reload, restart or delete
 * @property {{key: string, from?: unknown, to?: unknown}[]} [changes] secrets are masked already
 */

/**
 * @param {PlanEntry[]} plan
 * @param {string[]} unlisted apps that came from this file once and are no longer in it
 * @param {import('./palette.js').Terminal} terminal
 * @returns {string}
 */
export function renderPlan(plan, unlisted, terminal) {
  const lines = plan.flatMap((entry) => entryLines(entry, terminal));
  const rest = unlisted.map(
    (name) => `${maskLine(name)}: no longer in the file, left as it is (--prune removes it)`,
  );
  return [...lines, ...rest].join('\n') || 'Nothing to do.';
}

/** @type {Record<string, string>} */
const explanations = {
  none: 'no change',
  configure: 'settings only, no worker is replaced',
  reload: 'reload, one worker after the other',
  restart: 'restart, requests are interrupted',
  delete: 'delete, no longer in the file',
};

/**
 * @param {PlanEntry} entry
 * @param {import('./palette.js').Terminal} terminal
 */
function entryLines({ app, action, changes = [] }, terminal) {
  const { bold, dim } = paint(terminal);
  const head = `${bold(maskLine(app))}: ${explanations[action] ?? maskLine(action)}`;
  return [
    head,
    ...changes.map(
      ({ key, from, to }) => `  ${maskLine(key)}: ${dim(valueText(from))} → ${valueText(to)}`,
    ),
  ];
}

/** @param {unknown} value */
function valueText(value) {
  return value === undefined || value === null ? '(none)' : maskLine(JSON.stringify(value));
}
