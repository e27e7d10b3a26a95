import { readShellEnv } from '../control/validate.js';

/** @import { Spec } from '../../config/spec.js' */

/**
 * An app keeps the environment of the shell that started it, until a command brings another.
 * @param {Spec} spec
 * @param {unknown} updateEnv of the request
 * @returns {Spec} the same object when nothing is to change
 */
export function withShellEnv(spec, updateEnv) {
  const shellEnv = readShellEnv(updateEnv);
  return shellEnv ? { ...spec, shellEnv } : spec;
}
