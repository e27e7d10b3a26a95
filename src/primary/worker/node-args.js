import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { NodeclusterError } from '../../errors/error.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Variables } from '../../protocol/methods.js'
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

/** Files of this package that a primary gives to other processes. */

const SOURCES = new URL('../../', import.meta.url);

/**
 * @param {string} name of a file of the agent, which workers load before their program
 */
export function agentFile(name) {
  return ownFile(`agent/${name}`);
}

/**
 * @param {string} name below `src`
 * @returns {() => string} its path, unless another user has replaced it since: a home directory may be in
 *   a place where others can rename it
 * @throws {NodeclusterError} E_FILE_UNTRUSTED
 */
export function ownFile(name) {
  const file = fileURLToPath(new URL(name, SOURCES));
  const { uid: owner } = statSync(file);
  return () => {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats && stats.uid !== owner) {
      const reason = `it belongs to user ${stats.uid}, no longer to ${owner}`;
      throw new NodeclusterError('E_FILE_UNTRUSTED', { file, reason });
    }
    return file;
  };
}
