/**
 * The time of the simulation. It replaces the timers and the clocks of this process, so that the real
 * code runs on it, and carries out what is due one by one, in the order of the simulated time. Import
 * it before the code that is simulated.
 *
 * Every timer belongs to the simulated process that was running when it was set: one that is killed
 * takes its timers along, and one that is frozen gets them late.
 */
import { createHash } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
// Bundled before anything is replaced.
import './modules.js';

const START_MS = 1_000_000;
const EPOCH_MS = 1_800_000_000_000;
/** What each event takes. */
const EVENT_MS = 0.01;
/** As node:timers. */
const MAX_DELAY_MS = 2 ** 31 - 1;
/** As node:process names it. */
const REAL_WORK = /^(FS|Get|Process|Zlib)/i;
/** What is outside of all simulated processes. */
const WORLD = { pid: 0, isDead: false, frozenUntilMs: 0 };

const nextTurn = setImmediate;
const RealDate = Date;

class Timer {
  isRef = true;
  isOver = false;
  everyMs = null;

  constructor(atMs, order, owner, run) {
    this.atMs = atMs;
    this.order = order;
    this.owner = owner;
    this.run = run;
  }

  ref() {
    this.isRef = true;
    return this;
  }

  unref() {
    this.isRef = false;
    return this;
  }

  hasRef() {
    return this.isRef;
  }
}

class Clock {
  nowMs = START_MS;
  /** Of everything that has happened. */
  #trace = createHash('sha256');
  /** By how much the wall clock was set. */
  wallOffsetMs = 0;
  /** The process that runs now. */
  owner = WORLD;
  /** The next one is the last. */
  #timers = [];
  #immediates = [];
  #order = 0;
  /** What no code caught. */
  failure = null;

  reset() {
    this.nowMs = START_MS;
    this.wallOffsetMs = 0;
    this.owner = WORLD;
    this.#timers = [];
    this.#immediates = [];
    this.#order = 0;
    this.failure = null;
    this.#trace = createHash('sha256');
  }

  after(run, ms, owner = this.owner) {
    const delayMs = ms >= 1 && ms <= MAX_DELAY_MS ? Math.trunc(ms) : 1;
    // libuv counts in whole milliseconds, so a timer may fire that much earlier.
    const timer = new Timer(Math.floor(this.nowMs) + delayMs, this.#order++, owner, run);
    this.#push(timer);
    return timer;
  }

  /** @param ms of simulated time, also less than 1 */
  deliver(run, ms, owner) {
    const timer = new Timer(this.nowMs + ms, this.#order++, owner, run);
    this.#push(timer);
    return timer;
  }

  soon(run) {
    const timer = new Timer(this.nowMs, this.#order++, this.owner, run);
    this.#immediates.push(timer);
    return timer;
  }

  every(run, ms) {
    const timer = this.after(run, ms);
    timer.everyMs = Math.max(1, ms);
    return timer;
  }

  cancel(timer) {
    if (timer instanceof Timer) timer.isOver = true;
  }

  /** The code that runs now takes so long. */
  spend(ms) {
    this.nowMs += ms;
  }

  /** As SIGSTOP and a later SIGCONT: what happens to it meanwhile, it notices then. */
  freeze(owner, ms) {
    owner.frozenUntilMs = Math.max(owner.frozenUntilMs, this.nowMs + ms);
  }

  as(owner, run) {
    const before = this.owner;
    this.owner = owner;
    try {
      return run();
    } finally {
      this.owner = before;
    }
  }

  async step() {
    const timer = this.#immediates.shift() ?? this.#timers.pop();
    if (!timer) return false;
    const { owner } = timer;
    if (timer.isOver || owner.isDead) return true;
    if (owner.frozenUntilMs > Math.max(this.nowMs, timer.atMs)) {
      timer.atMs = owner.frozenUntilMs;
      this.#push(timer);
      return true;
    }
    this.nowMs = Math.max(this.nowMs, timer.atMs) + EVENT_MS;
    if (timer.everyMs === null) timer.isOver = true;
    else {
      timer.atMs = this.nowMs + timer.everyMs;
      timer.order = this.#order++;
      this.#push(timer);
    }
    this.owner = owner;
    this.record(`${timer.order} ${this.nowMs} ${owner.pid}`);
    timer.run();
    await new Promise(nextTurn);
    this.owner = WORLD;
    const real = process.getActiveResourcesInfo().find((each) => REAL_WORK.test(each));
    if (real) throw new Error(`${real} is real, and ends whenever it likes`);
    if (this.failure !== null) throw this.failure;
    return true;
  }

  /** Whatever is recorded must be the same in every run of a seed. */
  record(text) {
    this.#trace.update(`${text}\n`);
  }

  get trace() {
    return this.#trace.copy().digest('hex');
  }

  #push(timer) {
    let [from, to] = [0, this.#timers.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (isEarlier(timer, this.#timers[middle])) from = middle + 1;
      else to = middle;
    }
    this.#timers.splice(from, 0, timer);
  }
}

function isEarlier(one, other) {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}

export const clock = new Clock();

export async function later(work, ms) {
  await new Promise((resolve) => clock.deliver(resolve, ms, clock.owner));
  return work();
}

function timerFunction(set) {
  return (callback, ms = 1, ...args) => set(() => callback(...args), Number(ms));
}

const faked = {
  setTimeout: timerFunction((run, ms) => clock.after(run, ms)),
  setInterval: timerFunction((run, ms) => clock.every(run, ms)),
  setImmediate: (callback, ...args) => clock.soon(() => callback(...args)),
  clearTimeout: (timer) => clock.cancel(timer),
  clearInterval: (timer) => clock.cancel(timer),
  clearImmediate: (timer) => clock.cancel(timer),
};
Object.assign(globalThis, faked);
Object.assign(timers, faked);
Object.assign(timersPromises, {
  setTimeout: (ms, value) => new Promise((resolve) => clock.after(() => resolve(value), ms)),
  setImmediate: (value) => new Promise((resolve) => clock.soon(() => resolve(value))),
});
syncBuiltinESMExports();

performance.now = () => clock.nowMs;
process.uptime = () => clock.nowMs / 1000;
const hrtime = () => [Math.floor(clock.nowMs / 1000), Math.floor((clock.nowMs % 1000) * 1e6)];
process.hrtime = Object.assign(hrtime, {
  bigint: () => BigInt(Math.floor(clock.nowMs * 1000)) * 1000n,
});
const epochMs = () => Math.floor(EPOCH_MS + clock.nowMs + clock.wallOffsetMs);
globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [epochMs()] : args));
  }

  static now() {
    return epochMs();
  }
};
Object.defineProperty(process, 'pid', { get: () => clock.owner.pid });
Object.defineProperty(process, 'title', { get: () => 'node', set: () => {} });
process.on('unhandledRejection', (error) => (clock.failure ??= error ?? new Error('rejected')));
process.on('uncaughtException', (error) => (clock.failure ??= error));
