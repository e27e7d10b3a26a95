/** A program under a candidate: started, loaded, stopped. */
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/ports.js';
import { isRunning, processesOf } from '../../test/support/processes.js';
import { plainEnv } from '../../test/support/spawn-clean.js';
import { until } from '../../test/support/until.js';
import { cpuMs } from '../processes.js';
import { clearDirectory, newDirectory } from './scratch.js';

/** @import { Conditions, Program } from './types.js' */
/** @import { Load } from './load/ab.js' */

/** One for each core of the machine on which the published figures of this project are measured. */
export const WORKERS = 2;
/** A large program on a slow machine. */
const SERVES_MS = 120_000;

/**
 * @typedef {{url: string, port: number, root: string, program: Program, firstAnswerMs: number}} Served
 *   firstAnswerMs: after the command was given
 */

/** @param {string} name of a file in bench/programs @returns {string} its path */
export function programOf(name) {
  return fileURLToPath(new URL(`../programs/${name}`, import.meta.url));
}

/**
 * @template T
 * @param {Conditions} conditions
 * @param {{script: string, workers?: number, path?: string}} given path: requested until it is answered
 * @param {(served: Served) => Promise<T>} measure
 * @returns {Promise<T>}
 */
export async function serving({ candidate, node }, given, measure) {
  const { script, workers = WORKERS, path = '/' } = given;
  const root = newDirectory();
  const port = await freePort();
  const env = { ...plainEnv(root), PORT: String(port), NODE_ENV: 'production' };
  /** @type {Program} */
  const program = { script, workers, port, env, root, node };
  try {
    const url = `http://127.0.0.1:${port}`;
    const begin = performance.now();
    const starting = candidate.start(program);
    let hasFailed = false;
    starting.catch(() => (hasFailed = true));
    const isAnswered = () => hasFailed || answers(url + path);
    const answering = until(isAnswered, `${candidate.name} to answer`, SERVES_MS).then(
      () => performance.now() - begin,
    );
    const [firstAnswerMs] = await Promise.all([answering, starting]);
    return await measure({ url, port, root, program, firstAnswerMs });
  } finally {
    await candidate.stop(program).catch(() => {});
    await until(() => !processesOf(root).some(isRunning), 'exit', 5_000).catch(() => {});
    clearDirectory(root);
  }
}

/**
 * @param {Load} load
 * @param {{url: string, root: string, seconds: number}} where
 * @returns {Promise<Record<string, number>>} the load's figures, and the CPU time of each request
 */
export async function underLoad(load, { url, root, seconds }) {
  const before = cpuMsIn(root);
  const { requests, ...figures } = await load(url, seconds);
  return { ...figures, cpuUs: ((cpuMsIn(root) - before) * 1000) / requests };
}

/** @param {string} root of a candidate @returns {number} CPU time of its processes, with those that they started */
function cpuMsIn(root) {
  return processesOf(root).reduce((sum, pid) => {
    try {
      const { own, children } = cpuMs(pid);
      return sum + own + children;
    } catch {
      return sum; // it has exited
    }
  }, 0);
}

/** @param {string} url */
async function answers(url) {
  const { status } = await fetch(url, { signal: AbortSignal.timeout(10_000), redirect: 'manual' });
  return status < 500;
}
