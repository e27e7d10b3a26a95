/** The environment of one worker: the app's variables, its slot and its mark, and its directory. */
import { existsSync } from 'node:fs';
import { MARK_VAR } from '../processes/strays.js';

/** @import { Launch } from '../pool/launch.js' */

/**
 * @param {Launch} launch
 * @param {number} slot
 * @param {string} mark
 */
export function workerEnvironment({ spec, env }, slot, mark) {
  const { instanceVar, incrementVar } = spec;
  /** @type {Record<string, string | undefined>} */
  const variables = {
    // Otherwise node:cluster adds the primary's, which is the time zone of the log.
    TZ: undefined,
    ...env,
    [instanceVar]: String(slot),
  };
  if (incrementVar && variables[incrementVar] !== undefined) {
    variables[incrementVar] = String(Number(variables[incrementVar]) + slot);
  }
  variables[MARK_VAR] = mark;
  return variables;
}

/**
 * Otherwise spawn would blame the program: `spawn node ENOENT`.
 * @param {string} cwd
 * @throws {Error} if it does not exist
 */
export function requireDirectory(cwd) {
  if (!existsSync(cwd)) throw new Error(`the working directory ${cwd} does not exist`);
}
