/** The end of `run`: not ready, then drained, then stopped; each further request is in more of a hurry. */
import { isatty } from 'node:tty';
import { within } from '../../../shared/deadline.js';
import { statusesOf } from '../../../daemon/apps/record.js';

/** @import { RunningDaemon } from '../../../daemon/daemon.js' */

export class Shutdown {
  #running;
  #requests = 0;
  #hurry = () => {};
  #isHurried = new Promise((resolve) => (this.#hurry = () => resolve(null)));

  /** @param {RunningDaemon} running */
  constructor(running) {
    this.#running = running;
  }

  /** @param {NodeJS.Signals} signal */
  request(signal) {
    this.#requests += 1;
    const { log } = this.#running.daemon;
    log.info('run.stopping', { signal, requests: this.#requests });
    if (this.#requests === 1) return this.begin();
    this.#hurry();
    this.#hurryApps(this.#requests > 2);
  }

  /** What serves goes on accepting for `shutdown_delay`. */
  async begin() {
    const { daemon, stopApps, leave } = this.#running;
    if (daemon.isShuttingDown) return;
    daemon.isShuttingDown = true;
    const serving = daemon.table.all().filter((app) => statusesOf(app).includes('online'));
    const delayMs = Math.max(0, ...serving.map(({ spec }) => spec.shutdownDelayMs));
    if (delayMs > 0) await within(this.#isHurried, delayMs);
    const stopped = stopApps();
    if (this.#requests > 1) this.#hurryApps(this.#requests > 2);
    await stopped;
    await leave('stop', { isLast: true });
  }

  /** @param {boolean} kill */
  #hurryApps(kill) {
    const { table } = this.#running.daemon;
    for (const app of table.all()) {
      if (app.link.state !== 'connected') continue;
      app.link.request('hurry', { kill }, { timeoutMs: 1000 }).catch(() => {});
    }
  }
}

/** ms in which a signal that comes twice counts once: a launcher may pass on what a terminal sends to both. */
const SAME_MS = 250;

/**
 * @param {object} on
 * @param {(signal: NodeJS.Signals) => void} on.stop
 * @param {() => void} on.reload
 * @param {() => void} on.reopenLogs
 */
export function handleSignals({ stop, reload, reopenLogs }) {
  const hadTerminal = isatty(0);
  let lastMs = -Infinity;
  const stopOnce = (/** @type {NodeJS.Signals} */ signal) => {
    const nowMs = performance.now();
    if (nowMs - lastMs < SAME_MS) return;
    lastMs = nowMs;
    stop(signal);
  };
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.on(signal, stopOnce);
  // A terminal that is closed sends it too.
  process.on('SIGHUP', () => (hadTerminal && !isatty(0) ? stop('SIGHUP') : reload()));
  process.on('SIGUSR2', reopenLogs);
}
