/** One generation of an app: its spec, with the paths that it stood for when it was begun. */
import { realpathSync } from 'node:fs';

/** @import { Spec } from '../../config/spec.js' */

/**
 * @typedef {object} Launch
 * @property {number} generation
 * @property {Readonly<Spec>} spec
 * @property {string} script
 * @property {string} cwd
 * @property {Record<string, string>} env
 * @property {boolean} hasListened whether a worker of it has ever listened
 */

/**
 * A `current` symlink is followed once per generation: a worker that crashes after the link was
 * switched must come back as what its siblings are, and the next reload takes the new target.
 * @param {Spec} spec
 * @param {number} generation
 * @returns {Launch}
 */
export function makeLaunch(spec, generation) {
  return {
    generation,
    spec: Object.freeze({ ...spec }),
    script: followed(spec.script),
    cwd: followed(spec.cwd),
    env: { ...spec.shellEnv, ...spec.env },
    hasListened: false,
  };
}

/**
 * @param {Launch} one
 * @param {Launch} other
 * @returns {boolean} nothing that a program could choose its port by differs
 */
export function hasSameInput(one, other) {
  return inputOf(one) === inputOf(other);
}

/** @param {Launch} launch */
function inputOf({ spec, env }) {
  const { script, args, cwd, nodeArgs } = spec;
  return JSON.stringify([script, args, cwd, nodeArgs, Object.entries(env).sort()]);
}

/** @param {string} path a path, or the bare name of a command */
function followed(path) {
  try {
    return path.includes('/') ? realpathSync(path) : path;
  } catch {
    return path;
  }
}
