/** Writes the tables that were measured into docs/explanations/reliability.json. */
import { readFileSync, writeFileSync } from 'node:fs';
import * as prettier from 'prettier';
import { tableOf } from './figures.js';
import { measurements } from './measurements.js';

/** @import { Row } from './figures.js' */

const FILE = new URL('../../docs/explanations/reliability.json', import.meta.url).pathname;

/** @param {Row[]} rows */
export async function document(rows) {
  const data = JSON.parse(readFileSync(FILE, 'utf8'));
  for (const table of measurements.flatMap(({ tables }) => tables)) {
    const { heads, cells } = tableOf(table, rows);
    const entries = cells.map((row) =>
      Object.fromEntries(heads.map((head, at) => [head, row[at]])),
    );
    if (entries.length > 0) data.tables[table.name] = entries;
  }
  const style = await prettier.resolveConfig(FILE);
  const text = await prettier.format(JSON.stringify(data), { ...style, filepath: FILE });
  writeFileSync(FILE, text);
}
