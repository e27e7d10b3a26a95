/** Selects the rows to show: those that match the filter and are not folded. */
import { workerState } from '../../cli/render/state.js';

/** @import { Row } from '../../cli/render/table/rows.js' */

/**
 * @param {Row[]} rows
 * @param {{filter: string, folded: ReadonlySet<string>}} view filter: part of an app's name, of a
 *   worker's name or of its state
 * @returns {Row[]} an app is shown when one of its workers is
 */
export function visibleRows(rows, { filter, folded }) {
  const matching = filter === '' ? rows : matchingRows(rows, filter.toLowerCase());
  return matching.filter(({ kind, app }) => kind !== 'worker' || !folded.has(app.name));
}

/** @param {Row[]} rows @param {string} text */
function matchingRows(rows, text) {
  const matches = (/** @type {Row} */ { key, worker }) =>
    key.toLowerCase().includes(text) ||
    (worker !== null && workerState(worker).toLowerCase().includes(text));
  const found = new Set(rows.filter(matches));
  const apps = new Set([...found].map(({ app }) => app));
  return rows.filter((row) => found.has(row) || (row.kind === 'app' && apps.has(row.app)));
}
