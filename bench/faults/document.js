/** Writes the tables into docs/reliability.md, between comments that name each table. */
import { readFileSync, writeFileSync } from 'node:fs';
import * as prettier from 'prettier';
import { callsTable } from './calls/run.js';
import { EVERYWHERE, linesOf } from './figures.js';
import { measurements } from './measurements.js';

/** @import { Row } from './figures.js' */

const PAGE = new URL('../../docs/reliability.md', import.meta.url).pathname;

/**
 * @param {Row[]} rows
 * @returns {Promise<void>}
 */
export async function document(rows) {
  const page = [...blocks(rows)].reduce(replaceBlock, readFileSync(PAGE, 'utf8'));
  const style = await prettier.resolveConfig(PAGE);
  writeFileSync(PAGE, await prettier.format(page, { ...style, filepath: PAGE }));
}

/**
 * Tables that were not measured stay as they are. A table with one row per kind combines all versions of Node and policies, to stay readable.
 * @param {Row[]} rows
 * @returns {Map<string, string[]>} name of a block → its lines
 */
function blocks(rows) {
  const measured = new Set(rows.map(({ table }) => table));
  const tables = [...measurements.flatMap((measurement) => measurement.tables), callsTable].filter(
    ({ name, rowsOf }) => measured.has(rowsOf ?? name),
  );
  return new Map(
    tables.map((table) => {
      const isOfKinds = Object.keys(table.by).length > 0;
      return [table.name, linesOf(table, rows, isOfKinds ? {} : EVERYWHERE)];
    }),
  );
}

/** @param {string} page @param {[string, string[]]} block @returns {string} */
function replaceBlock(page, [name, lines]) {
  const [begin, end] = [`<!-- figures: ${name} -->`, `<!-- end of figures -->`];
  const from = page.indexOf(begin);
  const to = page.indexOf(end, from);
  if (from === -1 || to === -1) throw new Error(`${PAGE} has no place for ${name}: ${begin}`);
  return [page.slice(0, from + begin.length), '', ...lines, '', page.slice(to)].join('\n');
}
