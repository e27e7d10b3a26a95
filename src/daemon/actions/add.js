/** Starts programs: as new apps, or as the apps that they were before. */
import { dirname } from 'node:path';
import { NodeclusterError } from '../../errors/error.js';
import { WITHOUT_PROCESS } from '../apps/record.js';
import { progressTo, runInTurn } from '../control/run-command.js';
import { runSteps } from '../control/run-steps.js';
import { readSpecs } from '../../config/check-spec.js';
import { supervise } from '../primaries/supervisor.js';
import { startSlots, startWithSpec } from './start.js';
import { compareSpecs } from '../../config/compare-specs.js';
import { fileName, projectName } from '../../config/resolve/default-name.js';
import { shutDownPrimary } from './stop.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { PlanEntry } from '../../protocol/shapes.js'
 * @import { Handler } from '../control/methods.js'
 * @import { ReportProgress, SendProgress } from '../control/run-command.js'
 * @import { Daemon } from '../daemon.js'
 * @import { App } from '../apps/app.js'
 * @import { AppTable } from '../apps/table.js'
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
  const steps = specs.map((spec) => ({
    name: spec.name,
    action: 'start',
    dependsOn: spec.dependsOn,
    run() {
      const app = daemon.table.get(spec.name);
      return app ? startAgain(daemon, app, spec, report) : addApp(daemon, spec, report);
    },
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
  supervise(daemon, app);
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

/** A spec with the name of an app that it cannot become is refused. @param {AppTable} table @param {Spec[]} specs */
function refuseConflicts(table, specs) {
  const conflicts = specs.flatMap((spec) => {
    const app = table.get(spec.name);
    const reason = app && conflictWith(app, spec);
    return reason ? [conflictOf(table, app.spec, spec, reason)] : [];
  });
  if (conflicts.length > 0) throw new NodeclusterError('E_APP_EXISTS', { conflicts });
}

/** @param {App} app @param {Spec} spec */
function conflictWith(app, spec) {
  if (programOf(app.spec) !== programOf(spec)) return 'program';
  if (isRunning(app) || app.queue.current === 'start') return 'running';
  // Its file has settings that nobody gave now, so only the file may start it.
  return app.spec.configFile === spec.configFile ? null : 'file';
}

/** @param {AppTable} table @param {Spec} existing @param {Spec} spec @param {string} reason */
function conflictOf(table, existing, spec, reason) {
  const { name, configFile: file } = existing;
  const free = freeName(table, spec, reason);
  return { name, reason, free, file, program: programOf(spec), existing: programOf(existing) };
}

/** A command such as npm runs what its directory says. @param {Spec} spec */
function programOf({ script, cwd }) {
  return script.includes('/') ? script : `${script} in ${cwd}`;
}

/** @param {AppTable} table @param {Spec} spec @param {string} reason */
function freeName(table, { name, script, cwd }, reason) {
  const numbered = Array.from({ length: 99 }, (_, index) => `${name}-${index + 2}`);
  const place = script.includes('/') ? dirname(script) : cwd;
  const own = reason === 'program' ? [projectName(place), fileName(script)] : [];
  return [...own, ...numbered].find((each) => each !== null && !table.get(each)) ?? null;
}

/** False: no worker runs, or each has crashed and is being started again. @param {Pick<App, 'link'>} app */
function isRunning({ link }) {
  if (link.state === 'none') return false;
  if (link.state === 'unknown' || link.snapshot === null) return true;
  return link.snapshot.slots.some(
    ({ status, lastExit }) =>
      !WITHOUT_PROCESS.includes(status) && !(status === 'starting' && lastExit),
  );
}

/** What apps that exist already will have. @param {AppTable} table @param {Spec[]} specs @returns {PlanEntry[]} */
function differencesOf(table, specs) {
  return specs.flatMap((spec) => {
    const app = table.get(spec.name);
    const { changes } = app ? compareSpecs(app.spec, spec) : { changes: [] };
    return changes.length > 0 ? [{ app: spec.name, action: 'start', changes }] : [];
  });
}

/** @param {Daemon} daemon @param {App} app of the same program @param {Spec} spec @param {SendProgress} report */
function startAgain(daemon, app, spec, report) {
  return runInTurn(daemon, app, {
    action: 'start',
    report,
    run: async (progress) => {
      // Another command may have started it while this one waited for its turn.
      if (isRunning(app)) {
        const conflicts = [conflictOf(daemon.table, app.spec, spec, 'running')];
        throw new NodeclusterError('E_APP_EXISTS', { conflicts });
      }
      if (!app.isDown) await shutDownPrimary(app, progress);
      return startWithSpec(daemon, app, { spec }, progress);
    },
  });
}
