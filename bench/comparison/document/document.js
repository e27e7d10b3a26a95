/** Writes docs/reference/benchmarks.md, docs/reference/benchmarks-figures.md and their charts from the results file. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { tableLines } from '../../table.js';
import { installedVersion } from '../installed.js';
import { HEAD, HEAD_OF_FIGURES, howToRead, HOW_TO_REPEAT } from './page.js';
import { summaryOf } from './summary.js';
import { blocksOf, panelsOf, roundsOf, tableOf } from './tables.js';

/**
 * @import { Case, Row, Section } from '../types.js'
 * @import { Results } from '../results.js'
 * @import { Block } from './tables.js'
 */

const DOCS = fileURLToPath(new URL('../../../docs/reference/', import.meta.url));
const CHARTS = join(DOCS, 'benchmarks');

/** In order, with what stands before their cases. @type {Partial<Record<Section, string>>} */
const SECTIONS = {
  'Connections and requests': '',
  'Published results':
    'Programs and loads of articles on node:cluster, written anew. "Published" is what an article measured on its own machine.',
  Reloads: '',
  Faults: '',
  'Start and commands': '',
};
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
  await writePage('benchmarks.md', [
    ...HEAD,
    ...tableLines(summary.heads, summary.rows),
    ...howToRead(results, blocks),
    ...sectionLines(GROWTH, '', blocks),
    ...HOW_TO_REPEAT,
  ]);
  await writePage('benchmarks-figures.md', [
    ...HEAD_OF_FIGURES,
    ...Object.entries(SECTIONS).flatMap(([section, about]) => sectionLines(section, about, blocks)),
    ...gaps(blocks),
  ]);
}

/** @param {string} name @param {string[]} lines */
async function writePage(name, lines) {
  const filepath = join(DOCS, name);
  const style = await prettier.resolveConfig(filepath);
  writeFileSync(filepath, await prettier.format(lines.join('\n'), { ...style, filepath }));
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

/** @param {string} section @param {string} about @param {Block[]} blocks */
function sectionLines(section, about, blocks) {
  const own = blocks.filter(
    ({ measured, rows }) => measured.section === section && rows.length > 0,
  );
  if (own.length === 0) return [];
  const isAlone = own.every(({ name }) => name === own[0].name);
  return [
    ...['', `## ${section}`, '', about, ''],
    ...own.flatMap((block) => {
      const { name, measured } = block;
      const isFirst = own.find((other) => other.name === name) === block;
      const title = isAlone ? [] : [`### ${measured.title}`, ''];
      const head = [...title, `${measured.about}${published(measured)}`, ''];
      return [...(isFirst ? head : []), ...blockLines(block, isLargest(block, blocks))];
    }),
  ];
}

/** @param {Block} block @param {boolean} isCharted */
function blockLines(block, isCharted) {
  const { name, node, measured } = block;
  const { heads, rows, zeros } = tableOf(block);
  const rounds = roundsOf(block);
  const nothing = zeros.length > 0 ? `; always 0: ${zeros.join(', ')}` : '';
  const hasChart = isCharted && existsSync(join(CHARTS, chartOf(block)));
  return [
    `\`--only ${name}\`, Node ${node.slice(1)}, ${rounds} ${rounds === 1 ? 'round' : 'rounds'}, ${daysOf(block.rows)}${nothing}`,
    '',
    ...tableLines(heads, rows),
    '',
    ...(hasChart ? [`![${measured.title}](benchmarks/${chartOf(block)})`, ''] : []),
  ];
}

/** @param {Row[]} rows @returns {string} when they were measured */
function daysOf(rows) {
  const days = rows.map(({ date = '' }) => date).sort();
  return [...new Set([days[0], days[days.length - 1]])].join(' to ');
}

/** @param {Case} measured @returns {string} the ratios of the article that it repeats */
function published({ figures, published: all = [] }) {
  const variants = new Set(all.map(({ variant }) => variant));
  const ratios = all.flatMap(({ variant, figure, single, cluster }) => {
    const shown = figures.find(({ key, isDetail }) => key === figure && !isDetail);
    const of = variants.size > 1 ? `, ${variant}` : '';
    const ratio = cluster / single;
    const text = ratio < 0.01 ? 'below 0.01' : ratio.toFixed(2);
    return shown ? [`${shown.title}${of}: ${text}`] : [];
  });
  return ratios.length > 0 ? ` Published, cluster to single process: ${ratios.join('; ')}.` : '';
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
