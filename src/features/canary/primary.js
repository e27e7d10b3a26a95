/** A reload whose first workers, the canaries, are judged once a second by decide.js; the reload carries it out. */
import { LATENCY_BOUNDS_MS } from '../../shared/latency.js';
import { epochMs, machineMs } from '../../shared/monotonic.js';
import { requestTelemetry } from '../../primary/worker/agent-link.js';
import { figuresOf, judgeCanary, warmUpMs } from './decide.js';

/**
 * @import { Fact, Reason, SlotFailure } from '../../protocol/shapes.js'
 * @import { App } from '../../primary/pool/app.js'
 * @import { Launch } from '../../primary/pool/launch.js'
 * @import { WorkerHandle } from '../../primary/worker/handle.js'
 * @import { Guard, MakeFeature } from '../../primary/features.js'
 * @import { Fail, ReloadParams } from '../../primary/pool/reload.js'
 * @import { CanaryOrder, CanaryStep } from './record.js'
 */

const LOOK_EVERY_MS = 1000;
/** The workers stop measuring soon after the last look, whatever becomes of this process. */
const LEASE_MS = 10_000;
const HANG = /** @type {const} */ ('hang');
/** @type {SlotFailure} */
const NOT_JUDGED = { slot: null, reason: { kind: 'unjudged', takenBack: true }, lastLines: [] };

/** @type {MakeFeature} */
export function canary(app, _directory, guard) {
  /** Of the last reload. @type {Trial | null} */
  let trial = null;
  /** @param {Launch} launch @param {ReloadParams} params @param {Fail} fail */
  const begin = (launch, { canary: rule }, fail) => {
    trial = rule ? new Trial(app, launch, rule, fail, guard) : null;
  };
  app.pool.on('reload', guard(begin));
  return {
    snapshot: () => (trial?.isUndecided ? { canary: trial.state } : {}),
    methods: {
      'end-trial': () => {
        if (trial?.isUndecided) trial.takeBack({ kind: 'superseded' });
        return null;
      },
    },
  };
}

class Trial {
  #app;
  #launch;
  #rule;
  /** What each worker has counted, also one that has exited; `since`: what does not count. @type {Map<WorkerHandle, {since: number[], now: number[]}>} */
  #counts = new Map();
  /** When all canaries were online. @type {number | null} */
  #sinceMs = null;
  #isWarm = false;
  #fail;
  #look;

