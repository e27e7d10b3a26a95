/** What a worker is started with: one generation of the app's spec, its paths resolved. */
import { realpathSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NodeclusterError, attempt } from '../../errors/error.js';
import { MARK_VAR } from '../processes/strays.js';
import { SEES_LISTENERS } from '../processes/tree.js';
import { fingerprintOf } from '../../shared/fingerprint.js';
import { isNode, ownProgram } from '../../shared/package/root.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { ListeningRecord } from '../../protocol/shapes.js'
 * @import { Variables } from '../../protocol/methods.js'
 *
 * @typedef {object} Launch
 * @property {number} generation
 * @property {Readonly<Spec>} spec
 * @property {string} script
 * @property {string} cwd
 * @property {Record<string, string>} baseEnv
 * @property {Record<string, string>} env
 * @property {string} input a hash of everything that could determine the program's port
 * @property {boolean} hasListened whether any worker of this launch has ever listened
 * @property {boolean} isProven whether it may replace other workers without further proof: one of its own
 *   has stayed up for `min_uptime` in this reload, or it ran before
 * @property {number} trials in how many slots its first workers are judged, while they serve beside the old ones; 0: in none
 * @property {boolean | null} listens whether its program is a server: true if the app sets PORT, or it
 *   listened in an earlier life; false if it did not; null: not known
 */

/**
 * A `current` link is followed once per generation: a worker that crashes must restart as what its siblings run.
 * @param {Spec} spec
 * @param {number} generation
 * @param {Record<string, string>} [baseEnv] variables that the spec may override
 * @param {ListeningRecord | null} [record] of an earlier life
 */
export function makeLaunch(spec, generation, baseEnv = {}, record = null) {
  const { name: app, uid } = spec;
  // Whoever sent this spec took the primary for another one.
  if (uid !== null && uid !== process.geteuid?.()) {
    throw new NodeclusterError('E_PRIMARY_USER', { app, uid });
  }
  const env = environmentOf(spec, baseEnv);
  const { script, args, cwd, nodeArgs } = spec;
  const input = fingerprintOf(
    JSON.stringify([script, args, cwd, nodeArgs, Object.entries(env).sort()]),
  );
  const known = record?.input === input ? record.addresses : null;
  return {
    generation,
    spec: Object.freeze({ ...spec }),
    script: ownProgram(script) ?? resolveLinks(script),
    cwd: resolveLinks(cwd),
    baseEnv,
    env,
    input,
    hasListened: false,
    isProven: false,
    trials: 0,
    listens: isServer(spec, known),
  };
}

/**
 * Not if it could not be seen that it listens, nor by the PORT of the shell, which may be meant for any program.
 * @param {Spec} spec
 * @param {readonly string[] | null} known addresses of an earlier life
 */
function isServer({ env, execMode, interpreter }, known) {
  if (!SEES_LISTENERS && execMode === 'fork' && !isNode(interpreter)) return null;
  if (known) return known.length > 0;
  return env.PORT ? true : null;
}

/** @param {Spec} spec @param {Record<string, string>} baseEnv */
function environmentOf({ shellEnv, env, resolvedFrom }, baseEnv) {
  const whole = { ...baseEnv, ...shellEnv, ...env, ...resolvedFrom?.env };
  const { binDirectories = [] } = resolvedFrom ?? {};
  const directories = [...binDirectories, whole.PATH].filter(Boolean);
  return binDirectories.length === 0 ? whole : { ...whole, PATH: directories.join(':') };
}

/**
 * @param {Launch} launch
 * @param {number} slot
 * @param {string} mark
 * @param {Variables} [given]
 */
export function workerEnvironment({ spec, env }, slot, mark, given = {}) {
  const { instanceVar, incrementVar } = spec;
  /** @type {Record<string, string | undefined>} */
  const variables = {
    ...env,
    ...given,
    [instanceVar]: String(slot),
  };
  if (incrementVar && variables[incrementVar] !== undefined) {
    variables[incrementVar] = String(Number(variables[incrementVar]) + slot);
  }
  variables[MARK_VAR] = mark;
  return variables;
}

