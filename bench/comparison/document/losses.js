/** Where somebody else is better than nodecluster: found in the figures, so that none is left out. */
import { ratioOf } from '../statistics.js';
import { of, ratioText, variantsOf } from './tables.js';

/**
 * @import { Figure } from '../types.js'
 * @import { Spread } from '../statistics.js'
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
  const [, ...others] = measured.candidates;
  const best = (/** @type {boolean} */ isOurs) =>
    others
      .filter((name) => name.startsWith('nodecluster') === isOurs)
      .map((name) => ({ name, own: of(rows, variant, name) }))
      .filter(({ own }) => own.length > 0)
      .sort((a, b) => advantage(ratioOf(b.own, a.own, figure.key), figure))[0];
  const [ours, peer] = [best(true), best(false)];
  if (!ours || !peer) return [];
  const ratio = ratioOf(ours.own, peer.own, figure.key);
  if (ratio === null || advantage(ratio, figure) >= -NOISE) return [];
  const { title } = measured;
  const names = { ours: ours.name, peer: peer.name };
  return [{ title, node, variant, figure: figure.title, ...names, ratio: ratioText(ratio) }];
}

/** @param {Spread | null} ratio @param {Figure} figure @returns {number} above 0: the first one is better */
function advantage(ratio, { better }) {
  if (ratio === null) return 0;
  return better === 'more' ? ratio.median - 1 : 1 - ratio.median;
}
