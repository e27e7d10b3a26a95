/**
 * A reload that is judged by its first workers: they serve beside the old ones, and what both answer
 * is compared once a second. The decision is made in decide.js; the reload carries it out.
 */
import { describeHang } from '../../lifecycle/hang-policy.js';
import { LATENCY_BOUNDS_MS } from '../../shared/latency.js';
import { epochMs, machineMs } from '../../shared/monotonic.js';
import { formatDuration } from '../../shared/units.js';
import { describeFigures, figuresOf, judgeCanary, warmUpMs } from './decide.js';

/**
 * @import { App } from '../../primary/pool/app.js'
 * @import { Launch } from '../../primary/pool/launch.js'
 * @import { WorkerHandle } from '../../primary/worker/handle.js'
 * @import { MakeFeature } from '../../primary/features.js'
 * @import { SlotFailure } from '../../protocol/shapes.js'
 * @import { Canary, CanaryOrder } from './record.js'
 * @import { Answers } from './decide.js'
 */

const LOOK_EVERY_MS = 1000;
/** The workers stop measuring soon after the last look, whatever becomes of this process. */
const LEASE_MS = 10_000;
/** How often the command says how it goes. */
const REPORTS = 4;

/** @type {MakeFeature} */
export function canary(app) {
  /** Of the last reload that had one. @type {Trial | null} */
  let trial = null;
  return {
    trial(launch, { canary: rule }, slots) {
      const before = trial;
      trial = rule ? new Trial(app, launch, rule, slots) : null;
      if (trial && before) trial.isTakenBack = before.isTakenBack;
      return trial;
    },
    snapshot: () => ({
      canary: trial?.isUndecided ? trial.state : null,
      canaryTakenBack: trial?.isTakenBack ?? false,
    }),
    methods: {
      'end-trial': () => {
        trial?.interrupt();
        return null;
      },
    },
  };
}

class Trial {
  /** Until it is decided, that of the reload before. */
  isTakenBack = false;
  #app;
  #launch;
  #slots;
  #rule;
  /** @type {(failure: SlotFailure) => void} */
  #onFailed = () => {};
  #canary = new Tally(true);
  #old = new Tally(false);
  /** When all canaries were online. @type {number | null} */
  #sinceMs = null;
  /** The longest of old workers so far. */
  #oldWaitMs = 0;
  #isWarm = false;
  /** Why there are fewer canaries than the order says. */
  #note = '';
  #reports = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /**
   * @param {App} app
   * @param {Launch} launch of the canaries
   * @param {CanaryOrder} rule
   * @param {number} slots that the reload replaces
   */
  constructor(app, launch, rule, slots) {
    this.#app = app;
    this.#launch = launch;
    this.#slots = slots;
    this.#rule = { ...rule, instances: Math.min(rule.instances, slots) };
    if (rule.instances > slots) this.#note = `; there are no more than ${slots} to replace`;
  }

  /** Whether no slot may be replaced yet. */
  get isUndecided() {
    return this.#launch.isOnTrial;
  }

  /** @param {(failure: SlotFailure) => void} onFailed */
  begin(onFailed) {
    this.#onFailed = onFailed;
    this.#launch.isOnTrial = true;
    this.#app.pool.maxUnproven = this.#rule.instances;
    this.#look();
  }

  /** The reload has failed. */
  end() {
    if (!this.isUndecided) return;
    this.isTakenBack = true;
    this.#settle();
  }

