/**
 * tap adds its own preload to the environment of every process that a test spawns. A program under
 * test must get the environment of a user's shell, so `env -i` sets it and then replaces itself with
 * the command, which keeps pid and streams.
 */
import { spawn } from 'node:child_process';
import { delimiter, dirname } from 'node:path';

/** @import { SpawnOptions } from 'node:child_process' */

const OTHER_NODE = process.env.NODECLUSTER_TEST_NODE;
/** The Node binary under test: CI runs the tests of the whole program once for each supported version. */
export const NODE = OTHER_NODE || process.execPath;

/**
 * @param {string} command
 * @param {string[]} args
 * @param {SpawnOptions} [options] `env` is the complete environment
 */
export function spawnClean(command, args, { env = {}, ...options } = {}) {
  const pairs = Object.entries(env).map(([key, value]) => `${key}=${value}`);
  return spawn('env', ['-i', ...pairs, command, ...args], {
    ...options,
    env: { PATH: process.env.PATH },
  });
}

/** The environment that a shell gives every program; it finds the Node under test. */
export function plainEnv(home = process.env.HOME) {
  const path = process.env.PATH ?? '/usr/bin:/bin';
  const PATH = OTHER_NODE ? `${dirname(OTHER_NODE)}${delimiter}${path}` : path;
  return { PATH, HOME: home ?? '/', LANG: 'C.UTF-8' };
}
