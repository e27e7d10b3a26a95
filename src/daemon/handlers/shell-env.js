/**
 * An app keeps the environment of the shell that started it, until a command brings another.
 * @param {import('../app.js').Spec} spec
 * @param {Record<string, string> | null | undefined} shellEnv
 * @returns {import('../app.js').Spec} the same object when nothing is to change
 */
export function withShellEnv(spec, shellEnv) {
  return shellEnv ? { ...spec, shellEnv } : spec;
}
