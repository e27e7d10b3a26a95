/**
 * tap adds its own preload to the environment of every process that a test spawns. A program under
 * test must get the environment of a user's shell, so `env -i` sets it and then replaces itself with
 * the command, which keeps pid and streams.
 */
import { spawn } from 'node:child_process';

/** @import { SpawnOptions } from 'node:child_process' */

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

/** The environment that a shell gives every program. */
export function plainEnv(home = process.env.HOME) {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: home ?? '/', LANG: 'C.UTF-8' };
}
