import { readShellEnv } from '../shape.js';

/**
 * An app keeps the environment of the shell that started it, until a command brings another.
 * @param {import('../app.js').Spec} spec
 * @param {unknown} updateEnv of the request
 * @returns {import('../app.js').Spec} the same object when nothing is to change
 */
export function withShellEnv(spec, updateEnv) {
  const shellEnv = readShellEnv(updateEnv);
  return shellEnv ? { ...spec, shellEnv } : spec;
}
