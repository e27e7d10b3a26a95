/** Starts what the candidates consist of, in an environment that only they have. */
import { watched } from '../../../test/support/home.js';
import { spawnClean } from '../../../test/support/spawn-clean.js';
import { within } from '../../../test/support/until.js';

/**
 * @import { SpawnOptions } from 'node:child_process'
 * @import { Program } from '../types.js'
 */

/** Characters of the output in which the words are looked for. */
const KEPT = 4_000;
const READY_MS = 120_000;

/**
 * @param {Program} program
 * @param {string[]} args of Node
 * @param {Record<string, string>} [env] in addition
 * @returns {Promise<string>} stdout, once the command has exited with 0
 */
export async function runCommand(program, args, env = {}) {
  const child = spawned(program, args, env);
  const { code, signal, stdout, stderr } = await watched(child, args.join(' ')).ended;
  if (code === 0) return stdout;
  throw new Error(`exited with ${code ?? signal}: ${(stderr || stdout).trim().slice(0, 400)}`);
}

/**
 * Starts something that stays, and waits until it prints that it is ready.
 * @param {Program} program
 * @param {string[]} args of Node
 * @param {{env?: Record<string, string>, ready?: RegExp}} [options] ready: without it, nothing is waited for
 * @returns {Promise<void>}
 */
export function launch(program, args, { env = {}, ready } = {}) {
  const child = spawned(program, args, env, {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Daemons have a session of their own. Linux schedules each session as a group: in that of the load
    // generator, a request took a seventh less CPU time.
    detached: true,
  });
  let said = '';
  const started = new Promise((resolve, reject) => {
    if (ready === undefined) resolve(undefined);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        said = (said + text).slice(-KEPT);
        if (ready?.test(said)) resolve(undefined);
      });
    }
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`exited with ${code}: ${said.slice(-400)}`)));
  });
  return within(started, `'${args.join(' ')}' to be ready`, READY_MS);
}

/** @param {Program} program @param {string[]} args @param {Record<string, string>} env @param {SpawnOptions} [options] */
function spawned({ node, root, env: always }, args, env, options) {
  return spawnClean(node, args, { cwd: root, env: { ...always, ...env }, ...options });
}
