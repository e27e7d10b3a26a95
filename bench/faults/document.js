/** Writes the tables into docs/reference/reliability-figures.md, between comments that name each table. */
import { readFileSync, writeFileSync } from 'node:fs';
import * as prettier from 'prettier';
import { callsTable } from './calls/run.js';
import { EVERYWHERE, distinct, linesOf } from './figures.js';
import { measurements } from './measurements.js';

/** @import { Column, Row, Table } from './figures.js' */

const PAGE = new URL('../../docs/reference/reliability-figures.md', import.meta.url).pathname;

/**
 * @param {Row[]} rows
 * @returns {Promise<void>}
 */
export async function document(rows) {
  const before = readFileSync(PAGE, 'utf8');
  const page = [...blocks(before, rows)].reduce(replaceBlock, before);
  const style = await prettier.resolveConfig(PAGE);
  writeFileSync(PAGE, await prettier.format(page, { ...style, filepath: PAGE }));
}

/** @type {Column} */
const VERSIONS = {
  head: 'Node',
  of: 'node',
  over: (versions) => distinct(versions.map((version) => version.replace(/^v|\..*/g, ''))),
};

/**
 * Tables that were not measured, or that the page does not have, stay as they are.
 * @param {string} page
 * @param {Row[]} rows
 * @returns {Map<string, string[]>} name of a block → its lines
 */
function blocks(page, rows) {
  const measured = new Set(rows.map(({ table }) => table));
  const tables = [...measurements.flatMap((measurement) => measurement.tables), callsTable]
    .flatMap((table) => [table, ...(table.inPage ? [table.inPage] : [])])
    .filter(({ name, rowsOf }) => measured.has(rowsOf ?? name) && page.includes(beginOf(name)));
  return new Map(tables.map((table) => [table.name, combinedLines(table, rows)]));
}

/**
 * A table with one row per kind combines all versions of Node and policies, to stay readable.
 * @param {Table} table
 * @param {Row[]} rows
 */
function combinedLines(table, rows) {
  const { apart, columns } = table;
  if (apart) return linesOf({ ...table, columns: [VERSIONS, ...columns] }, rows, apart);
  return linesOf(table, rows, Object.keys(table.by).length > 0 ? {} : EVERYWHERE);
}

/** @param {string} name of a table */
function beginOf(name) {
  return `<!-- figures: ${name} -->`;
}

/** @param {string} page @param {[string, string[]]} block @returns {string} */
function replaceBlock(page, [name, lines]) {
  const [begin, end] = [beginOf(name), '<!-- end of figures -->'];
  const from = page.indexOf(begin);
  const to = page.indexOf(end, from);
  if (to === -1) throw new Error(`${PAGE} has no end of ${name}: ${end}`);
  return [page.slice(0, from + begin.length), '', ...lines, '', page.slice(to)].join('\n');
}
