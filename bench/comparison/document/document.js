/** Writes docs/reference/benchmarks.md and its charts from the results file. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { tableLines } from '../../table.js';
import { installedVersion } from '../installed.js';
import { HEAD, howToRead, HOW_TO_REPEAT } from './page.js';
import { summaryOf } from './summary.js';
import { blocksOf, panelsOf, roundsOf, tableOf } from './tables.js';

/**
 * @import { Case, Row } from '../types.js'
 * @import { Results } from '../results.js'
 * @import { Block } from './tables.js'
 */

const DOCS = fileURLToPath(new URL('../../../docs/reference/', import.meta.url));
const CHARTS = join(DOCS, 'benchmarks');
const PAGE = join(DOCS, 'benchmarks.md');

const GROWTH = 'How it grows';

/**
 * @param {Map<string, Case>} cases
 * @param {Results} results
 * @returns {Promise<void>}
 */
export async function writeDocument(cases, results) {
  const blocks = blocksOf(cases, results.rows);
  await drawCharts(blocks);
  const summary = summaryOf(blocks);
  const style = await prettier.resolveConfig(PAGE);
  const lines = [
    ...HEAD,
    ...tableLines(summary.heads, summary.rows),
    ...howToRead(results, blocks),
    ...growthLines(blocks),
    ...pictureLines(blocks),
    ...HOW_TO_REPEAT,
  ];
  writeFileSync(PAGE, await prettier.format(lines.join('\n'), { ...style, filepath: PAGE }));
}

/**
 * Of the Node with the most measurements: a chart for each Node would say the same. Without echarts the files stay.
 * @param {Block[]} blocks
 */
async function drawCharts(blocks) {
  if (installedVersion('echarts') === null) return;
  const { drawChart } = await import('./charts.js');
  mkdirSync(CHARTS, { recursive: true });
  for (const file of readdirSync(CHARTS)) rmSync(join(CHARTS, file));
  for (const block of blocks.filter((each) => isLargest(each, blocks) && each.rows.length > 0)) {
    const { measured, node } = block;
    const { title } = measured;
    const figure = measured.figures.find(({ key }) => key === measured.drawn);
    if (!figure) continue;
    const to = figure.isRatio ? `, ratio to ${measured.candidates[0]}` : '';
    const shown = `${figure.title}${to} (Node ${node.slice(1)}, ${figure.better} is better)`;
    const unity = figure.isRatio ?? false;
    const svg = drawChart({ title, figure: shown, panels: panelsOf(block, figure), unity });
    writeFileSync(join(CHARTS, chartOf(block)), svg);
  }
}

/** @param {Block} block @returns {string} the name of the file */
function chartOf({ name }) {
  return `${name}.svg`;
}

/** @param {Block} block @param {Block[]} blocks */
function isLargest(block, blocks) {
  const same = blocks.filter(({ name }) => name === block.name);
  const most = Math.max(...same.map(({ rows }) => rows.length));
  return same.find(({ rows }) => rows.length === most) === block;
}

/** @param {Block[]} blocks */
function growthLines(blocks) {
  const own = blocks.filter(({ measured, rows }) => measured.section === GROWTH && rows.length > 0);
  return [
    ...['', `## ${GROWTH}`, ''],
    ...own.flatMap((block) => {
      const { name, measured } = block;
      const isFirst = own.find((other) => other.name === name) === block;
      const head = [`### ${measured.title}`, '', measured.about, ''];
      return [...(isFirst ? head : []), ...blockLines(block, isLargest(block, blocks))];
    }),
  ];
}

/** @param {Block} block @param {boolean} isCharted */
function blockLines(block, isCharted) {
  const { name, node } = block;
  const { heads, rows, zeros } = tableOf(block);
  const rounds = roundsOf(block);
  const nothing = zeros.length > 0 ? `; always 0: ${zeros.join(', ')}` : '';
  return [
    `\`--only ${name}\`, Node ${node.slice(1)}, ${rounds} ${rounds === 1 ? 'round' : 'rounds'}, ${daysOf(block.rows)}${nothing}`,
    '',
    ...tableLines(heads, rows),
    '',
    ...(isCharted ? pictureOf(block) : []),
  ];
}

/** @param {Block[]} blocks @returns {string[]} of what the page shows no table */
function pictureLines(blocks) {
  const others = blocks.filter(
    (block) => block.measured.section !== GROWTH && isLargest(block, blocks),
  );
  return ['', '## Pictures', '', ...others.flatMap(pictureOf)];
}

/** @param {Block} block */
function pictureOf(block) {
  const chart = chartOf(block);
  return existsSync(join(CHARTS, chart))
    ? [`![${block.measured.title}](benchmarks/${chart})`, '']
    : [];
}

/** @param {Row[]} rows @returns {string} when they were measured */
function daysOf(rows) {
  const days = rows.map(({ date = '' }) => date).sort();
  return [...new Set([days[0], days[days.length - 1]])].join(' to ');
}
