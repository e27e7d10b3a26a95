/** What a worker is started with: one generation of the app's spec, its paths resolved. */
import { realpathSync } from 'node:fs';
import { NodeclusterError } from '../../errors/error.js';
import { isNode } from '../worker/node-args.js';
import { MARK_VAR } from '../processes/strays.js';
import { SEES_LISTENERS } from '../processes/tree.js';
import { fingerprintOf } from '../../shared/fingerprint.js';
import { ownProgram } from '../../shared/package/root.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { ListeningRecord } from '../../protocol/shapes.js'
 */

/**
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
 * @property {boolean} isOnTrial whether its workers are judged while they serve beside others
 * @property {boolean | null} listens whether its program is a server: true if the app sets PORT, or it
 *   listened in an earlier life; false if it did not; null: not known
 * @property {readonly string[]} usual addresses of an earlier life
 */

/**
 * A `current` symlink is followed once per generation: a worker that crashes after the link was
 * switched must restart as the program that its siblings run.
 * @param {Spec} spec
 * @param {number} generation
 * @param {Record<string, string>} [baseEnv] variables that the spec may override
 * @param {ListeningRecord | null} [record] of an earlier life
 * @returns {Launch}
 * @throws {NodeclusterError} E_PRIMARY_USER
 */
export function makeLaunch(spec, generation, baseEnv = {}, record = null) {
  const { name: app, uid } = spec;
  // Whoever sent this spec took the primary for another one.
  if (uid !== null && uid !== process.geteuid?.()) {
    throw new NodeclusterError('E_PRIMARY_USER', { app, uid });
  }
  const launch = {
    generation,
    spec: Object.freeze({ ...spec }),
    script: ownProgram(spec.script) ?? resolveLinks(spec.script),
    cwd: resolveLinks(spec.cwd),
    baseEnv,
    env: environmentOf(spec, baseEnv),
    hasListened: false,
    isProven: false,
    isOnTrial: false,
  };
  const input = fingerprintOf(inputOf(launch));
  const known = record?.input === input ? record.addresses : null;
  return { ...launch, input, listens: isServer(spec, known), usual: known ?? [] };
}

/**
 * Not if it could not be seen that it listens. PORT of the app's own settings: the shell's may be meant for any program that is started there.
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
  if (binDirectories.length === 0) return whole;
  const { PATH: searchPath } = whole;
  return { ...whole, PATH: [...binDirectories, ...(searchPath ? [searchPath] : [])].join(':') };
}

/**
 * @param {Launch} launch
 * @param {number} slot
 * @param {string} mark
 * @returns {Record<string, string | undefined>} the environment of one worker: the app's variables, its slot and its mark
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

/** @param {Pick<Launch, 'spec' | 'env'>} launch */
function inputOf({ spec, env }) {
  const { script, args, cwd, nodeArgs } = spec;
  return JSON.stringify([script, args, cwd, nodeArgs, Object.entries(env).sort()]);
}

/** @param {string} path a path, or the bare name of a command */
function resolveLinks(path) {
  try {
    return path.includes('/') ? realpathSync(path) : path;
  } catch {
    return path;
  }
}
