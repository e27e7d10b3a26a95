/** `run --listen` and `run --otlp`: what others learn about the apps, from before the first one starts. */
import { recordOf } from '../../../daemon/apps/record.js';
import { listApps } from '../../../daemon/queries/apps.js';
import { judgeProbes } from '../../../lifecycle/probe-policy.js';

/**
 * @import { RunSource } from '../../../clients/metrics/outlets.js'
 * @import { Daemon } from '../../../daemon/daemon.js'
 * @import { Log } from '../../../daemon/log.js'
 * @import { ProbedApp } from '../../../lifecycle/probe-policy.js'
 */

/**
 * @param {() => Daemon | null} find null: not started yet
 * @param {Log} log
 * @param {string[]} names of the apps
 * @returns {RunSource}
 */
export function sourceOf(find, log, names) {
  const awaited = new Set(names);
  return {
    probe: async () => {
      const daemon = find();
      return daemon ? judge(daemon, awaited) : judgeProbes([], { now: Date.now() });
    },
    list: async (fields) => {
      const daemon = find();
      return daemon && listApps(daemon, daemon.table.all(), { fields });
    },
    onOpen: (address) => log.info('endpoint.open', { address }),
    onExport: (reason) => {
      if (reason === null) log.info('metrics.exported');
      else log.warn('metrics.export-failed', { reason });
    },
  };
}

/** @param {Daemon} daemon @param {Set<string>} awaited apps that have not been in the table yet; loses those that are */
function judge({ table, isShuttingDown, isEnding }, awaited) {
  for (const name of awaited) if (table.get(name)) awaited.delete(name);
  const apps = [...table.all().map((app) => recordOf(app)), ...Array.from(awaited, awaitedApp)];
  return judgeProbes(apps, { isShuttingDown: isShuttingDown || isEnding, now: Date.now() });
}

/** @param {string} name @returns {ProbedApp} */
function awaitedApp(name) {
  const status = /** @type {const} */ ('starting');
  const worker = { slot: 0, status, isReady: false, reason: 'not started yet' };
  return { name, status, readyMin: 1, hasBeenReady: false, workers: [worker] };
}
