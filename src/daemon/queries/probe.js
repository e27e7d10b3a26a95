/** What the daemon answers to probes: at once, from what the primaries have reported. */
import { judgeProbes, judgeReady } from '../../lifecycle/probe-policy.js';
import { machineMs } from '../../shared/monotonic.js';
import { viewApp } from '../apps/view.js';

/**
 * @import { ProbedApp } from '../../lifecycle/probe-policy.js'
 * @import { ProbeVerdicts } from '../../protocol/shapes.js'
 * @import { App } from '../apps/app.js'
 * @import { Daemon } from '../daemon.js'
 * @import { Handler } from '../control/methods.js'
 */

const NOT_MEASURED = { usages: new Map(), telemetry: null };

/**
 * @param {Daemon} daemon
 * @param {Set<string>} [awaited] names of apps that have not been in the table yet; loses those that are
 * @returns {ProbeVerdicts}
 */
export function probeVerdicts({ table, isShuttingDown, isEnding }, awaited = new Set()) {
  for (const name of awaited) if (table.get(name)) awaited.delete(name);
  const services = table.all().filter(({ spec }) => !spec.onDemand);
  const apps = [...services.map(probedApp), ...Array.from(awaited, awaitedApp)];
  // What runs on demand serves nobody, and whether it runs just now says nothing.
  const hasJobs = table.all().some(({ spec, stopped }) => spec.onDemand && !stopped);
  return judgeProbes(apps, { isShuttingDown: isShuttingDown || isEnding, hasJobs });
}

/**
 * For the startup probe, which asks whether an app has ever been ready.
 * @param {App} app whose link has just been made
 */
export function noteReadiness(app) {
  const note = () => {
    app.hasBeenReady ||= judgeReady(probedApp(app)).ok;
  };
  // The first report of a primary arrives before it counts as connected.
  for (const event of ['state', 'connected', 'found']) app.link.on(event, note);
}

/** @param {App} app @returns {ProbedApp} */
function probedApp(app) {
  const { name, spec, link, hasBeenReady } = app;
  const { workers, note } = viewApp(app, NOT_MEASURED, machineMs());
  // While it is launched, nothing is known against it.
  const isSilent = link.state === 'unknown' && link.trouble !== null;
  const silence = isSilent ? note : null;
  return { name, silence, readyMin: spec.readyMin, hasBeenReady, workers };
}

/** @param {string} name @returns {ProbedApp} */
function awaitedApp(name) {
  const reason = 'not started yet';
  const worker = { slot: 0, status: /** @type {const} */ ('starting'), isReady: false, reason };
  return { name, silence: null, readyMin: 1, hasBeenReady: false, workers: [worker] };
}

/** @type {Handler<'probe'>} */
export async function probe(daemon) {
  return probeVerdicts(daemon);
}
