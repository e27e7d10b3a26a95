/** Writes the tables of docs/explanations/reliability.json. */
import { readFileSync, writeFileSync } from 'node:fs';
import * as prettier from 'prettier';
import { EVERYWHERE, distinct, tableOf } from './figures.js';
import { measurements } from './measurements.js';

/** @import { Column, Row, Table } from './figures.js' */

const FILE = new URL('../../docs/explanations/reliability.json', import.meta.url).pathname;

/**
 * Tables that were not measured, or that the file does not have, stay as they are.
 * @param {Row[]} rows
 */
export async function document(rows) {
  const data = JSON.parse(readFileSync(FILE, 'utf8'));
  const measured = new Set(rows.map(({ table }) => table));
  const all = measurements.flatMap(({ tables }) => tables);
  for (const table of all.flatMap((each) => [each, ...(each.inPage ? [each.inPage] : [])])) {
    const { name, rowsOf = name } = table;
    if (name in data.tables && measured.has(rowsOf)) data.tables[name] = combined(table, rows);
  }
  const style = await prettier.resolveConfig(FILE);
  const text = await prettier.format(JSON.stringify(data), { ...style, filepath: FILE });
  writeFileSync(FILE, text);
}

/** @type {Column} */
const VERSIONS = {
  head: 'Node',
  of: 'node',
  over: (versions) => distinct(versions.map((version) => version.replace(/^v|\..*/g, ''))),
};

/**
 * A table with one row per kind combines all versions of Node and policies, to stay readable.
 * @param {Table} table
 * @param {Row[]} rows
 */
function combined(table, rows) {
  const { apart, columns } = table;
  const { heads, cells } = apart
    ? tableOf({ ...table, columns: [VERSIONS, ...columns] }, rows, apart)
    : tableOf(table, rows, Object.keys(table.by).length > 0 ? {} : EVERYWHERE);
  return cells.map((row) => Object.fromEntries(heads.map((head, at) => [head, row[at]])));
}
