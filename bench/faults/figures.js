/** Measured rows, the tables made of them, and the figures that have a required value. */
import { quantile } from '../statistics.js';
import { tableLines } from '../table.js';

/**
 * @typedef {Record<string, any> & {table: string, node: string, scheduling: string,
 *   supervisor: string}} Row
 *
 * @typedef {object} Column
 * @property {string} head
 * @property {string} of the key in a row
 * @property {(values: any[]) => string | number} over makes one figure of several rows
 * @property {(row: Row) => boolean} [must] what has to hold for nodecluster
 *
 * @typedef {object} Table
 * @property {string} name
 * @property {string} [rowsOf] another table, whose rows it shows in another way
 * @property {string} title
 * @property {Record<string, string>} [by] what tells its rows apart besides Node, scheduling and
 *   supervisor: key → head
 * @property {Column[]} columns
 */

const EVERYWHERE = { node: 'Node', scheduling: 'scheduling' };

const round = (/** @type {number} */ value) => Math.round(value * 10) / 10;
/** @param {number[]} values */
export const sum = (values) => values.reduce((total, value) => total + value, 0);
/** @param {number[]} values */
export const most = (values) => round(Math.max(...values));
/** @param {number[]} values */
export const least = (values) => round(Math.min(...values));
/** @param {number[]} values */
export const middle = (values) => round(quantile(values, 0.5));
/** @param {unknown[]} values */
export const number = (values) => values.length;
/** @param {unknown[]} values */
export const distinct = (values) => [...new Set(values.map(String))].join(', ');

/** @param {string} head @param {string} of @returns {Column} */
export const count = (head, of) => ({ head, of, over: sum });
/** @param {string} head @param {string} of @returns {Column} */
export const zero = (head, of) => ({ ...count(head, of), must: (row) => row[of] === 0 });

/** @param {Table} table @param {Row[]} rows */
export function tableOf(table, rows) {
  /** @type {Map<string, Row[]>} */
  const groups = new Map();
  const own = rows.filter((row) => row.table === (table.rowsOf ?? table.name));
  const hasSeveral = new Set(own.map(({ supervisor }) => supervisor)).size > 1;
  /** @type {Record<string, string>} */
  const keys = { ...EVERYWHERE, ...table.by, ...(hasSeveral && { supervisor: 'supervisor' }) };
  for (const row of own) {
    const name = JSON.stringify(Object.keys(keys).map((key) => row[key]));
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  const heads = [...Object.values(keys), ...table.columns.map(({ head }) => head)];
  const cells = [...groups.values()].map((group) => [
    ...Object.keys(keys).map((key) => group[0][key]),
    ...table.columns.map((column) => figure(column, group)),
  ]);
  return { heads, cells };
}

/** @param {Column} column @param {Row[]} rows */
function figure({ of, over }, rows) {
  const values = rows.map((row) => row[of]).filter((value) => value !== null);
  return values.length === 0 ? '–' : over(values);
}

/** @param {Table} table @param {Row[]} rows @returns {string[]} what is not as it must be */
export function broken({ name, by = {}, columns }, rows) {
  return rows
    .filter((row) => row.table === name && row.supervisor === 'nodecluster')
    .flatMap((row) =>
      columns
        .filter(({ must }) => must && !must(row))
        .map(({ head, of }) => {
          const where = [row.node, row.scheduling, ...Object.keys(by).map((key) => row[key])];
          return `${name}, ${where.join(', ')}: ${head} is ${row[of]}`;
        }),
    );
}

/** @param {Table} table @param {Row[]} rows */
export function print(table, rows) {
  const { heads, cells } = tableOf(table, rows);
  console.log(`\n${table.title}\n\n${tableLines(heads, cells).join('\n')}`);
}
