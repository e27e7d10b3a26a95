/** Starts programs: as new apps, or as the apps that they were before. */
import { NodeclusterError } from '../../errors/error.js';
import { progressTo, runInTurn } from '../control/run-command.js';
import { runSteps } from '../control/run-steps.js';
import { readSpecs } from '../control/read-specs.js';
import { superviseNew } from '../primaries/supervisor.js';
import { differencesOf, refuseConflicts, startAgain } from './start-again.js';
import { startSlots } from './start.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { AppOutcome } from '../../protocol/shapes.js'
 * @import { Handler } from '../control/methods.js'
 * @import { ReportProgress, SendProgress } from '../control/run-command.js'
 * @import { Daemon } from '../daemon.js'
 */

/** @type {Handler<'start'>} */
export async function startPrograms(daemon, params, ctx) {
  const specs = readSpecs(params);
  const names = specs.map(({ name }) => name);
  const twin = names.find((name, index) => names.indexOf(name) !== index);
  if (twin !== undefined) throw new NodeclusterError('E_NAME_TWICE', { name: twin });
  refuseConflicts(daemon.table, specs);
  const plan = differencesOf(daemon.table, specs);
  if (plan.length > 0) ctx.notify('plan', { plan, unlisted: [] });
  const report = progressTo(ctx);
  const start = (/** @type {Spec} */ spec) => {
    const app = daemon.table.get(spec.name);
    return app ? startAgain(daemon, app, spec, report) : addApp(daemon, spec, report);
  };
  const steps = specs.map((spec) => ({
    name: spec.name,
    action: 'start',
    dependsOn: spec.dependsOn,
    run: () => start(spec),
  }));
  return { apps: await runSteps(daemon, steps, { dependencies: 'first', report }) };
}

/**
 * @param {Daemon} daemon
 * @param {Spec} spec
 * @param {SendProgress} [report]
 * @throws {NodeclusterError} E_APP_EXISTS, E_DAEMON_ENDING
 */
export async function addApp(daemon, spec, report) {
  // The next daemon starts every app in the table, so a daemon that is shutting down adds none.
  if (daemon.isEnding) throw new NodeclusterError('E_DAEMON_ENDING');
  const { table } = daemon;
  const app = table.add(spec);
  superviseNew(daemon, app);
  const run = async (/** @type {ReportProgress} */ progress) => {
    // An app that cannot be saved is not started.
    await table.save().catch((error) => {
      table.remove(app);
      throw error;
    });
    return startSlots(daemon, app, app.slots, progress);
  };
  return runInTurn(daemon, app, { action: 'start', run, report });
}
