/**
 * What features get of the daemon: what they see of its apps, its log, and what they may do to an app without a command of
 * the user, each in its turn among the commands on that app. `authors` says which of them did it.
 */
import { NodeclusterError } from '../../errors/error.js';
import { reloadApp } from '../actions/replace.js';
import { emptiesFirst, needsNewPrimary } from '../actions/replace-primary.js';
import { scaleApp } from '../actions/scale.js';
import { startSlots } from '../actions/start.js';
import { authors } from '../apps/changes.js';
import { recordOf, workerPids } from '../apps/record.js';
import { progressTo, runInTurn } from './run-command.js';
import { resolveTargets } from './targets.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Author, CommandNotifications, Reason } from '../../protocol/shapes.js'
 * @import { RequestContext } from '../../protocol/wire.js'
 * @import { App } from '../apps/app.js'
 * @import { Daemon } from '../daemon.js'
 * @import { ReportProgress } from './run-command.js'
 *
 * @typedef {Readonly<Pick<App, 'name' | 'spec' | 'slots' | 'count' | 'ids' | 'generation' | 'stopped' | 'deleted' | 'rollout' |
 *   'isDown' | 'on' | 'off' | 'request'>> & {queue: Readonly<Pick<App['queue'], 'current'>>,
 *   link: Readonly<Pick<App['link'], 'state' | 'snapshot' | 'directory' | 'request'>>}} SeenApp to read, and to ask its primary
 */

export class Door {
  #daemon;
  /** Apps with a reload that waits for a command. @type {WeakSet<SeenApp>} */
  #waiting = new WeakSet();

  /** @param {Daemon} daemon */
  constructor(daemon) {
    this.#daemon = daemon;
    this.log = daemon.log;
    this.home = daemon.paths.home;
  }

  /** @returns {readonly SeenApp[]} */
  get apps() {
    return this.#daemon.table.all();
  }

  /** @param {string[]} selectors @returns {{app: SeenApp, currentSlots: () => number[] | null}[]} */
  targets(selectors) {
    return resolveTargets(this.#daemon, selectors);
  }

  /** As clients get it, with what its workers use, and count anyway in their reports. @param {SeenApp} seen */
  async record(seen) {
    const { metrics, telemetry } = this.#daemon;
    const app = appOf(seen);
    const [usages, known] = await Promise.all([
      metrics.sample(workerPids(app)),
      telemetry.sample([app], { leaseMs: 0 }),
    ]);
    const record = recordOf(app, { usages, telemetry: known });
    for (const worker of record.workers) worker.report = known.get(worker.pid ?? 0)?.report;
    return record;
  }

  /** Whether a new worker with this spec can serve beside the old one. @param {SeenApp} app @param {Spec} spec */
  servesBeside(app, spec) {
    return !needsNewPrimary(app.spec, spec) && !emptiesFirst(appOf(app));
  }

  /** @param {SeenApp} app @param {{type: string, reason: Reason}} event */
  publish(app, event) {
    this.#daemon.events.publish(appOf(app), event);
  }

  /** @param {SeenApp} app */
  async rotateLogs(app) {
    const failed = (/** @type {Error} */ { message: reason }) =>
      this.log.error('logs.rotate-failed', { app: app.name, reason });
    if (!app.isDown) await app.request('rotate-logs', {}).catch(failed);
  }

  /**
   * A reload in progress may have read the files before they changed, so another must follow it, but no second one.
   * @param {SeenApp} app
   * @param {string} because also for daemon.log, as is what it throws
   * @param {() => {file?: string, reason?: Reason}} [begins] called when it does; file: whose change is the cause
   */
  async reload(app, because, begins = () => ({})) {
    if (this.#waiting.has(app)) return;
    this.#waiting.add(app);
    await appOf(app).queue.whenDone();
    this.#waiting.delete(app);
    if (app.stopped || app.deleted) return;
    this.log.info('reload.due', { app: app.name, because });
    const { reason, ...cause } = begins();
    const by = { role: because, user: null, ...cause };
    const run = (/** @type {ReportProgress} */ report) =>
      reloadApp(this.#daemon, appOf(app), { slots: null, spec: app.spec }, report);
    try {
      await this.#act(app, by, { action: 'reload', reason, run });
    } catch (thrown) {
      const { message } = NodeclusterError.from(thrown);
      this.log.error('reload.refused', { app: app.name, reason: message });
    }
  }

  /**
   * @param {SeenApp} app
   * @param {number} count of workers
   * @param {{because: string, reason: Reason}} why because: as that of a reload
   */
  scale(app, count, { because, reason }) {
    const run = (/** @type {ReportProgress} */ report) =>
      scaleApp(this.#daemon, appOf(app), { spec: app.spec, count }, report);
    return this.#act(app, { role: because, user: null }, { action: 'scale', reason, run });
  }

  /** @param {SeenApp} app @param {Author} by @param {Parameters<typeof runInTurn>[2]} command */
  #act(app, by, command) {
    return authors.run(by, () =>
      runInTurn(this.#daemon, appOf(app), { ...command, isAutomatic: true }),
    );
  }

  /**
   * Runs an app on demand, with its primary if that does not run. It is done when the program has started.
   * @param {SeenApp} seen
   * @param {string | Pick<RequestContext<CommandNotifications>, 'notify'>} by the client that asks for it; or why nobody
   *   does: a command before it may make it needless
   */
  run(seen, by) {
    const daemon = this.#daemon;
    const app = appOf(seen);
    const run = async (/** @type {ReportProgress} */ report) => {
      daemon.features.check(app, 'run', {});
      await startSlots(daemon, app, app.slots, report);
      const { spec, generation, slots } = app;
      const outcome = await app.request('restart', { spec, generation, slots }, { report });
      return { ...outcome, notes: undefined };
    };
    const command = { action: 'run', run };
    return typeof by === 'string'
      ? this.#act(app, { role: by, user: null }, command)
      : runInTurn(daemon, app, { ...command, report: progressTo(by) });
  }
}

/** Features see less of it. @param {SeenApp} app */
function appOf(app) {
  return /** @type {App} */ (app);
}
