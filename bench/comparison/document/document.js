/** Writes docs/benchmarks.md and its charts from the results file. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { tableLines } from '../../table.js';
import { installedVersion } from '../installed.js';
import { lossesOf } from './losses.js';
import { publishedOf } from './published.js';
import { blocksOf, panelsOf, roundsOf, tableOf } from './tables.js';
import { foreword, HOW_TO_REPEAT } from './page.js';

/**
 * @import { Case, Section } from '../types.js'
 * @import { Results } from '../results.js'
 * @import { Block } from './tables.js'
 */

const PAGE = fileURLToPath(new URL('../../../docs/benchmarks.md', import.meta.url));
const CHARTS = fileURLToPath(new URL('../../../docs/benchmarks/', import.meta.url));

/** @type {Section[]} */
const SECTIONS = [
  'Connections and requests',
  'Published results',
  'Reloads',
  'Faults',
  'Start and commands',
  'Memory',
];

/**
 * @param {Map<string, Case>} cases
 * @param {Results} results
 * @returns {Promise<void>}
 */
export async function writeDocument(cases, results) {
  const blocks = blocksOf(cases, results.rows);
  const charts = await drawCharts(blocks);
  const lines = [
    ...foreword(results, blocks),
    ...losses(blocks),
    ...SECTIONS.flatMap((section) => sectionLines(section, blocks, charts)),
    ...gaps(blocks),
    ...HOW_TO_REPEAT,
  ];
  const style = await prettier.resolveConfig(PAGE);
  writeFileSync(PAGE, await prettier.format(lines.join('\n'), { ...style, filepath: PAGE }));
}

/**
 * Of the Node with the most measurements: a chart for each Node would say the same.
 * @param {Block[]} blocks
 * @returns {Promise<Map<string, string[]>>} lines of Markdown by case and Node
 */
async function drawCharts(blocks) {
  const charts = new Map();
  if (installedVersion('echarts') === null) return charts;
  const { drawChart } = await import('./charts.js');
  mkdirSync(CHARTS, { recursive: true });
  for (const file of readdirSync(CHARTS)) rmSync(join(CHARTS, file));
  for (const block of blocks) {
    if (!isLargest(block, blocks)) continue;
    const { name, measured, node, rows } = block;
    const { title } = measured;
    if (rows.length === 0) continue;
    const drawn = measured.figures.filter(({ isDrawn }) => isDrawn);
    const lines = drawn.flatMap((figure) => {
      const to = figure.isRatio ? `, ratio to ${measured.candidates[0]}` : '';
      const shown = `${figure.title}${to} (Node ${node.slice(1)}, ${figure.better} is better)`;
      const unity = figure.isRatio ?? false;
      const svg = drawChart({ title, figure: shown, panels: panelsOf(block, figure), unity });
      const file = `${name}-${figure.key}.svg`;
      writeFileSync(join(CHARTS, file), svg);
      return ['', `![${title}: ${shown}](benchmarks/${file})`, ''];
    });
    charts.set(`${name} ${node}`, lines);
  }
  return charts;
}

/** @param {Block} block @param {Block[]} blocks */
function isLargest(block, blocks) {
  const same = blocks.filter(({ name }) => name === block.name);
  const most = Math.max(...same.map(({ rows }) => rows.length));
  return same.find(({ rows }) => rows.length === most) === block;
}

/** @param {Section} section @param {Block[]} blocks @param {Map<string, string[]>} charts */
function sectionLines(section, blocks, charts) {
  const own = blocks.filter(
    ({ measured, rows }) => measured.section === section && rows.length > 0,
  );
  if (own.length === 0) return [];
  const lines = ['', `## ${section}`, ''];
  for (const block of own) {
    const { name, measured, node } = block;
    if (own.find((other) => other.name === name) === block) {
      lines.push('', `### ${measured.title}`, '', measured.about, '', `\`--only ${name}\``, '');
    }
    lines.push(
      '',
      `**Node ${node.slice(1)}**, rounds: ${roundsOf(block)}`,
      '',
      ...(charts.get(`${name} ${node}`) ?? []),
    );
    const table = tableOf(block);
    lines.push(...tableLines(table.heads, table.rows), '');
    const published = publishedOf(block);
    if (published) lines.push('Ratios beside the published ones:', '');
    if (published) lines.push(...tableLines(published.heads, published.rows), '');
  }
  return lines;
}

/** @param {Block[]} blocks */
function losses(blocks) {
  const rows = blocks
    .flatMap(lossesOf)
    .map(({ title, variant, node, figure, ours, peer, ratio }) => [
      ...[title, variant, node.slice(1), figure, ours, peer, ratio],
    ]);
  const heads = [
    'case',
    'what',
    'Node',
    'figure',
    'best of nodecluster',
    'better',
    'ours to theirs',
  ];
  return [
    '## Where something else is better',
    '',
    'The best policy of nodecluster against the best of the others, where they are better by 3 % or more. The other policies',
    'may be further behind, as the tables show.',
    '',
    ...(rows.length > 0 ? tableLines(heads, rows) : ['Nowhere in these figures.']),
    '',
  ];
}

/** @param {Block[]} blocks */
function gaps(blocks) {
  const texts = blocks.flatMap(({ measured, node, gaps: of }) =>
    of.map(({ candidate, gap }) => [measured.title, candidate, node.slice(1), gap ?? '']),
  );
  const unique = [...new Map(texts.map((row) => [row.join('|'), row])).values()];
  if (unique.length === 0) return [];
  return ['', '## Not measured', '', ...tableLines(['case', 'who', 'Node', 'why'], unique), ''];
}
