/** The bars beside cpu and memory: how each changed in the last minute. */
import { ownScale, sparkline } from '../../../cli/render/sparkline.js';

/**
 * @import { History } from '../history.js'
 * @import { MonitColumn } from './table.js'
 */

/** Percent of one core. A load below this never looks high. */
const minCpuSpan = 20;
/** In bytes. Memory that changes by less than this looks flat. */
const minMemorySpan = 16 * 1024 ** 2;

/**
 * @param {History} history
 * @param {boolean} supportsUnicode whether the terminal shows more than ASCII
 * @returns {Record<string, MonitColumn>} by the heading of the column that they stand beside
 */
export function barsBeside(history, supportsUnicode) {
  return {
    cpu: bars(50, 24, ({ key }, width) => {
      const values = (history.get(key)?.cpu ?? []).slice(-width);
      const high = Math.max(minCpuSpan, ...values.map(Number));
      return sparkline(values, width, { low: 0, high }, supportsUnicode);
    }),
    memory: bars(45, 16, ({ key }, width) => {
      const values = (history.get(key)?.memory ?? []).slice(-width);
      return sparkline(values, width, ownScale(values, minMemorySpan), supportsUnicode);
    }),
  };
}

/**
 * @param {number} priority
 * @param {number} fullWidth
 * @param {MonitColumn['text']} text
 * @returns {MonitColumn}
 */
function bars(priority, fullWidth, text) {
  return { heading: '', align: 'left', priority, minWidth: 6, fullWidth, text, tone: () => 'cyan' };
}
