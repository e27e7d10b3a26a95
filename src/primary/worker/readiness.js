/** Watches a starting worker until it is online or has failed. */
import { isDeepStrictEqual } from 'node:util';
import { CHECK_GAP_MS } from '../../lifecycle/hang-policy.js';
import { replacedBy } from '../../lifecycle/listening.js';
import { firstUptimeMs, judgeReadiness, startClockMs } from '../../lifecycle/readiness.js';
import { activityOf, cpuWaitOf } from '../../shared/processes/activity.js';
import { within } from '../../shared/deadline.js';
import { channelTo } from './channel.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { ServerSign } from '../../lifecycle/readiness.js'
 * @import { Lateness } from '../../protocol/shapes.js'
 * @import { WorkerHandle } from './handle.js'
 */

/** @type {ServerSign[]} */
const SIGNS = ['server', 'busy', 'none'];
/** Within this time, an event loop turns that is not blocked. */
const REPLY_MS = 1000;

export class ReadinessWatch {
  /** What the worker should have done by now. @type {Lateness | null} */
  late = null;
  /** Whether it need only stay up to prove what it runs, and gets no connections until then. @type {boolean | undefined} */
  isProving;
  /** Whether its program looks like a server. @type {ServerSign | null} */
  sign;
  /** @type {number | null} */
  #readyAtMs = null;
  /** @type {number | null} */
  #loadedAtMs = null;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #isOver = false;
  #isAsking = false;
  #lookedMs = performance.now();
  /** How long the primary, and perhaps the worker, did not run (SIGSTOP, a frozen machine). */
  #standstillMs = 0;

  /** @param {WorkerHandle} worker */
  constructor(worker) {
    this.worker = worker;
    this.sign = worker.launch.listens === false ? 'silent' : null;
  }

  /** Whether it was online and has stayed up for `min_uptime`. */
  get hasStayedUp() {
    const { launch, onlineAtMs } = this.worker;
    return onlineAtMs !== null && (this.#upMs ?? 0) >= launch.spec.minUptimeMs;
  }

  /** How long it must still stay up before a command calls it started. @returns {number} ms */
  get restMs() {
    return Math.max(0, Math.ceil(firstUptimeMs(this.worker.launch.spec) - (this.#upMs ?? 0)));
  }

  /** Whether its program is still being loaded, which needs the CPU that others wait for. */
  get isBooting() {
    return this.#loadedAtMs === null && this.late === null && !this.#isOver;
  }

  /** By which its start is judged. @returns {number} ms */
  get #clockMs() {
    const { child, uptimeMs, launch } = this.worker;
    const ranMs = uptimeMs - this.#standstillMs;
    const isDue = ranMs >= launch.spec.listenTimeoutMs;
    return isDue && child?.pid ? startClockMs(ranMs, cpuWaitOf(child.pid)) : ranMs;
  }

  /** Since its program was loaded, listened or said that it is ready, whichever came last. */
  get #upMs() {
    const { listenedAtMs } = this.worker;
    const times = [this.#loadedAtMs, listenedAtMs, this.#readyAtMs];
    return this.#loadedAtMs === null ? null : performance.now() - Math.max(...times.map(Number));
  }

  /** Unless another one has proven what it runs; of those on trial each one must. */
  get #mustStayUp() {
    const { mustStayUp, launch } = this.worker;
    return mustStayUp && !(launch.isProven && launch.trials === 0);
  }

  loaded() {
    this.#loadedAtMs = performance.now();
    this.worker.emit('change');
    this.look();
  }

  /** Its event loop turns. A report that it is loaded would have come before, and was lost. */
  turned() {
    if (this.#loadedAtMs === null && !this.#isAsking) this.loaded();
  }

  saidReady() {
    this.#readyAtMs ??= performance.now();
    this.worker.emit('change');
    this.look();
  }

  /** Judges the worker again. Call it after every change. */
  look() {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    this.#lookedMs = performance.now();
    const readiness = judgeReadiness(this.#candidate());
    if (readiness.verdict === 'wait') return this.#wait(readiness);
    if (readiness.verdict === 'ask for the sign') return void this.#askForSign();
    this.end();
    if (readiness.verdict === 'failed') return this.worker.end({ reason: readiness.reason });
    const { launch, mustStayUp, listening } = this.worker;
    launch.isProven ||= mustStayUp;
    // The next one is not waited for.
    if (listening.size === 0) launch.listens ??= false;
    this.worker.becomeOnline();
    if (mustStayUp) this.worker.emit('proven');
  }

  end() {
    this.#isOver = true;
    this.late = null;
    clearTimeout(this.#timer);
  }

  async #askForSign() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const { agent, child, launch } = this.worker;
    const channel = channelTo(/** @type {ChildProcess} */ (child));
    /** @type {Promise<ServerSign>} 'unknown': no agent */
    const reply = channel
      .askOnce('server-sign')
      .then((answer) => SIGNS.find((each) => each === answer?.sign) ?? 'unknown');
    this.sign = await within(reply, agent ? REPLY_MS : launch.spec.listenTimeoutMs);
    if (this.sign === null && agent) {
      // The event loop turns once before an ES module runs, which may then block it.
      this.#loadedAtMs = null;
      this.look();
      this.sign = await reply;
      this.#loadedAtMs = performance.now();
    }
    this.sign ??= 'unknown';
    this.#isAsking = false;
    this.look();
  }

  /** @param {{ms: number | null, late?: Lateness, isUp?: boolean}} readiness */
  #wait({ ms, late, isUp = false }) {
    const { launch, listening, child } = this.worker;
    // Datagrams are not withheld.
    const isWithheld = listening.size > 0 && child && !channelTo(child).cluster.hasUdp;
    this.isProving = isUp && isWithheld && launch.trials === 0;
    const isNew = late !== undefined && !isDeepStrictEqual(late, this.late);
    this.late = late ?? null;
    if (isNew) this.worker.emit('change');
    if (ms === null) return;
    const dueMs = performance.now() + ms;
    this.#timer = setTimeout(() => {
      // After a standstill, messages that the worker sent meanwhile have not been read yet.
      const nowMs = performance.now();
      if (nowMs - dueMs >= CHECK_GAP_MS) this.#standstillMs += nowMs - this.#lookedMs;
      // It may have made a server since.
      if (this.sign === 'none' || this.sign === 'busy') this.sign = null;
      this.look();
    }, ms + 1);
  }

  #candidate() {
    const { launch, replaces, listening, fault, parts, child, agent } = this.worker;
    const { addresses } = listening;
    const unclear = agent ? listening.below.map(({ address }) => address) : addresses;
    const uptimeMs = this.#clockMs;
    const isDue = uptimeMs >= launch.spec.listenTimeoutMs;
    const places = Array.isArray(this.worker.expected) ? this.worker.expected : [];
    return {
      ...launch.spec,
      // Without an agent, nobody knows who opened a port and why: it is waited for, but one of them is enough.
      expected: isDue && !agent && places.length > 0 ? 'any' : this.worker.expected,
      replaces,
      mustStayUp: this.#mustStayUp,
      check: parts.firstCheck(),
      uptimeMs,
      isStopped: isDue && child?.pid !== undefined && (activityOf(child.pid)?.isStopped ?? false),
      sign: this.sign,
      saidReady: this.#readyAtMs !== null,
      listening: [...addresses, ...replacedBy(places, unclear)],
      fault,
      loadedMs: this.#loadedAtMs === null ? null : performance.now() - this.#loadedAtMs,
      upMs: this.#upMs,
    };
  }
}
