/** Health checks of workers (`health`), and what becomes of those that fail. */
import path from 'node:path';
import { withoutNulls } from '../../shared/merge-patch.js';
import { epochMs, machineMs } from '../../shared/monotonic.js';
import { failsEverywhere, judgeHealth, NEW_HEALTH, afterCheck, nextCheckMs } from './decide.js';
import { CHECK_GAP_MS } from '../../lifecycle/hang-policy.js';
import { runCheck } from './primary-check.js';

/**
 * @import { Guard, MakeFeature } from '../../primary/features.js'
 * @import { WorkerPool } from '../../primary/pool/pool.js'
 * @import { Replacements } from '../../primary/pool/replacements.js'
 * @import { WorkerHandle } from '../../primary/worker/handle.js'
 * @import { Fact } from '../../protocol/shapes.js'
 * @import { Health } from './decide.js'
 * @import { CheckRule } from './record.js'
 */

/** @type {MakeFeature} */
export function health({ pool, replacements }, directory, guard) {
  /** @type {WeakMap<WorkerHandle, WorkerHealth>} */
  const healths = new WeakMap();
  let isEverywhere = false;
  const look = () => {
    // The settings may have changed.
    for (const worker of pool.workers) healths.get(worker)?.look();
    // The worker of each slot that serves, or else starts.
    const all = pool.slotsOf().flatMap(({ mainWorker: worker }) => {
      const isLive = worker?.status === 'online' || worker?.status === 'starting';
      const own = isLive && healths.get(worker);
      return own && own.rule ? [own] : [];
    });
    const slotCount = pool.coming.length;
    markDue(all, judgeHealth(all, slotCount), replacements);
    const known = all.map((own) => own.health);
    if (isEverywhere === failsEverywhere(known, slotCount)) return;
    isEverywhere = !isEverywhere;
    reportAll(pool, known, isEverywhere);
  };
  pool.on('change', guard(look));
  const socketFile = path.join(directory, 'health.sock');
  return {
    worker(worker) {
      const own = new WorkerHealth(worker, socketFile, guard);
      healths.set(worker, own);
      return {
        trouble: () => (own.health.status === 'unhealthy' ? own.fact : null),
        firstCheck: () => own.firstCheck,
        fields: () => ({ health: own.shown }),
      };
    },
    snapshot: () => ({ healthFailsEverywhere: isEverywhere }),
  };
}

/** @param {WorkerHealth[]} all @param {WorkerHealth[]} due to be replaced @param {Replacements} replacements */
function markDue(all, due, replacements) {
  for (const own of all) {
    const { worker } = own;
    if (due.includes(own)) {
      const { fact: reason } = own;
      // It has failed to start. It may have clients, if no other worker was healthy for some time.
      if (worker.status === 'starting') worker.end({ drain: { idle: 'close' }, reason });
      else own.isDue ||= replacements.markDue(worker, reason);
    } else if (own.isDue) {
      own.isDue = false;
      replacements.unmark(worker);
    }
  }
}

/** @param {WorkerPool} pool @param {Health[]} known @param {boolean} isEverywhere whether the check fails on every worker, since now */
function reportAll(pool, known, isEverywhere) {
  const text = known.find(({ status }) => status === 'unhealthy')?.reason ?? '';
  const reason = { kind: 'reported', text };
  if (isEverywhere) pool.emit('event', { type: 'app.unhealthy', reason });
  // Otherwise it has been stopped, or scaled to one worker.
  else if (known.some(({ status }) => status === 'healthy'))
    pool.emit('event', { type: 'app.healthy' });
}

/** Checks one worker regularly while it starts and serves. */
class WorkerHealth {
  health = NEW_HEALTH;
  isDue = false;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #ending = new AbortController();
  #listened = 0;

  /** @param {WorkerHandle} worker @param {string} socketFile @param {Guard} guard */
  constructor(worker, socketFile, guard) {
    this.worker = worker;
    this.socketFile = socketFile;
    this.checkNow = guard(() => this.#check());
    worker.once('exit', () => this.#end());
  }

  /** Null: the app has no `health`. It is read at each use, since settings may change. */
  get rule() {
    return this.worker.launch.spec.health ?? null;
  }

  /** What readiness depends on; null: the app has no `health`. */
  get firstCheck() {
    if (this.rule === null) return null;
    const { succeededMs, reason: failure } = this.health;
    return { hasPassed: succeededMs !== null, failure, startPeriodMs: this.rule.startPeriodMs };
  }

  /** @returns {Fact} */
  get fact() {
    const { failures, reason } = this.health;
    return { kind: 'check', failures, text: reason ?? '' };
  }

  get shown() {
    if (this.rule === null) return undefined;
    const { status, failures, reason, failingSinceMs } = this.health;
    const failingSince = failingSinceMs === null ? null : epochMs(machineMs(failingSinceMs));
    return withoutNulls({ status, failures, reason, failingSince });
  }

  /** Begins the checks if they are due. Call it after every change. */
  look() {
    const { status, listening } = this.worker;
    const listensMore = listening.size > this.#listened;
    this.#listened = listening.size;
    if (status === 'draining' || status === 'stopping') this.#end();
    else if (this.rule === null) this.#forget();
    else if (listensMore && this.health.succeededMs === null) this.#checkIn(0);
    else if (this.#timer === undefined) this.#checkIn(nextCheckMs(this.health, this.rule));
  }

  #end() {
    clearTimeout(this.#timer);
    this.#ending.abort();
  }

  #forget() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.health = NEW_HEALTH;
  }

  /** @param {number} ms */
  #checkIn(ms) {
    if (this.#ending.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.checkNow, ms);
  }

  async #check() {
    const { rule } = this;
    if (rule === null) return;
    const startedMs = performance.now();
    const { signal: ended } = this.#ending;
    const failure = await runCheck(this.worker, rule, ended, this.socketFile);
    if (ended.aborted || this.rule === null) return;
    const nowMs = performance.now();
    // The primary itself did not run (SIGSTOP, a frozen machine), so it cannot judge.
    const isLate = nowMs - startedMs >= rule.timeoutMs + CHECK_GAP_MS;
    const isHeld = startedMs <= this.worker.pulse.heldUntilMs;
    if (failure === null || (failure && !isLate && !isHeld)) this.#note(failure, nowMs, rule);
    this.#checkIn(nextCheckMs(this.health, rule));
  }

  /** @param {string | null} failure @param {number} nowMs @param {CheckRule} rule */
  #note(failure, nowMs, rule) {
    const { status: before } = this.health;
    const { uptimeMs } = this.worker;
    this.health = afterCheck(this.health, { failure, nowMs, uptimeMs }, rule);
    const { status } = this.health;
    if (before !== status && (before === 'unhealthy' || status === 'unhealthy')) {
      const reason = /** @type {const} */ ({ kind: 'reported', text: failure ?? '' });
      this.worker.reportEvent(`worker.${status}`, failure === null ? {} : { reason });
    }
    this.worker.noteCheck();
  }
}