  /** @param {App} app @param {Launch} launch @param {CanaryOrder} rule @param {Fail} fail @param {Guard} guard */
  constructor(app, launch, rule, fail, guard) {
    this.#app = app;
    this.#launch = launch;
    this.#rule = rule;
    this.#fail = fail;
    launch.trials = rule.instances;
    this.#look = guard(
      () => this.#judgeNow(),
      async () => void (this.isUndecided && fail(NOT_JUDGED)),
    );
    void this.#look();
  }

  get isUndecided() {
    return this.#launch.trials > 0;
  }

  #end() {
    this.#launch.trials = 0;
    this.#app.pool.changed();
  }

  get state() {
    return {
      slots: this.#online(true).map(({ slot }) => slot),
      since: this.#sinceMs === null ? undefined : epochMs(machineMs(this.#sinceMs)),
      forMs: this.#rule.forMs,
      canary: figuresOf(this.#side(true)),
      old: figuresOf(this.#side(false)),
    };
  }

  async #judgeNow() {
    const { pool } = this.#app;
    await requestTelemetry(pool, { leaseMs: LEASE_MS });
    if (!this.isUndecided) return;
    const left = pool.slotsOf().filter(({ trials }) => trials > 0).length;
    // The programs of all slots have done their work and exited, as before the reload.
    if (left === 0) return this.#end();
    this.#count();
    const { forMs, instances } = this.#rule;
    if (this.#sinceMs === null && this.#online(true).length >= Math.min(instances, left)) {
      this.#sinceMs = performance.now();
      this.#report('judging', { kind: 'judging', forMs, beside: this.#online(false).length });
    }
    if (this.#sinceMs !== null) this.#judge(performance.now() - this.#sinceMs);
    if (!this.isUndecided) return;
    pool.changed();
    setTimeout(this.#look, LOOK_EVERY_MS);
  }

  #count() {
    for (const worker of this.#app.pool.workers) {
      const now = countsIn(worker.agent?.report);
      if (now === null) continue;
      const since =
        this.#counts.get(worker)?.since ?? (worker.launch === this.#launch ? NOTHING : now);
      this.#counts.set(worker, { since, now });
    }
  }

  /** @param {number} judgedMs */
  #judge(judgedMs) {
    if (!this.#isWarm && judgedMs >= warmUpMs(this.#rule)) {
      this.#isWarm = true;
      for (const counts of this.#counts.values())
        counts.since = [...counts.since.slice(0, 3), ...counts.now.slice(3)];
    }
    const [canary, old] = [this.#side(true), this.#side(false)];
    const facts = { judgedMs, canary, old, trouble: this.#trouble };
    const judged = judgeCanary(facts, this.#rule);
    if (judged.verdict === 'failed') return this.takeBack(judged.why);
    if (judged.verdict === 'wait') return;
    this.#reportEnd(true, judged.isTimed);
    this.#end();
  }

  /** @param {boolean} mayFollow */
  #reportEnd(mayFollow, isTimed = true) {
    const { canary: own, old } = this.state;
    this.#report('judged', { kind: 'judged', mayFollow, isTimed, own, old });
  }

  /** @param {Fact} why */
  takeBack(why) {
    this.#reportEnd(false);
    const [canary] = this.#online(true);
    this.#fail({
      slot: canary?.slot ?? null,
      reason: { ...why, takenBack: true },
      lastLines: canary?.output.linesSoFar ?? [],
    });
    this.#app.pool.changed();
  }

  /** @param {boolean} areCanaries */
  #online(areCanaries) {
    const { online, serving } = this.#app.pool;
    const workers = areCanaries ? online : serving;
    return workers.filter(({ launch }) => (launch === this.#launch) === areCanaries);
  }

  /** @param {boolean} areCanaries */
  #side(areCanaries) {
    const total = [...this.#counts]
      .filter(([{ launch }]) => (launch === this.#launch) === areCanaries)
      .reduce((all, [, { since, now }]) => all.map((n, at) => n + now[at] - since[at]), NOTHING);
    const [begun, requests, errors, ...latency] = total;
    return { workers: this.#online(areCanaries).length, begun, requests, errors, latency };
  }

  /** What is wrong with a canary while an old worker is well. */
  get #trouble() {
    const [canaries, old] = [true, false].map((areCanaries) =>
      this.#online(areCanaries).map(({ pulse: { blockedSinceMs: since }, parts }) =>
        since === null ? parts.trouble() : { kind: HANG, ms: performance.now() - since },
      ),
    );
    if (old.length > 0 && !old.includes(null)) return null;
    return canaries.find((trouble) => trouble !== null) ?? null;
  }

  /** @param {CanaryStep} kind @param {Reason} reason */
  #report(kind, reason) {
    for (const { slot, pid, generation } of this.#online(true)) {
      this.#app.pool.emit('progress', { kind, slot, pid, generation, reason });
    }
  }
}

/** Requests begun, answered, and answered with 5xx; then how many took how long. */
const NOTHING = [0, 0, 0, ...LATENCY_BOUNDS_MS.map(() => 0), 0];

/** @param {any} report which a program can forge @returns {number[] | null} null: there is none */
function countsIn(report) {
  const { begun, requests, errors, latency } = report ?? {};
  const counts = [begun, requests, errors].concat(latency?.counts);
  const isRight =
    counts.length === NOTHING.length && counts.every((n) => Number.isFinite(n) && n >= 0);
  return isRight ? counts : null;
}