/** @param {Pick<Spec, 'instances'>} spec */
export function mostWorkers({ instances }) {
  return typeof instances === 'number' ? instances : instances.max;
}

/** @param {string} path a path, or the bare name of a command */
function resolveLinks(path) {
  return path.includes('/') ? attempt(() => realpathSync(path), path) : path;
}

/** For an inspector that is opened while the worker runs: docs/decisions/why.md. The agent hides them from the program. */
const INSPECTOR = ['--inspect-publish-uid=stderr', '--inspect-port=0'];
const OF_INSPECTOR = /(^|\s)--(inspect|debug-port)/;
const OF_SOURCE_MAPS = /--(no-)?enable-source-maps/;
/** Of the permission model, by which the agent must be named to be read. */
const OF_PERMISSIONS = /(^|\s)--(experimental[-_])?permission([-_]\w+)?(\s|$)/;

/**
 * The arguments of Node before the script.
 * @param {Pick<Spec, 'script' | 'nodeArgs' | 'sourceMaps'>} spec
 * @param {Variables} env of the worker
 * @param {string} agent the path of what is loaded before the program
 */
export function nodeArgsOf(spec, env, agent) {
  const { script, sourceMaps } = spec;
  const isUnsaid = !OF_SOURCE_MAPS.test(env.NODE_OPTIONS ?? '');
  const usesSourceMaps = sourceMaps ?? (isUnsaid && existsSync(`${script}.map`));
  const options = [...spec.nodeArgs, env.NODE_OPTIONS].join(' ');
  return [
    '--require',
    agent,
    ...(OF_PERMISSIONS.test(options) ? [`--allow-fs-read=${join(agent, '../..')}`] : []),
    ...(setsInspector(spec, env) ? [] : INSPECTOR),
    ...(usesSourceMaps ? ['--enable-source-maps'] : []),
    ...spec.nodeArgs,
  ];
}

/**
 * Whether the user decides where the inspector listens.
 * @param {Pick<Spec, 'nodeArgs'>} spec
 * @param {Variables} env
 */
export function setsInspector({ nodeArgs }, { NODE_OPTIONS = '' }) {
  return OF_INSPECTOR.test([...nodeArgs, NODE_OPTIONS].join(' '));
}

/** https://nodejs.org/api/cli.html#--inspecthostport */
const DEFAULT_PORT = 9229;
const OPTION = /^--(inspect(-brk|-wait)?(-port)?|debug-port)(=|$)/;
const MAX_PORT = 65_535;

/**
 * The port of a worker's inspector: that of `--inspect` plus the number of the slot, and while the old worker has that, the
 * same plus the number of workers. node:cluster counts upwards with each worker that it starts. Undefined: none, or none is
 * left.
 * @param {ReadonlySet<number | undefined>} taken by workers that have not exited
 * @param {readonly string[]} nodeArgs
 * @param {number} slot
 * @param {number} workers
 */
export function chooseInspectPort(taken, nodeArgs, slot, workers) {
  const base = inspectorPort(nodeArgs);
  if (base === null) return undefined;
  let port = base + slot;
  while (taken.has(port)) port += Math.max(workers, slot + 1);
  return port > MAX_PORT ? undefined : port;
}

/**
 * Null: its inspector listens nowhere, or at any port.
 * @param {readonly string[]} nodeArgs
 * @param {Variables} [env]
 */
export function inspectorPort(nodeArgs, { NODE_OPTIONS = '' } = {}) {
  const options = [...NODE_OPTIONS.split(' '), ...nodeArgs].filter((arg) => OPTION.test(arg));
  if (options.length === 0) return null;
  const given = options.flatMap((option) => /[=:](\d+)$/.exec(option)?.[1] ?? []).map(Number);
  const port = given.at(-1) ?? DEFAULT_PORT;
  return port === 0 ? null : port;
}

const SOURCES = new URL('../../', import.meta.url);

/**
 * The path of a file of this package for other processes, unless another user has replaced it: a home may be where others
 * can rename it.
 * @param {string} name below `src`
 * @returns {() => string} throws E_FILE_UNTRUSTED
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
