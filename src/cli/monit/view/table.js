/** The table of `monit` as lines: as many columns as fit, and the rows around the selected one. */
import { cell, cut, widthOf } from '../../render/table/cells.js';
import { fit } from '../../render/table/fit.js';
import { paint, paintStatus } from '../../render/palette.js';
import { counted } from '../../render/quantity.js';
import { appState, singleState, workerState } from '../../render/state.js';
import { nameText, tableColumns } from './table-columns.js';

/**
 * @import { Claim } from '../../render/table/fit.js'
 * @import { History } from '../history.js'
 * @import { Row } from '../rows.js'
 * @import { TableColumn } from './table-columns.js'
 */

/**
 * @typedef {Claim & {column: TableColumn}} ColumnClaim
 *
 * @typedef {object} Look how the terminal shows things
 * @property {number} columns
 * @property {boolean} colours
 * @property {boolean} isFine whether it has block characters
 */

const pointer = { fine: '▸ ', plain: '> ' };
const margin = 2;
/** An unresponsive worker says for how long. */
const longestState = 17;
const roomy = 100;

/**
 * @param {object} view
 * @param {Row[]} view.rows
 * @param {Row | null} view.selected
 * @param {History} view.history
 * @param {number} height lines there are for rows
 * @param {Look} look
 * @returns {{heading: string, lines: string[], place: string}} place: which of the rows these are,
 *   where there are more
 */
export function drawTable({ rows, selected, history }, height, look) {
  const gap = look.columns < roomy ? 1 : 2;
  const claims = claimsOf(rows, tableColumns(history, look.isFine), look);
  const shown = fit(claims, look.columns - margin, gap);
  const at = Math.max(0, rows.indexOf(/** @type {Row} */ (selected)));
  const top = Math.min(Math.max(0, at - Math.floor(height / 2)), Math.max(0, rows.length - height));
  const space = ' '.repeat(gap);
  const headings = shown.map(({ claim: { column }, width }) => cell(column.heading, width, column));
  const last = Math.min(top + height, rows.length);
  const place = rows.length > height ? `rows ${top + 1}–${last} of ${rows.length}` : '';
  return {
    place,
    heading: paint(look).dim(' '.repeat(margin) + headings.join(space)),
    lines: rows
      .slice(top, top + height)
      .map((row) => drawRow(row, row === selected, shown, space, look)),
  };
}

/**
 * @param {Row[]} rows
 * @param {TableColumn[]} columns
 * @param {Look} look
 * @returns {ColumnClaim[]}
 */
function claimsOf(rows, columns, look) {
  const running = rows.filter(hasFigures).map((row) => widthOf(stateText(row)));
  const stateWidth = Math.max(8, ...running);
  const nameWidth = Math.max(6, ...rows.map((row) => widthOf(nameText(row))));
  /** @type {TableColumn} */
  const name = {
    ...{ heading: 'app', importance: Infinity, align: 'left', text: nameText },
    ...{ least: Math.min(nameWidth, look.columns < roomy ? 10 : 20), most: nameWidth },
  };
  /** @type {TableColumn} */
  const state = {
    ...{ heading: 'state', importance: 99, align: 'left', text: stateText },
    ...{ least: Math.min(stateWidth, longestState), most: stateWidth },
  };
  return [name, state, ...columns].map((column) => {
    const { importance, least, most = least } = column;
    return { importance, least, wanted: most, column };
  });
}

/**
 * @param {Row} row
 * @param {boolean} isSelected
 * @param {{claim: ColumnClaim, width: number}[]} shown
 * @param {string} space
 * @param {Look} look
 */
function drawRow(row, isSelected, shown, space, look) {
  const { isFine, columns } = look;
  const { bold, inverse } = paint(look);
  const [name, ...rest] = shown;
  const mark = isSelected ? (isFine ? pointer.fine : pointer.plain) : ' '.repeat(margin);
  const ofName = row.kind === 'worker' ? String : bold;
  const dress = isSelected ? (/** @type {string} */ text) => inverse(ofName(text)) : ofName;
  const head = bold(mark) + cell(nameText(row), name.width, { dress }) + space;
  if (hasFigures(row)) {
    return (
      head + rest.map((each) => drawCell(row, each.claim.column, each.width, look)).join(space)
    );
  }
  // What does not run has no figures: their room is for what is wrong.
  const room = columns - margin - name.width - space.length;
  return head + paintStatus(statusOf(row), look, cut(stateText(row) + restartsText(row), room));
}

/**
 * @param {Row} row
 * @param {TableColumn} column
 * @param {number} width
 * @param {Look} look
 */
function drawCell(row, { heading, text, align, tone }, width, look) {
  if (heading === 'state') {
    return cell(text(row, width), width, {
      dress: (state) => paintStatus(statusOf(row), look, state),
    });
  }
  const colour = tone?.(row) ?? null;
  const dress = colour === null ? undefined : paint(look)[colour];
  return cell(text(row, width), width, { align, dress });
}

/** @param {Row} row */
function restartsText({ worker }) {
  return worker?.restarts ? `, ${counted(worker.restarts, 'restart')}` : '';
}

/** @param {Row} row */
function hasFigures({ figures }) {
  return typeof figures.cpu === 'number' || typeof figures.memory === 'number';
}

/** @param {Row} row */
function statusOf({ app, worker, kind }) {
  return kind === 'worker' && worker ? worker.status : app.status;
}

/** @param {Row} row */
function stateText({ app, worker, kind }) {
  if (kind === 'single') return singleState(app);
  return worker ? workerState(worker, app) : appState(app);
}
