/** `describe`: the figures that each worker reports about itself. */
import { paint } from '../palette.js';
import { columnsOf } from '../table/columns.js';
import { indented, narrower } from '../table/labelled.js';
import { printTable } from '../table/print.js';
import { rowsOfWorkers } from '../../../show/rows.js';

/**
 * @import { AppView } from '../../../protocol/shapes.js'
 * @import { Terminal } from '../palette.js'
 */

/**
 * @param {AppView} app
 * @param {Terminal} terminal
 * @returns {string[]} no lines if no worker reports figures
 */
export function measuredLines(app, terminal) {
  const rows = rowsOfWorkers(app).filter(({ figures }) => typeof figures.elu === 'number');
  if (rows.length === 0) return [];
  const { bold, dim } = paint(terminal);
  const table = printTable(columnsOf('measured'), rows, narrower(terminal));
  return ['', `${bold('Measured')} ${dim('by the workers, just now')}`, ...indented(table)];
}
