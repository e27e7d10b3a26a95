/** The environment of one worker: the app's, and its number. */

/**
 * @param {import('../launch.js').Launch} launch
 * @param {number} slot
 * @returns {Record<string, string>}
 */
export function workerEnvironment({ spec, env }, slot) {
  const { instanceVar, incrementVar } = spec;
  const own = { ...env, [instanceVar]: String(slot) };
  if (incrementVar && own[incrementVar] !== undefined) {
    own[incrementVar] = String(Number(own[incrementVar]) + slot);
  }
  return own;
}
