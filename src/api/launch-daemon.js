import { statSync } from 'node:fs';
import path from 'node:path';
import { NodeclusterError } from '../errors/error.js';
import { readDaemonLine } from '../shared/log-files/daemon-line.js';
import { readLastLines } from '../shared/log-files/last-lines.js';
import { copyPackage } from '../shared/package/copy.js';
import { launchDetached } from '../shared/processes/launch.js';

/** @import { HomePaths } from '../shared/home.js' */

const LAST_LINES = 40;
const SHOWN_LINES = 5;
/** Users need what failed, not where. */
const OF_A_STACK = /^ {4}at |^Node\.js v|^$/;

/**
 * @param {HomePaths} paths
 * @returns {string} of the daemon of this version; making the copy that it is in may take 0.1 s
 */
export function daemonScript({ versions }) {
  return path.join(copyPackage(versions), 'src', 'daemon', 'main.js');
}

/** @param {HomePaths} paths @returns {string} of the function that runs it in this process */
export function runScript({ versions }) {
  return path.join(copyPackage(versions), 'src', 'daemon', 'run.js');
}

/** A daemon process that outlives this one. */
export class DaemonProcess {
  /** How it exited; null: it is running. @type {string | null} */
  end = null;
  #paths;
  #logged;
  #child;

  /**
   * @param {HomePaths} paths
   * @param {Record<string, string | undefined>} env
   * @param {string[]} command the script and its arguments
   */
  constructor(paths, env, command) {
    const { home, daemonLog: log } = paths;
    this.#paths = paths;
    this.#logged = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
    this.#child = launchDetached([process.execPath, ...command], { home, log, env })
      .once('error', ({ message }) => (this.end = message))
      .once('exit', (code, signal) => {
        this.end = signal ? `it was killed by ${signal}` : `it exited with code ${code}`;
      });
  }

  get pid() {
    return this.#child.pid ?? null;
  }

  /** It has not taken the lock yet, and would if the daemon that holds it exited soon. */
  giveUp() {
    this.#child.kill();
  }

  /**
   * @param {string} code of the catalogue
   * @param {string} reason
   * @returns {NodeclusterError} with what it has written to the log
   */
  error(code, reason) {
    const { daemonLog: log } = this.#paths;
    const lines = readLastLines(log, LAST_LINES, this.#logged).map(readDaemonLine);
    const messages = lines.map(({ message }) => message).filter((line) => !OF_A_STACK.test(line));
    const lastLines = messages.slice(-SHOWN_LINES);
    return new NodeclusterError(code, { reason, log, lastLines });
  }
}
