/** Apps with a `schedule`: their program runs on its schedule, and when `run-now` asks for it. */
import { startTimes } from '../../daemon/cron-times.js';
import { besideApps } from '../../daemon/features.js';
import { NodeclusterError } from '../../errors/error.js';
import { isExpectedExit } from '../../lifecycle/restart-policy.js';
import { poll } from '../../shared/deadline.js';
import { withoutNulls } from '../../shared/merge-patch.js';
import { reasonText } from '../../show/reason.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Door, SeenApp } from '../../daemon/control/door.js'
 * @import { Handler } from '../../daemon/control/methods.js'
 * @import { MakeFeature } from '../../daemon/features.js'
 * @import { AppOutcome, Event, PastExit, Reason, SlotFailure } from '../../protocol/shapes.js'
 * @import { Job } from './record.js'
 */

/** @type {MakeFeature} */
export function jobs(door) {
  const timetables = besideApps(
    ({ spec: { schedule, timezone } }) => schedule && JSON.stringify([schedule, timezone]),
    (app) => new Timetable(door, app),
  );
  return {
    sync: timetables.sync,
    record: (app) => ({ job: jobOf(app, timetables.of(app)) }),
    event: (app, event) => (isJob(app) ? jobEvent(event, app.spec) : event),
    check(app, action, { spec }) {
      if (action === 'run') refuseRun(app);
      if (!isJob(app)) return;
      if (action === 'scale' && spec?.instances !== 1)
        throw new NodeclusterError('E_SCALE_JOB', { app: app.name });
      // Its run would end with the primary.
      if (action === 'update' && isRunning(app))
        throw new NodeclusterError('E_JOB_RUNS', { app: app.name });
    },
    methods: { 'run-now': { answer: (_daemon, ...request) => runNow(door, ...request) } },
  };
}

/** @param {{spec: {schedule: string | null}}} app */
function isJob({ spec }) {
  return spec.schedule !== null;
}

/** @param {SeenApp} app @param {Timetable} [timetable] @returns {Job | undefined} undefined: it is not a job */
function jobOf(app, timetable) {
  const { spec } = app;
  const { schedule, timezone, overlap } = spec;
  if (schedule === null) return undefined;
  const lastExit = lastExitOf(app);
  return withoutNulls({
    schedule,
    timezone,
    overlap,
    nextRunAt: timetable?.nextRunAt,
    skipped: timetable?.skipped ?? 0,
    lastRun: lastExit && runOf(lastExit, spec),
  });
}

/** @param {PastExit} exit @param {SeenApp['spec']} spec */
function runOf(exit, spec) {
  const { at, uptimeMs: durationMs, code, signal, reason } = exit;
  return { at, durationMs, ok: isExpectedExit(spec, exit), code, signal, reason };
}

/** @param {Event} event @param {Spec} spec @returns {Event | null} null: it says nothing more */
function jobEvent(event, spec) {
  if (event.type === 'worker.errored') return null;
  if (event.type !== 'worker.exited') return runEvent(event);
  const reason = { ...event.reason, final: undefined };
  return { ...event, type: 'job.ended', ok: isExpectedExit(spec, event), reason };
}

/** Of the command that begins a run. @param {any} event @returns {Event | null} */
function runEvent(event) {
  const { type, at, app, namespace, failed: [failure] = [] } = event;
  if (type === 'run.begun') return { ...event, type: 'job.started' };
  if (type !== 'run.ended') return event;
  // Otherwise its primary reports how it ends; it goes on after the command.
  if (failure?.slot !== null) return null;
  const how = { ok: false, code: null, signal: null, reason: failure.reason, durationMs: 0 };
  return { type: 'job.ended', at, app, namespace, ...how };
}

/** The runs of a job at its times. Those at which no daemon was there are not made up for. */
class Timetable {
  skipped = 0;
  /** Another run begins when this one has ended. */
  #isQueued = false;
  /** A run of the schedule waits for its turn, or for the end of the last one. */
  #isBeginning = false;
  #door;
  #app;
  #times;
  #onState = () => this.#runQueued();

