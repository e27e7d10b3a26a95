/** `ls`: the apps in an order, each in bold with its workers below it; an app with one worker is one row. */
import { paint } from '../../show/terminal/palette.js';
import { neededColumns } from '../../show/columns.js';
import { truncate } from '../../show/terminal/cells.js';
import { printTable } from '../../show/terminal/table.js';
import { appTone, emptyText, figuresOf, foldRows, rowsOf, withFigures } from '../../show/rows.js';
import { TONES } from '../../show/tone.js';

/**
 * @import { App } from '../../protocol/shapes.js'
 * @import { Terminal } from '../../show/terminal/palette.js'
 * @import { Column } from '../../show/columns.js'
 * @import { Row } from '../../show/rows.js'
 * @import { Sort } from '../commands/ls.js'
 */

/** @param {App[]} apps @param {Terminal} terminal @param {number} [now] epoch ms */
export function renderTable(apps, terminal, now = Date.now()) {
  const rows = apps.flatMap(rowsOf).map((row) => withFigures(row, now));
  if (rows.length === 0) return emptyText([]);
  const columns = neededColumns('ls', apps).map((column) => {
    const text = (/** @type {Row} */ row) => (row.kind === 'app' ? '' : column.text(row, now));
    return column.isOfWorker ? { ...column, text } : column;
  });
  return printColumns(columns, rows, terminal, now).join('\n');
}

/** @param {Column[]} columns @param {Row[]} rows @param {Terminal} terminal @param {number} now */
export function printColumns(columns, rows, terminal, now) {
  const { bold } = paint(terminal);
  const extended = columns.map((column) => {
    if (column.heading !== 'name') return column;
    // On a narrow terminal, names leave room for the status.
    const minWidth = (terminal.width ?? Infinity) < 80 ? 9 : column.minWidth;
    const colour = (/** @type {string} */ text, /** @type {Row} */ { kind }) =>
      kind === 'worker' ? text : bold(text);
    return { ...column, minWidth, shorten: shortenName, colour };
  });
  return printTable(extended, foldRows(rows, now), terminal, now);
}

/** The slot is always complete. @param {string} text @param {number} width */
function shortenName(text, width) {
  const slot = /:\d+$/.exec(text)?.[0] ?? '';
  return truncate(text.slice(0, text.length - slot.length), width - slot.length) + slot;
}

/** @type {Record<string, (app: App) => string | number | null>} null: unknown */
const VALUES = {
  name: ({ name }) => name,
  id: ({ workers }) => lowest(workers.map(({ id }) => id)),
  pid: ({ workers }) => lowest(workers.map(({ pid }) => pid)),
  // What is wrong comes first.
  status: (app) => `${TONES.indexOf(appTone(app, Date.now()))} ${app.status}`,
  cpu: ({ workers }) => figuresOf(workers, Date.now()).cpu ?? null,
  memory: ({ workers }) => figuresOf(workers, Date.now()).memory ?? null,
  // The latest start is the shortest uptime.
  uptime: ({ workers }) => lowest(workers.map(({ startedAt }) => startedAt && -startedAt)),
  restarts: ({ workers }) => figuresOf(workers, Date.now()).restarts ?? null,
};

/** @param {App[]} apps @param {Sort} sort */
export function sortApps(apps, { key, isDescending }) {
  return [...apps].sort((one, other) => {
    const [a, b] = [VALUES[key](one), VALUES[key](other)];
    // Unknown values come last.
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    const order = Number(a > b) - Number(a < b);
    return isDescending ? -order : order;
  });
}

/** @param {(number | undefined)[]} values */
function lowest(values) {
  const known = values.flatMap((value) => value ?? []);
  return known.length > 0 ? Math.min(...known) : null;
}
