/** The figures of a case as panels of a chart. */
import { ratioOf, spreadOf } from '../../statistics.js';

/**
 * @import { Case, Figure, Row } from '../types.js'
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

/** @param {number} [value] @param {number} [digits] */
export function numberText(value, digits = 0) {
  if (value === undefined || Number.isNaN(value)) return '';
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value.toLocaleString('en', options);
}
