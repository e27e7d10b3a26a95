import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * @import { Variables } from '../../protocol/methods.js'
 * @import { Spec } from '../../config/spec.js'
 */

/**
 * For an inspector that is opened while the worker runs (docs/decisions/why.md): at a port that the kernel chooses, and with
 * an address that only stderr names. The agent hides these arguments from the program.
 */
const INSPECTOR = ['--inspect-publish-uid=stderr', '--inspect-port=0'];
const OF_INSPECTOR = /(^|\s)--(inspect|debug-port)/;
const OF_SOURCE_MAPS = /--(no-)?enable-source-maps/;

/**
 * @param {Pick<Spec, 'script' | 'nodeArgs' | 'sourceMaps'>} spec
 * @param {Variables} env of the worker
 * @param {string} agent the path of the agent, which is loaded before the program
 * @returns {string[]} the arguments of Node before the script
 */
export function nodeArgsOf(spec, env, agent) {
  const inspectorArgs = setsInspector(spec, env) ? [] : INSPECTOR;
  const sourceMapArgs = usesSourceMaps(spec, env) ? ['--enable-source-maps'] : [];
  return ['--require', agent, ...inspectorArgs, ...sourceMapArgs, ...spec.nodeArgs];
}

/** @param {Pick<Spec, 'script' | 'sourceMaps'>} spec @param {Variables} env */
function usesSourceMaps({ script, sourceMaps }, { NODE_OPTIONS = '' }) {
  return sourceMaps ?? (existsSync(`${script}.map`) && !OF_SOURCE_MAPS.test(NODE_OPTIONS));
}

/**
 * @param {Pick<Spec, 'nodeArgs'>} spec
 * @param {Variables} env of the worker
 * @returns {boolean} whether the user decides where the inspector of Node listens
 */
export function setsInspector({ nodeArgs }, { NODE_OPTIONS = '' }) {
  return OF_INSPECTOR.test([...nodeArgs, NODE_OPTIONS].join(' '));
}

/** @param {string | null} interpreter @returns {boolean} whether its program is one of Node */
export function isNode(interpreter) {
  return interpreter !== null && /^node(js)?\d*$/.test(path.basename(interpreter));
}
