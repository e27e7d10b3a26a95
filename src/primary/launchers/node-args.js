import path from 'node:path';

/** @import { Spec } from '../../config/spec.js' */

/**
 * @param {Pick<Spec, 'nodeArgs' | 'sourceMaps'>} spec
 * @param {string} agent the path of the agent, which is loaded before the program
 * @returns {string[]} the arguments of Node before the script
 */
export function nodeArgsOf({ nodeArgs, sourceMaps }, agent) {
  const sourceMapArgs = sourceMaps ? ['--enable-source-maps'] : [];
  return ['--require', agent, ...sourceMapArgs, ...nodeArgs];
}

/** @param {string | null} interpreter @returns {boolean} whether its program is one of Node */
export function isNode(interpreter) {
  return interpreter !== null && /^node(js)?\d*$/.test(path.basename(interpreter));
}
