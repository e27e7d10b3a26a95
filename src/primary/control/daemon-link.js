/**
 * Knows whether a daemon looks after this primary, and starts a new one when it died. All
 * primaries of a home notice at once, so each waits a random while; the daemon's own lock makes
 * sure that only one stays.
 */
import { launchDetached } from '../../shared/processes/launch.js';

/** @import { RequestContext } from '../../protocol/wire.js' */

/** Least and most that the first attempt waits, in milliseconds. */
const FIRST_WAIT_MS = 300;
const SPREAD_MS = 900;
const MAX_WAIT_MS = 30_000;
/** How long a daemon that has just started this primary may take to connect. */
const INTRODUCTION_MS = 15_000;

/**
 * @typedef {object} DaemonLaunch
 * @property {string} execPath the Node that runs the daemon
 * @property {string} script
 * @property {string} home
 * @property {string} log
 * @property {Record<string, string>} env
 */

export class DaemonLink {
  #connections = 0;
  #attempts = 0;
  #isLossExpected = false;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @param {DaemonLaunch} launch */
  constructor(launch) {
    this.launch = launch;
    this.#timer = setTimeout(() => this.#startDaemon(), INTRODUCTION_MS);
  }

  /** @param {RequestContext} ctx */
  connected(ctx) {
    clearTimeout(this.#timer);
    this.#connections += 1;
    this.#attempts = 0;
    this.#isLossExpected = false;
    ctx.onClose(() => {
      this.#connections -= 1;
      if (this.#connections === 0 && !this.#isLossExpected) this.#startSoon();
    });
  }

  /** The daemon goes because somebody wanted it to. */
  expectLoss() {
    this.#isLossExpected = true;
  }

  /** The primary itself ends. */
  close() {
    this.#isLossExpected = true;
    clearTimeout(this.#timer);
  }

  #startSoon() {
    const wait = Math.min(FIRST_WAIT_MS * 2 ** this.#attempts, MAX_WAIT_MS);
    this.#attempts = Math.min(this.#attempts + 1, 10);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#startDaemon(), wait + Math.random() * SPREAD_MS);
  }

  #startDaemon() {
    if (this.#connections > 0 || this.#isLossExpected) return;
    try {
      this.#launchDaemon();
    } catch (error) {
      reportFailure(error);
    }
    // Until one has connected: it may die at its start, or lose the lock to a slow one.
    this.#startSoon();
  }

  #launchDaemon() {
    const { execPath, script, home, log, env } = this.launch;
    launchDetached([execPath, script], { home, log, env }).on('error', reportFailure);
  }
}

/** @param {unknown} error */
function reportFailure(error) {
  process.stderr.write(`Could not start a daemon: ${/** @type {Error} */ (error).message}\n`);
}
