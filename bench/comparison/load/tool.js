/** Runs a load generator that is a command of its own, and returns what it prints. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Gap } from '../gap.js';

const run = promisify(execFile);

/**
 * @typedef {{requests: number, perSecond: number} & Record<string, number>} LoadFigures
 * @typedef {(url: string, seconds: number) => Promise<LoadFigures>} Load
 */

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{install: string, timeoutMs: number, env?: NodeJS.ProcessEnv}} options install: what provides the command
 * @returns {Promise<string>} stdout and stderr
 */
export async function runTool(command, args, { install, timeoutMs, env = process.env }) {
  try {
    const { stdout, stderr } = await run(command, args, {
      env,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      maxBuffer: 64 * 1024 * 1024,
    });
    return `${stdout}\n${stderr}`;
  } catch (error) {
    const { code, killed, stdout = '', stderr = '' } = /** @type {any} */ (error);
    if (code === 'ENOENT') throw new Gap(`${command} is not installed (${install})`);
    if (killed) throw new Gap(`${command} had not ended after ${timeoutMs / 1000} s`);
    throw new Error(`${command} exited with ${code}: ${(stderr || stdout).trim().slice(-300)}`);
  }
}

/** @param {string} text @param {RegExp} pattern with one group @returns {number} NaN: it is not in the text */
export function numberIn(text, pattern) {
  return Number(pattern.exec(text)?.[1] ?? NaN);
}
