/** The environment of one worker: the app's, its number, and its mark. */
import { MARK_VAR } from '../marked-processes.js';

/**
 * @param {import('../launch.js').Launch} launch
 * @param {number} slot
 * @param {string} mark
 * @returns {Record<string, string>}
 */
export function workerEnvironment({ spec, env }, slot, mark) {
  const { instanceVar, incrementVar } = spec;
  const own = { ...env, [instanceVar]: String(slot) };
  if (incrementVar && own[incrementVar] !== undefined) {
    own[incrementVar] = String(Number(own[incrementVar]) + slot);
  }
  own[MARK_VAR] = mark;
  return own;
}
