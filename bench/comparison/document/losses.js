/** Where somebody else is better than nodecluster: found in the figures, so that none is left out. */
import { ratioOf, spreadOf } from '../statistics.js';
import { of, ratioText, variantsOf } from './tables.js';

/**
 * @import { Figure, Row } from '../types.js'
 * @import { Block } from './tables.js'
 */

/** A difference below this is not distinguished from noise. */
const NOISE = 0.03;

/** @typedef {{title: string, node: string, variant: string, figure: string, ours: string, peer: string, ratio: string}} Loss */

/**
 * Each figure that is shown as a ratio or drawn, for each variant: the best policy of nodecluster
 * against the best of the others that supervise (a single process does not).
 * @param {Block} block
 * @returns {Loss[]}
 */
export function lossesOf(block) {
  const compared = block.measured.figures.filter(({ isRatio, isDrawn }) => isRatio || isDrawn);
  return variantsOf(block.rows).flatMap((variant) =>
    compared.flatMap((figure) => lossOf(block, variant, figure)),
  );
}

/** @param {Block} block @param {string} variant @param {Figure} figure @returns {Loss[]} */
function lossOf({ measured, node, rows }, variant, figure) {
  const [, ...others] = measured.candidates[0].startsWith('single')
    ? measured.candidates
    : ['', ...measured.candidates];
  const best = (/** @type {boolean} */ isOurs) =>
    others
      .filter((name) => name.startsWith('nodecluster') === isOurs)
      .map((name) => standing(name, of(rows, variant, name), figure))
      .filter(({ median }) => Number.isFinite(median))
      .sort((a, b) => (figure.better === 'more' ? b.median - a.median : a.median - b.median))[0];
  const [ours, peer] = [best(true), best(false)];
  if (!ours || !peer || !isWorse(ours.median, peer.median, figure)) return [];
  const { title } = measured;
  const names = { ours: ours.name, peer: peer.name };
  const ratio = ratioOf(ours.rows, peer.rows, figure.key);
  const text = ratio === null ? `${ours.median} to ${peer.median}` : ratioText(ratio);
  return [{ title, node, variant, figure: figure.title, ...names, ratio: text }];
}

/** @param {string} name @param {Row[]} rows @param {Figure} figure */
function standing(name, rows, { key }) {
  const median = spreadOf(rows.map(({ figures }) => figures?.[key] ?? NaN))?.median ?? NaN;
  return { name, rows, median };
}

/** @param {number} ours @param {number} theirs @param {Figure} figure */
function isWorse(ours, theirs, { better }) {
  return better === 'more' ? ours < theirs * (1 - NOISE) : ours > theirs * (1 + NOISE);
}
