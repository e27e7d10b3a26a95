/** Rows of a table as Markdown, ready to paste into the documentation. */

/** @param {string[]} heads @param {(string|number)[][]} rows */
export function printTable(heads, rows) {
  console.log(tableLines(heads, rows).join('\n'));
}

/** @param {string[]} heads @param {(string|number)[][]} rows @returns {string[]} */
export function tableLines(heads, rows) {
  const all = [heads, ...rows].map((row) => row.map(String));
  const widths = heads.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  /** @param {string[]} row */
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(all[0]), rule, ...all.slice(1).map(line)];
}
