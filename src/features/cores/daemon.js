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
  const { sync } = watchCores({ scale: scaled, log: daemon.log });
  return {
    sync,
  };
}

/**
 * @param {object} options
 * @param {ScaleTo} options.scale
 * @param {Log} options.log
 * @param {() => number} [options.countCores]
 */
export function watchCores({ scale, log, countCores = availableCores }) {
  /** @type {Set<App>} */
  const apps = new Set();
  /** Runs only while an app follows the cores. @type {NodeJS.Timeout | undefined} */
  let timer;
  return { sync, check };

  /** @param {App} app that may have changed */
  function sync(app) {
    if (!followsCores(app.spec.instances) || app.deleted) apps.delete(app);
    else apps.add(app);
    if (apps.size > 0) {
      timer ??= setInterval(check, CHECK_EVERY_MS);
    } else {
      clearInterval(timer);
      timer = undefined;
    }
  }

  function check() {
    const cores = countCores();
    const reason = `${cores === 1 ? '1 core is' : `${cores} cores are`} available now`;
    for (const app of apps) {
      const from = app.slots.length;
      const to = workerCount(app.spec.instances, from, cores);
      // A command in progress, or the daemon's own recovery, may change the number of workers.
      const isReady = app.queue.current === null && app.link.state !== 'unknown';
      if (!isReady || to === from) continue;
      log.info('cores.changed', { app: app.name, cores, from, to });
      scale(app, to, reason).catch((thrown) =>
        log.error('cores.not-followed', { app: app.name, reason: String(thrown) }),
      );
    }
  }
}
