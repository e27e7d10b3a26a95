/** Replaces the primary of an app with an interruption: its workers stop before others start. */
import { startSlots } from '../start.js';
import { shutDownPrimary } from '../stop.js';

/**
 * @import { App } from '../../apps/app.js'
 * @import { ReportProgress } from '../../control/run-command.js'
 * @import { Daemon } from '../../daemon.js'
 * @import { Fixed } from './new-primary.js'
 */

/**
 * @param {Daemon} daemon
 * @param {App} app with its new spec, which is already saved
 * @param {Fixed} old what the current primary runs
 * @param {ReportProgress} report
 */
export async function restartPrimary(daemon, app, old, report) {
  // Programs in fork mode bind their ports themselves.
  const areSocketsHeld = [old, app.spec].every(({ execMode }) => execMode === 'cluster');
  const stopped = await shutDownPrimary(app, report, { areSocketsHeld });
  const started = await startSlots(daemon, app, app.desiredSlots, report);
  const durationMs = (stopped?.durationMs ?? 0) + (started.durationMs ?? 0);
  return { ...started, longLivedCut: stopped?.longLivedCut, durationMs };
}