  /** @param {Door} door @param {SeenApp} app */
  constructor(door, app) {
    const { schedule, timezone } = app.spec;
    this.#door = door;
    this.#app = app;
    // It may throw, and must not leave a listener then.
    this.#times = startTimes(String(schedule), timezone, () => this.#onDue());
    app.on('state', this.#onState);
    const next = this.#times.next?.toISOString();
    door.log.info('job.set', { app: app.name, schedule, next });
  }

  end() {
    this.#times.end();
    this.#app.off('state', this.#onState);
    this.#isQueued = false;
  }

  /** @returns {number | null} null: it has no further time */
  get nextRunAt() {
    return this.#times.next?.getTime() ?? null;
  }

  #onDue() {
    const { overlap } = this.#app.spec;
    const mayBegin = overlap === 'replace' || !isRunning(this.#app);
    if (mayBegin && !this.#isBeginning) return void this.#run();
    if (overlap === 'queue' && !this.#isQueued) {
      this.#isQueued = true;
      return;
    }
    this.skipped += 1;
    const running = overlap === 'replace' ? 'beginning' : 'running';
    /** @type {Reason} */
    const reason = { kind: 'skipped', other: this.#isQueued ? 'waiting' : running };
    this.#door.log.warn('job.skipped', { app: this.#app.name, reason: reasonText(reason) });
    this.#door.publish(this.#app, { type: 'job.skipped', reason });
  }

  #runQueued() {
    if (!this.#isQueued || this.#isBeginning || isRunning(this.#app)) return;
    this.#isQueued = false;
    void this.#run();
  }

  async #run() {
    this.#isBeginning = true;
    try {
      await this.#door.run(this.#app, 'schedule');
    } catch (thrown) {
      this.#door.log.error('job.refused', { app: this.#app.name, reason: String(thrown) });
    } finally {
      this.#isBeginning = false;
    }
    this.#runQueued();
  }
}

const POLL_MS = 50;
const LINES_MS = 500;
/** @type {Omit<SlotFailure, 'slot'>} */
const STOPPED = { reason: { kind: 'stopped' }, lastLines: [] };

/** @param {SeenApp} app @returns {boolean} whether a run has not ended, or is about to begin */
function isRunning(app) {
  return app.queue.current === 'run' || pidOf(app) !== null;
}

/** Again when it has its turn: commands before it may have changed that. @param {SeenApp} app */
function refuseRun(app) {
  if (!isJob(app)) throw new NodeclusterError('E_NOT_A_JOB', { app: app.name });
  if (app.stopped) throw new NodeclusterError('E_JOB_STOPPED', { app: app.name });
}

/** @type {Handler<'run-now', Door>} */
async function runNow(door, { selectors, untilEnd = true }, client) {
  const apps = door.targets(selectors).map(({ app }) => app);
  for (const app of apps) {
    refuseRun(app);
    if (app.spec.overlap !== 'replace' && isRunning(app))
      throw new NodeclusterError('E_JOB_RUNS', { app: app.name });
  }
  const runs = apps.map(async (app) => {
    const before = lastExitOf(app);
    const begun = await door.run(app, client);
    if (untilEnd) return untilEnded(app, begun, before);
    return begun.ok ? { ...begun, accepted: /** @type {const} */ (true) } : begun;
  });
  return { apps: await Promise.all(runs) };
}

/** @param {SeenApp} app @param {AppOutcome} begun @param {PastExit | null} before the last exit before it began */
async function untilEnded(app, begun, before) {
  if (!begun.ok) return begun;
  const pid = pidOf(app);
  await poll(() => pid === null || pidOf(app) !== pid, { timeoutMs: Infinity, everyMs: POLL_MS });
  const last = lastExitOf(app);
  // A run that was stopped, or lost with its primary, is not among the exits.
  if (last === null || last.at === before?.at) {
    return pid === null ? begun : failedRun(app, begun, STOPPED);
  }
  const ended = { ...begun, durationMs: last.uptimeMs };
  if (isExpectedExit(app.spec, last)) return ended;
  const lines = () => lastExitOf(app)?.lastLines.length;
  await poll(lines, { timeoutMs: LINES_MS, everyMs: POLL_MS });
  return failedRun(app, ended, lastExitOf(app) ?? last);
}

/** @param {SeenApp} app @param {AppOutcome} outcome @param {Omit<SlotFailure, 'slot'>} exit */
function failedRun({ ids, slots: [slot] }, outcome, { reason, cause, lastLines }) {
  const failure = { id: ids[slot] ?? null, slot, reason, cause, lastLines };
  return { ...outcome, ok: false, done: [], failed: [failure] };
}

/** @param {SeenApp} app @returns {number | null} of the run in progress */
function pidOf({ link }) {
  return link.state === 'none' ? null : (link.snapshot?.slots[0]?.pid ?? null);
}

/** @param {SeenApp} app */
function lastExitOf({ link }) {
  return link.snapshot?.slots[0]?.lastExit ?? null;
}
