/** What Node is started with: its arguments, and the port of its inspector. */
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
  const { script, sourceMaps } = spec;
  const isUnsaid = !OF_SOURCE_MAPS.test(env.NODE_OPTIONS ?? '');
  const usesSourceMaps = sourceMaps ?? (isUnsaid && existsSync(`${script}.map`));
  const sourceMapArgs = usesSourceMaps ? ['--enable-source-maps'] : [];
  return ['--require', agent, ...inspectorArgs, ...sourceMapArgs, ...spec.nodeArgs];
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

/**
 * The port of each worker's inspector. node:cluster counts upwards with each worker that it starts, so
 * that nobody knows the port after a reload. Here it is that of the slot: the port of `--inspect` plus
 * the number of the slot, and for a replacement, while the old worker has that, the same plus the number
 * of workers.
 */

/** https://nodejs.org/api/cli.html#--inspecthostport */
const DEFAULT_PORT = 9229;
const OPTION = /^--(inspect(-brk|-wait)?(-port)?|debug-port)(=|$)/;
const MAX_PORT = 65_535;

export class InspectPorts {
  /** Those of workers that have not exited. @type {Set<number | undefined>} */
  #taken = new Set();

  /**
   * @param {readonly string[]} nodeArgs
   * @param {number} slot
   * @param {number} workers how many the app has
   * @returns {number | undefined} undefined: it has no inspector, or no port is left for it
   */
  take(nodeArgs, slot, workers) {
    const base = basePort(nodeArgs);
    if (base === null) return undefined;
    const step = Math.max(workers, slot + 1);
    for (let port = base + slot; port <= MAX_PORT; port += step) {
      if (this.#taken.has(port)) continue;
      this.#taken.add(port);
      return port;
    }
    return undefined;
  }

  /** @param {number | undefined} port of a worker that has exited */
  free(port) {
    this.#taken.delete(port);
  }
}

/** @param {readonly string[]} nodeArgs @returns {number | null} null: they ask for no inspector, or for any port */
function basePort(nodeArgs) {
  const options = nodeArgs.filter((arg) => OPTION.test(arg));
  if (options.length === 0) return null;
  const given = options.flatMap((option) => /[=:](\d+)$/.exec(option)?.[1] ?? []).map(Number);
  const port = given.at(-1) ?? DEFAULT_PORT;
  return port === 0 ? null : port;
}

const SOURCES = new URL('../../', import.meta.url);

/**
 * A file of this package that a primary gives to other processes.
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
