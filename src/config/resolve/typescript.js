/** @import { Spec } from '../spec.js' */

const TYPESCRIPT = /\.[cm]?ts$/;
const LOADS_MORE = /--(import|require|loader|experimental-(loader|strip|transform))|(^|\s)-r(\s|$)/;

/**
 * @param {Pick<Spec, 'script'|'interpreter'|'nodeArgs'|'env'|'shellEnv'>} spec
 * @param {'file'|'flag'} setBy where the advice is followed
 * @param {string|false} [feature] what this Node does with types: `process.features.typescript`
 * @returns {string|null} what to do if this Node, which runs the script, does not know TypeScript
 */
export function typeScriptHint(
  { script, interpreter, nodeArgs, env, shellEnv },
  setBy,
  feature = /** @type {any} */ (process.features).typescript ?? false,
) {
  if (feature !== false || !TYPESCRIPT.test(script)) return null;
  if (interpreter !== null && interpreter !== 'node') return null;
  const options = env.NODE_OPTIONS ?? shellEnv.NODE_OPTIONS ?? '';
  if (LOADS_MORE.test([...nodeArgs, options].join(' '))) return null;
  const remedy = setBy === 'flag' ? '--node-args "--import tsx"' : 'node_args: --import tsx';
  return `is TypeScript, which Node ${process.versions.node} does not run by itself: add ${remedy} (after npm install tsx), or use Node 22.18 or later`;
}
