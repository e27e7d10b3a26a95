/** The bars beside cpu and memory: how each changed in the last minute. */
import { cpuScale, memoryScale } from '../../../show/scale.js';
import { sparkline } from './sparkline.js';

/**
 * @import { History } from '../history.js'
 * @import { MonitColumn } from './table.js'
 */

/**
 * @param {History} history
 * @param {boolean} supportsUnicode whether the terminal shows more than ASCII
 * @returns {Record<string, MonitColumn>} by the heading of the column that they stand beside
 */
export function barsBeside(history, supportsUnicode) {
  return {
    cpu: bars(50, 24, ({ key }, width) => {
      const values = (history.get(key)?.cpu ?? []).slice(-width);
      return sparkline(values, width, cpuScale(values), supportsUnicode);
    }),
    memory: bars(45, 16, ({ key }, width) => {
      const values = (history.get(key)?.memory ?? []).slice(-width);
      return sparkline(values, width, memoryScale(values), supportsUnicode);
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
  return {
    heading: '',
    align: 'left',
    priority,
    minWidth: 6,
    fullWidth,
    text,
    tone: () => 'accent',
  };
}
