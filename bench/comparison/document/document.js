/** Writes docs/reference/benchmarks.md and its charts from the results file. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { tableLines } from '../../table.js';
import { drawChart } from './charts.js';
import { HEAD, howToRead, HOW_TO_REPEAT } from './page.js';
import { summaryOf } from './summary.js';
import { blocksOf, nodesOf, panelsOf } from './tables.js';

/**
 * @import { Case, Row } from '../types.js'
 * @import { Results } from '../../results.js'
 * @import { Block } from './tables.js'
 */

const DOCS = fileURLToPath(new URL('../../../docs/reference/', import.meta.url));
const CHARTS = join(DOCS, 'benchmarks');
const PAGE = join(DOCS, 'benchmarks.md');

/** @param {Map<string, Case>} cases @param {Results<Row>} results @returns {Promise<void>} */
export async function writeDocument(cases, results) {
  const blocks = blocksOf(cases, results.rows);
  drawCharts(blocks);
  const summary = summaryOf(blocks);
  const style = await prettier.resolveConfig(PAGE);
  const lines = [
    ...HEAD,
    ...tableLines(summary.heads, summary.rows),
    ...howToRead(results),
    ...['', '## Pictures', '', ...blocks.flatMap(pictureOf)],
    ...HOW_TO_REPEAT,
  ];
  writeFileSync(PAGE, await prettier.format(lines.join('\n'), { ...style, filepath: PAGE }));
}

/** @param {Block[]} blocks */
function drawCharts(blocks) {
  mkdirSync(CHARTS, { recursive: true });
  for (const file of readdirSync(CHARTS)) rmSync(join(CHARTS, file));
  for (const block of blocks) {
    const { title, candidates, figures, drawn } = block.measured;
    const figure = figures.find(({ key }) => key === drawn);
    if (!figure) continue;
    const to = figure.isRatio ? `, ratio to ${candidates[0]}` : '';
    const shown = `${figure.title}${to} (Node ${nodesOf(block.rows)}, ${figure.better} is better)`;
    const unity = figure.isRatio ?? false;
    const svg = drawChart({ title, figure: shown, panels: panelsOf(block, figure), unity });
    writeFileSync(join(CHARTS, `${block.name}.svg`), svg);
  }
}

/** @param {Block} block */
function pictureOf({ name, measured: { title, drawn } }) {
  return drawn ? [`![${title}](benchmarks/${name}.svg)`, ''] : [];
}
