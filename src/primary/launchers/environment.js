/** The environment of one worker: the app's, its number, and its mark. */
import { MARK_VAR } from '../processes/marked.js';

/** @import { Launch } from '../pool/generation.js' */

/**
 * @param {Launch} launch
 * @param {number} slot
 * @param {string} mark
 * @returns {Record<string, string | undefined>}
 */
export function workerEnvironment({ spec, env }, slot, mark) {
  const { instanceVar, incrementVar } = spec;
  // node:cluster adds the primary's own, which has the zone that log times are written in.
  /** @type {Record<string, string | undefined>} */
  const own = { TZ: undefined, ...env, [instanceVar]: String(slot) };
  if (incrementVar && own[incrementVar] !== undefined) {
    own[incrementVar] = String(Number(own[incrementVar]) + slot);
  }
  own[MARK_VAR] = mark;
  return own;
}
