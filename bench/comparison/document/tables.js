/** The figures of a case as rows of a table, and as panels of a chart. */
import { ratioOf, spreadOf } from '../../statistics.js';

/**
 * @import { Case, Figure, Row } from '../types.js'
 * @import { Spread } from '../../statistics.js'
 * @import { Panel } from './charts.js'
 */

/**
 * @typedef {object} Block
 * @property {string} name of the case
 * @property {Case} measured
 * @property {Row[]} rows with figures
 */

/**
 * @param {Map<string, Case>} cases
 * @param {Row[]} rows
 * @returns {Block[]} of the cases that were measured, in their order
 */
export function blocksOf(cases, rows) {
  return [...cases]
    .map(([name, measured]) => ({
      ...{ name, measured },
      rows: rows.filter((row) => row.case === name && row.figures),
    }))
    .filter((block) => block.rows.length > 0);
}

/**
 * What has more names, candidates or variants, is in the rows; a ratio stands in place of its figure.
 * @param {Block} block
 * @returns {{heads: string[], rows: string[][], zeros: string[]}} zeros: figures that are 0 throughout, without a column
 */
export function tableOf({ measured, rows }) {
  const variants = variantsOf(rows);
  const names = measured.candidates.filter((name) => rows.some((row) => row.candidate === name));
  const figures = measured.figures.filter(({ key }) => valuesOf(rows, key).some(Boolean));
  // One that was never measured is not 0.
  const zeros = measured.figures.filter(
    (figure) => !figures.includes(figure) && valuesOf(rows, figure.key).includes(0),
  );
  const [base] = measured.candidates;
  const areNamesInRows = names.length > variants.length;
  const [down, across] = areNamesInRows ? [names, variants] : [variants, names];
  const columns = across.flatMap((column) => figures.map((figure) => ({ column, figure })));
  return {
    heads: [
      areNamesInRows ? 'who' : 'what',
      ...columns.map(({ column, figure: { title } }) =>
        across.length > 1 ? `${column}: ${title}` : title,
      ),
    ],
    rows: down.map((row) => [
      row,
      ...columns.map(({ column, figure }) => {
        const [name, variant] = areNamesInRows ? [row, column] : [column, row];
        return cellOf(rows, variant, name, figure, base);
      }),
    ]),
    zeros: zeros.map(({ title }) => title),
  };
}

/** @param {Block} block @param {Figure} figure @returns {Panel[]} */
export function panelsOf({ measured, rows }, figure) {
  const [base] = measured.candidates;
  return variantsOf(rows).map((variant) => ({
    title: variant,
    bars: measured.candidates.flatMap((name) => {
      const own = of(rows, variant, name);
      const spread = figure.isRatio
        ? ratioOf(own, of(rows, variant, base), figure.key)
        : spreadOf(valuesOf(own, figure.key));
      return spread === null ? [] : [{ name, spread }];
    }),
  }));
}

/** @param {Row[]} rows @returns {string} the versions of Node */
export function nodesOf(rows) {
  return [...new Set(rows.map(({ node }) => node.slice(1)))].join(', ');
}

/** @param {Row[]} rows @returns {string[]} */
function variantsOf(rows) {
  return [...new Set(rows.map(({ variant }) => variant ?? ''))];
}

/** @param {Row[]} rows @param {string} variant @param {string} candidate */
export function of(rows, variant, candidate) {
  return rows.filter((row) => (row.variant ?? '') === variant && row.candidate === candidate);
}

/** @param {Row[]} rows @param {string} key */
function valuesOf(rows, key) {
  return rows.map(({ figures }) => figures?.[key] ?? NaN);
}

/** @param {Row[]} rows @param {string} variant @param {string} name @param {Figure} figure @param {string} base */
function cellOf(rows, variant, name, { key, digits, isRatio }, base) {
  const own = of(rows, variant, name);
  const value = numberText(spreadOf(valuesOf(own, key))?.median, digits);
  if (!isRatio) return value;
  if (name === base) return `1 = ${value}`;
  const ratio = ratioOf(own, of(rows, variant, base), key);
  return ratio === null ? '' : ratioText(ratio);
}

/** @param {Spread} ratio @returns {string} */
function ratioText({ median, low, high, rounds }) {
  if (rounds === 1) return median.toFixed(2);
  return `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}

/** @param {number} [value] @param {number} [digits] */
export function numberText(value, digits = 0) {
  if (value === undefined || Number.isNaN(value)) return '';
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value.toLocaleString('en', options);
}