  /** The others may follow, or nothing runs it any more. */
  #pass() {
    this.isTakenBack = false;
    this.#settle();
  }

  #settle() {
    clearTimeout(this.#timer);
    this.#launch.isOnTrial = false;
    this.#app.pool.maxUnproven = 1;
    this.#app.pool.changed();
  }

  /** @returns {Canary} */
  get state() {
    const { forMs, max5xx, maxP99 } = this.#rule;
    return {
      slots: this.#canaries.map(({ slot }) => slot),
      since: this.#sinceMs === null ? undefined : epochMs(machineMs(this.#sinceMs)),
      forMs,
      max5xx,
      maxP99,
      canary: figuresOf(this.#canary.total),
      old: figuresOf(this.#old.total),
    };
  }

  /** @returns {WorkerHandle[]} that are online */
  get #canaries() {
    return this.#online.filter(({ launch }) => launch === this.#launch);
  }

  get #oldWorkers() {
    return this.#online.filter(({ launch }) => launch !== this.#launch);
  }

  get #online() {
    return [...this.#app.pool.workers.values()].filter(({ status }) => status === 'online');
  }

  /** Slots to be replaced whose program has not done its work and exited, as it did before the reload. */
  get #left() {
    const ended = this.#app.pool
      .slotsOf()
      .filter(({ launch, blocked }) => launch === this.#launch && blocked === 'exited');
    return this.#slots - ended.length;
  }

  get #judgedMs() {
    return this.#sinceMs === null ? 0 : Math.round(performance.now() - this.#sinceMs);
  }

  async #look() {
    const begunMs = performance.now();
    await this.#app.telemetry.request({ leaseMs: LEASE_MS });
    if (!this.isUndecided) return;
    if (this.#left === 0) return this.#pass();
    this.#count();
    if (this.#sinceMs !== null) this.#judge();
    if (!this.isUndecided) return;
    this.#app.pool.changed();
    const restMs = Math.max(0, LOOK_EVERY_MS - (performance.now() - begunMs));
    this.#timer = setTimeout(() => this.#look(), restMs);
  }

  #count() {
    for (const worker of this.#app.pool.workers.values()) {
      const tally = worker.launch === this.#launch ? this.#canary : this.#old;
      tally.add(worker);
    }
    const desired = Math.min(this.#rule.instances, this.#left);
    if (this.#sinceMs === null && this.#canaries.length >= desired) {
      this.#sinceMs = performance.now();
      const time = formatDuration(this.#rule.forMs);
      this.#report('judging', `for ${time}, beside ${this.#oldWorkers.length} old${this.#note}`);
    }
    if (this.#isWarm || this.#judgedMs < warmUpMs(this.#rule)) return;
    this.#isWarm = true;
    this.#canary.forgetLatencies();
    this.#old.forgetLatencies();
  }

  #judge() {
    const facts = {
      judgedMs: this.#judgedMs,
      canary: this.#canary.total,
      old: this.#old.total,
      oldWorkers: this.#oldWorkers.length,
      waitMs: this.#waitMs,
      trouble: this.#trouble,
    };
    const judged = judgeCanary(facts, this.#rule);
    if (judged.verdict === 'wait') return this.#reportProgress();
    if (judged.verdict === 'passed') {
      const note = judged.note === null ? '' : `; ${judged.note}`;
      this.#report('judged', `it may replace the others: ${describeFigures(this.state)}${note}`);
      this.#launch.isProven = true;
      return this.#pass();
    }
    this.#takeBack(`it ${judged.reason}`);
  }

  /** Another command waits, which need not wait for the end of the time. */
  interrupt() {
    if (this.isUndecided) this.#takeBack('another command was given');
  }

  /** @param {string} why */
  #takeBack(why) {
    this.#report('judged', `it is taken back: ${describeFigures(this.state)}`);
    const [canary] = this.#canaries;
    const slots = this.#app.pool.slotsOf();
    const slot = canary?.slot ?? slots.find(({ isOnTrial }) => isOnTrial)?.number ?? null;
    const reason = `judged for ${formatDuration(this.#judgedMs)} and taken back: ${why}`;
    const lastLines = canary?.output.linesSoFar ?? [];
    this.#onFailed({ slot, reason, lastLines });
  }

  get #waitMs() {
    const longest = (/** @type {WorkerHandle[]} */ workers) =>
      Math.max(0, ...workers.map(({ agent }) => agent?.load?.oldestMs ?? 0));
    this.#oldWaitMs = Math.max(this.#oldWaitMs, longest(this.#oldWorkers));
    return { canary: longest(this.#canaries), old: this.#oldWaitMs };
  }

  /** What is wrong with a canary while an old worker is well, in words that follow 'it'. */
  get #trouble() {
    const old = this.#oldWorkers;
    const sick = this.#canaries.find(({ isReady }) => !isReady);
    if (!sick || (old.length > 0 && !old.some(({ isReady }) => isReady))) return null;
    const { pulse, parts } = sick;
    if (pulse.blockedSinceMs === null) return parts.trouble ?? 'gets no traffic';
    return `hangs: ${describeHang(performance.now() - pulse.blockedSinceMs)}`;
  }

  #reportProgress() {
    const part = Math.floor((REPORTS * this.#judgedMs) / this.#rule.forMs);
    if (part <= this.#reports) return;
    this.#reports = part;
    const time = `${formatDuration(this.#judgedMs)} of ${formatDuration(this.#rule.forMs)}`;
    this.#report('judging', `${time}: ${describeFigures(this.state)}`);
  }

  /** @param {'judging' | 'judged'} kind @param {string} reason */
  #report(kind, reason) {
    for (const { slot, pid, generation } of this.#canaries) {
      this.#app.pool.emit('progress', { kind, slot, pid, generation, reason });
    }
  }
}

/** @type {Answers} */
const NOTHING = {
  begun: 0,
  requests: 0,
  errors: 0,
  latency: LATENCY_BOUNDS_MS.map(() => 0).concat(0),
};

/** Adds up what workers have answered since a moment, from the reports of their agents. */
class Tally {
  /**
   * Also those that have exited. since: when it was first seen; its latencies, since the end of the warm-up.
   * @type {Map<WorkerHandle, Record<'since' | 'now', Answers>>}
   */
  #workers = new Map();
  #isNew;

  /** @param {boolean} isNew whether all that the workers have answered since they started counts */
  constructor(isNew) {
    this.#isNew = isNew;
  }

  /** @param {WorkerHandle} worker */
  add(worker) {
    const now = answersIn(worker.agent?.report);
    if (now === null) return;
    const known = this.#workers.get(worker);
    if (known) known.now = now;
    else this.#workers.set(worker, { since: this.#isNew ? NOTHING : now, now });
  }

  /** Latencies count from now on. */
  forgetLatencies() {
    for (const worker of this.#workers.values()) {
      worker.since = { ...worker.since, latency: worker.now.latency };
    }
  }

  /** @returns {Answers} of all of them */
  get total() {
    const all = [...this.#workers.values()];
    const sum = (/** @type {'begun' | 'requests' | 'errors'} */ key) =>
      all.reduce((total, { now, since }) => total + now[key] - since[key], 0);
    const latency = NOTHING.latency.map((_, index) =>
      all.reduce((total, { now, since }) => total + now.latency[index] - since.latency[index], 0),
    );
    return { begun: sum('begun'), requests: sum('requests'), errors: sum('errors'), latency };
  }
}

/**
 * Programs can forge a report.
 * @param {any} report
 * @returns {Answers | null} null: there is none
 */
function answersIn(report) {
  const counts = report?.latency?.counts;
  if (!Array.isArray(counts) || counts.length !== NOTHING.latency.length) return null;
  const { requests, errors, begun } = report;
  const all = [requests, errors, begun, ...counts];
  if (!all.every((count) => Number.isFinite(count) && count >= 0)) return null;
  return { begun, requests, errors, latency: counts };
}
