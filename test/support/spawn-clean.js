/**
 * tap puts its own preload into the environment of every process that a test spawns. A program
 * under test must see what a user's shell would give it, so the environment is set by `env -i`,
 * which replaces itself by the command: pid and streams are the command's own.
 */
import { spawn } from 'node:child_process';

/** @import { SpawnOptions } from 'node:child_process' */

/**
 * @param {string} command
 * @param {string[]} args
 * @param {SpawnOptions} [options] `env` is given exactly as it is
 */
export function spawnClean(command, args, { env = {}, ...options } = {}) {
  const pairs = Object.entries(env).map(([key, value]) => `${key}=${value}`);
  return spawn('env', ['-i', ...pairs, command, ...args], {
    ...options,
    env: { PATH: process.env.PATH },
  });
}

/** What a shell gives every program; a test adds its own to it. */
export function plainEnv(home = process.env.HOME) {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: home ?? '/', LANG: 'C.UTF-8' };
}
