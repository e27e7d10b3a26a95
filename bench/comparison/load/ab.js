/** Apache Bench. Times are in milliseconds. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Gap } from '../gap.js';

const run = promisify(execFile);

/** So many that the time always ends the run. */
const REQUESTS = 100_000_000;
const GRACE_MS = 60_000;

/** @typedef {(url: string, seconds: number) => Promise<Record<string, number>>} Load requests: how many were answered */

/** @param {{clients: number, keepsConnections?: boolean}} options @returns {Load} */
export function ab({ clients, keepsConnections = false }) {
  return async (url, seconds) => {
    const args = ['-q', '-l', '-c', `${clients}`, '-t', `${seconds}`, '-n', `${REQUESTS}`];
    if (keepsConnections) args.push('-k');
    const said = await runTool([...args, `${url}/`], seconds * 1000 + GRACE_MS);
    const numberIn = (/** @type {RegExp} */ pattern) => Number(pattern.exec(said)?.[1] ?? NaN);
    return {
      requests: numberIn(/^Complete requests:\s+(\d+)/m),
      perSecond: numberIn(/^Requests per second:\s+([\d.]+)/m),
      p99Ms: numberIn(/^\s*99%\s+(\d+)/m),
      failed:
        numberIn(/^Failed requests:\s+(\d+)/m) + (numberIn(/^Non-2xx responses:\s+(\d+)/m) || 0),
    };
  };
}

/** @param {string[]} args @param {number} timeout in ms @returns {Promise<string>} stdout and stderr */
async function runTool(args, timeout) {
  try {
    const options = { timeout, killSignal: /** @type {const} */ ('SIGKILL') };
    const { stdout, stderr } = await run('ab', args, options);
    return `${stdout}\n${stderr}`;
  } catch (error) {
    const { code, killed, stdout = '', stderr = '' } = /** @type {any} */ (error);
    if (code === 'ENOENT') throw new Gap('ab is not installed (apache2-utils in Debian)');
    if (killed) throw new Gap(`ab had not ended after ${timeout / 1000} s`);
    throw new Error(`ab exited with ${code}: ${(stderr || stdout).trim().slice(-300)}`);
  }
}
