/** The figures of a case as rows of a table, and as panels of a chart. */
import { ratioOf, spreadOf } from '../statistics.js';

/**
 * @import { Case, Figure, Row } from '../types.js'
 * @import { Spread } from '../statistics.js'
 * @import { Panel } from './charts.js'
 */

/**
 * One case on one version of Node.
 * @typedef {object} Block
 * @property {string} name
 * @property {Case} measured
 * @property {string} node
 * @property {Row[]} rows with figures
 * @property {Row[]} gaps
 */

/**
 * @param {Map<string, Case>} cases
 * @param {Row[]} rows
 * @returns {Block[]} in the order of the cases, the newest Node first
 */
export function blocksOf(cases, rows) {
  return [...cases].flatMap(([name, measured]) => {
    const own = rows.filter((row) => row.case === name);
    const nodes = [...new Set(own.map(({ node }) => node))].sort((a, b) => major(b) - major(a));
    return nodes.map((node) => {
      const here = own.filter((row) => row.node === node);
      const gaps = here.filter(({ gap }) => gap !== undefined);
      return { name, measured, node, rows: here.filter(({ figures }) => figures), gaps };
    });
  });
}

/** @param {string} node */
function major(node) {
  return Number(node.slice(1).split('.')[0]);
}

/** @param {Block} block @returns {{heads: string[], rows: string[][]}} */
export function tableOf({ measured, rows }) {
  const { figures, candidates } = measured;
  const [base] = candidates;
  const variants = variantsOf(rows);
  const ratioHead = `to ${base} (quartiles)`;
  const heads = [
    ...(variants.length > 1 ? ['what', 'who'] : ['who']),
    ...figures.flatMap(({ title, isRatio }) => (isRatio ? [title, ratioHead] : [title])),
  ];
  const lines = variants.flatMap((variant) =>
    candidates
      .filter((name) => of(rows, variant, name).length > 0)
      .map((name) => {
        const cells = figures.flatMap((figure) => cellsOf(rows, variant, name, figure, base));
        return [...(variants.length > 1 ? [variant] : []), name, ...cells];
      }),
  );
  return { heads, rows: lines };
}

/**
 * @param {Block} block
 * @param {Figure} figure
 * @returns {Panel[]}
 */
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

/** @param {Block} block @returns {number} that any candidate has been measured in */
export function roundsOf({ rows }) {
  return new Set(rows.map(({ round }) => round)).size;
}

/** @param {Row[]} rows @returns {string[]} */
export function variantsOf(rows) {
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

/**
 * @param {Row[]} rows
 * @param {string} variant
 * @param {string} name
 * @param {Figure} figure
 * @param {string} base
 */
function cellsOf(rows, variant, name, { key, digits, isRatio }, base) {
  const own = of(rows, variant, name);
  const cell = numberText(spreadOf(valuesOf(own, key))?.median, digits);
  if (!isRatio) return [cell];
  const ratio = name === base ? null : ratioOf(own, of(rows, variant, base), key);
  return [cell, ratio === null ? '' : ratioText(ratio)];
}

/** @param {Spread} ratio @returns {string} */
export function ratioText({ median, low, high, rounds }) {
  if (rounds === 1) return median.toFixed(2);
  return `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}

/** @param {number} [value] @param {number} [digits] */
function numberText(value, digits = 0) {
  if (value === undefined || Number.isNaN(value)) return '';
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value.toLocaleString('en', options);
}
