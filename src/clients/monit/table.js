/** The table of `monit` as lines: as many columns as fit, and the rows around the selected one. */
import { escapeLine } from '../../show/escape.js';
import { paint } from '../../show/terminal/palette.js';
import { paintTone } from '../../show/paint.js';
import { formatCount, sparkline } from '../../show/quantity.js';
import { cell, truncate, widthOf, fit } from '../../show/terminal/cells.js';
import { withFigures } from '../../show/rows.js';
import { wholeState } from '../../show/help.js';
import { stateTone } from '../../show/state.js';

/**
 * @import { Column } from '../../show/columns.js'
 * @import { BareRow, Row } from '../../show/rows.js'
 * @import { Colour } from '../../show/paint.js'
 * @import { State } from './state.js'
 * @import { History } from './update.js'
 *
 * @typedef {Pick<Column, 'heading' | 'align' | 'priority'> & {minWidth: number, fullWidth: number,
 *   text: (row: Row, width: number) => string, tone: (row: Row) => Colour}} MonitColumn
 *
 * @typedef {{claim: MonitColumn, width: number}} Cell
 *
 * @typedef {object} Look what the terminal can show
 * @property {number} columns
 * @property {boolean} colours
 * @property {number} now epoch ms
 */

const margin = 2;
/** Terminals with fewer columns get smaller gaps and shorter names. */
const roomyWidth = 100;
const narrowName = 9;
const STATUS_SHARE = 0.4;

/**
 * @param {State} state
 * @param {number} height lines for rows
 * @param {Look} look
 * @returns {{heading: string, lines: string[], place: string}} place: which rows these are, below that of their app;
 *   '' if these are all
 */
export function drawTable({ shown: rows, columns, selected, history }, height, look) {
  const gap = look.columns < roomyWidth ? 1 : 2;
  const index = Math.max(
    0,
    rows.findIndex(({ key }) => key === selected),
  );
  const lastTop = Math.max(0, rows.length - height);
  const top = Math.min(Math.max(0, index - Math.floor(height / 2)), lastTop);
  const end = Math.min(top + height, rows.length);
  const { app, kind } = rows[top];
  const owner =
    height > 1 && kind === 'worker'
      ? rows.find((row) => row.kind === 'app' && row.app === app)
      : undefined;
  const from = owner ? top + 1 : top;
  const visible = [...(owner ? [owner] : []), ...rows.slice(from, end)].map((row) =>
    withFigures(row, look.now),
  );
  const nameWidth = Math.max(6, ...rows.map((row) => widthOf(shortName(row))));
  const claims = columns.flatMap((column) => claimsOf(column, { nameWidth, history, look }));
  const shown = fit(claims, look.columns - margin, gap);
  const space = ' '.repeat(gap);
  const headings = shown.map(({ claim, width }) => cell(claim.heading, width, claim));
  return {
    place: rows.length > height ? `rows ${from + 1}–${end} of ${rows.length}` : '',
    heading: paint(look).dim(' '.repeat(margin) + headings.join(space)),
    lines: visible.map((row) =>
      drawRow(row, { isSelected: row.key === selected, shown, space, look }),
    ),
  };
}

/**
 * @param {Column} column
 * @param {{nameWidth: number, history: History, look: Look}} how nameWidth: of all rows, since it should
 *   not change with every move
 * @returns {MonitColumn[]} the column, and its bars
 */
function claimsOf(column, { nameWidth: fullWidth, history, look }) {
  const { heading, width, curve, tone } = column;
  /** @type {MonitColumn} */
  const fixed = {
    ...column,
    text: (row) => column.text(row, look.now),
    tone: (row) => tone?.(row, look.now) ?? '',
    minWidth: width,
    fullWidth: width,
  };
  if (heading === 'name') {
    const minWidth = Math.min(fullWidth, look.columns < roomyWidth ? narrowName : width);
    return [{ ...fixed, minWidth, fullWidth, text: shortName }];
  }
  if (heading === 'status') {
    // No status may change which columns are shown.
    const share = Math.floor(look.columns * STATUS_SHARE);
    const text = (/** @type {Row} */ row) => wholeState(row, look.now);
    const [minWidth, fullWidth] = [Math.min(width, share), Math.max(width, share)];
    return [{ ...fixed, text, minWidth, fullWidth }];
  }
  if (!curve) return [fixed];
  // Beside a figure, one for each of the last seconds.
  const text = (/** @type {Row} */ { key }, /** @type {number} */ room) => {
    const values = (history.get(key)?.[curve.figure] ?? []).slice(-room);
    return sparkline(values, room, curve.minHigh);
  };
  const bars = { heading: '', align: /** @type {const} */ ('left'), minWidth: MIN_BARS, text };
  const { priority } = curve;
  return [fixed, { ...bars, priority, fullWidth: curve.width, tone: () => 'accent' }];
}

/** @param {Row} row @param {{isSelected: boolean, shown: Cell[], space: string, look: Look}} how */
function drawRow(row, { isSelected, shown, space, look }) {
  const { bold, inverse } = paint(look);
  const [name, ...others] = shown;
  const nameColour = row.kind === 'worker' ? String : bold;
  const colour = isSelected
    ? (/** @type {string} */ text) => inverse(nameColour(text))
    : nameColour;
  const start =
    bold(isSelected ? '▸ ' : ' '.repeat(margin)) +
    cell(shortName(row), name.width, { colour }) +
    space;
  const { cpu, memory } = row.figures;
  if (cpu !== undefined || memory !== undefined) {
    const cells = others.map(({ claim: { text, align, tone }, width }) => {
      const colour = (/** @type {string} */ shown) => paintTone(tone(row), paint(look), shown);
      return cell(text(row, width), width, { align, colour });
    });
    return start + cells.join(space);
  }
  // A worker that does not run has no figures, so their columns show what is wrong.
  const room = look.columns - margin - name.width - space.length;
  const restarts = row.worker?.restarts ? `, ${formatCount(row.worker.restarts, 'restart')}` : '';
  const state = truncate(wholeState(row, look.now) + restarts, room);
  return start + paintTone(stateTone(row, look.now), paint(look), state);
}

/** @param {BareRow} row */
function shortName({ kind, key, app, isFolded }) {
  if (kind === 'worker') return `  :${key.slice(app.name.length + 1)}`;
  return escapeLine(app.name) + (isFolded ? ' [+]' : '');
}

const MIN_BARS = 6;
