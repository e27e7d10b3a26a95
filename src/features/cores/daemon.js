/**
 * Scales apps whose number of workers is relative to the cores when these change: a container engine
 * may change the CPU limit of a running container, and an administrator may take cores offline.
 */
import { scale } from '../../daemon/control/verbs.js';
import { availableCores } from '../../daemon/cgroup-limits.js';
import { followsCores, workerCount } from '../../daemon/apps/slots.js';

/**
 * @import { App } from '../../daemon/apps/app.js'
 * @import { ScaleTo } from '../../daemon/control/verbs.js'
 * @import { MakeFeature } from '../../daemon/features.js'
 * @import { Log } from '../../daemon/log.js'
 */

/** A check takes 0.15 ms. */
const CHECK_EVERY_MS = 2000;

/** @type {MakeFeature} */
export function cores(daemon) {
  const scaled = (/** @type {Parameters<ScaleTo>} */ ...order) => scale(daemon, ...order);
  const watch = new CoresWatch({ scale: scaled, log: daemon.log });
  return {
    sync: (app) => watch.sync(app),
    words: {
      'cores.changed': ({ cores, from, to }) =>
        `cores available now: ${cores}; workers: ${from} → ${to}`,
      'cores.not-followed': ({ reason }) => `could not follow the number of cores: ${reason}`,
    },
  };
}

export class CoresWatch {
  /** @type {Set<App>} */
  #apps = new Set();
  /** Runs only while an app follows the cores. @type {NodeJS.Timeout | undefined} */
  #timer;
  #scale;
  #log;
  #countCores;

  /**
   * @param {object} options
   * @param {ScaleTo} options.scale
   * @param {Log} options.log
   * @param {() => number} [options.countCores]
   */
  constructor({ scale, log, countCores = availableCores }) {
    this.#scale = scale;
    this.#log = log;
    this.#countCores = countCores;
  }

  /** @param {App} app that may have changed */
  sync(app) {
    if (!followsCores(app.spec.instances) || app.deleted) this.#apps.delete(app);
    else this.#apps.add(app);
    if (this.#apps.size > 0) {
      this.#timer ??= setInterval(() => this.check(), CHECK_EVERY_MS);
    } else {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  check() {
    const cores = this.#countCores();
    for (const app of this.#apps) {
      const count = workerCount(app.spec.instances, app.slots.length, cores);
      // A command in progress, or the daemon's own recovery, may change the number of workers.
      const isReady = app.queue.current === null && app.link.state !== 'unknown';
      if (isReady && count !== app.slots.length) this.#follow(app, count, cores);
    }
  }

  /** @param {App} app @param {number} count @param {number} cores */
  #follow(app, count, cores) {
    const reason = `${cores === 1 ? '1 core is' : `${cores} cores are`} available now`;
    this.#log.info('cores.changed', { app: app.name, cores, from: app.slots.length, to: count });
    this.#scale(app, count, reason).catch((thrown) =>
      this.#log.error('cores.not-followed', { app: app.name, reason: String(thrown) }),
    );
  }
}
