/** What must hold after each event, however the workers of a primary behave. */
import { waveSize } from '../../src/lifecycle/rolling-plan.js';
import { clock } from './clock.js';
import { machine } from './processes.js';

/** Events between the death of a process and the report of it, at most, unless the primary is frozen. */
const NOTICED_IN = 500;
/** Two waves, of as many workers as a simulated command replaces at a time at most, and those of removed slots. */
const MAX_SURPLUS = 8 + 6;

export class PrimaryInvariants {
  /** As they were after the event before. */
  #workers = new Map();
  #restarts = new Map();
  /** Those of which it is known what their workers listen on. */
  #online = new WeakSet();
  /** When workers of a slot started without a command. */
  #starts = new Map();
  #commanded = 0;
  /** How often each was seen dead, by pid. */
  #seenDead = new Map();

  constructor(world) {
    this.world = world;
  }

  check() {
    const { app, commanded } = this.world;
    for (const { slot: number, onlineAtMs } of app.pool.workers) {
      const slot = app.pool.slots.get(number);
      if (slot && onlineAtMs !== null) this.#online.add(slot);
    }
    if (commanded !== this.#commanded) this.#starts.clear();
    this.#checkProcesses();
    for (const slot of app.pool.slots.values()) this.#checkSlot(slot);
    const live = app.pool.workers.filter(isLive).length;
    if (live > app.pool.slots.size + MAX_SURPLUS) fail(`${live} workers run`);
    for (const worker of app.pool.workers) this.#checkWorker(worker);
    for (const worker of this.#workers.keys()) {
      if (!app.pool.workers.includes(worker)) this.#workers.delete(worker);
    }
    this.#commanded = commanded;
  }

  /** Each process is one that the pool knows, and the other way round. */
  #checkProcesses() {
    const { app, spec } = this.world;
    const known = new Set(app.pool.workers.map(({ pid }) => pid));
    const slots = new Set();
    for (const { pid, env } of this.world.workers) {
      if (!known.has(pid)) fail(`worker ${pid} runs, and the pool does not know it`);
      const slot = Number(env[spec.instanceVar]);
      if (this.#isAlone(slot) && slots.has(slot)) fail(`two workers of slot ${slot} run`);
      slots.add(slot);
    }
  }

  #isAlone(number) {
    const { app, spec, habits } = this.world;
    if (spec.execMode === 'fork') return true;
    const slot = app.pool.slots.get(number);
    return !habits.isServer && slot !== undefined && this.#online.has(slot);
  }

  #checkSlot(slot) {
    const { spec } = this.world;
    const current = slot.workers.filter(isLive).filter(({ launch }) => launch === slot.launch);
    if (current.length > 1) fail(`slot ${slot.number} has ${current.length} workers of one launch`);
    const { maxRestartDelayMs, restartDelayMs } = slot.launch.spec;
    const waitMs = slot.retryAtMs - clock.nowMs;
    if (waitMs > Math.max(maxRestartDelayMs, restartDelayMs, spec.maxRestartDelayMs) + 1) {
      fail(`slot ${slot.number} waits for ${waitMs} ms`);
    }
    const before = this.#restarts.get(slot) ?? 0;
    const wasReset = slot.restarts === 0 && this.world.commanded !== this.#commanded;
    if (slot.restarts < before && !wasReset)
      fail(`slot ${slot.number} counts fewer restarts than before`);
    this.#restarts.set(slot, slot.restarts);
  }

  #checkWorker(worker) {
    const seen = this.#workers.get(worker);
    if (!seen) this.#checkStart(worker);
    else if (seen.wasReady && worker.isRetired && !seen.isRetired) this.#checkRetirement(worker);
    this.#workers.set(worker, { isRetired: worker.isRetired, wasReady: worker.isReady });
    const { pid } = worker;
    if (
      pid === null ||
      machine.processes.has(pid) ||
      clock.nowMs < this.world.process.frozenUntilMs
    )
      return;
    const times = (this.#seenDead.get(pid) ?? 0) + 1;
    this.#seenDead.set(pid, times);
    if (worker.isReady && times > NOTICED_IN) fail(`worker ${pid} is dead and counts as ready`);
  }

  #checkStart(worker) {
    const { pool } = this.world.app;
    const slot = pool.slots.get(worker.slot);
    if (!slot || !slot.isDesired || pool.isEnding)
      return fail(`a worker of slot ${worker.slot} was started`);
    if (slot.isSpare && !this.world.habits.isServer)
      fail(`a spare of slot ${worker.slot} was started, of a program that listens on nothing`);
    const isCurrent = worker.launch === slot.launch && worker.failure === null;
    if (slot.blocked !== null && isCurrent) {
      fail(`slot ${slot.number} is ${slot.blocked} and was started`);
    }
    if (this.world.commands.size === 0 && worker.pid !== null)
      this.#countStart(slot, worker.launch.spec);
  }

  #countStart(slot, { maxRestarts, restartWindowMs, maxAgeMs, maxRequests, health }) {
    // Replacements are no restarts.
    if (maxAgeMs !== null || maxRequests !== null || health !== null) return;
    const starts = this.#starts.get(slot) ?? [];
    starts.push(clock.nowMs);
    this.#starts.set(slot, starts);
    const recent = starts.filter((atMs) => clock.nowMs - atMs < restartWindowMs);
    if (recent.length > maxRestarts + 2) {
      fail(`slot ${slot.number} was started ${recent.length} times`);
    }
  }

  #checkRetirement(worker) {
    const { pool } = this.world.app;
    const slot = pool.slots.get(worker.slot);
    if (!slot || !slot.isDesired || slot.blocked !== null || pool.isEnding) return;
    const next = slot.workers.find((other) => other !== worker && other.status === 'online');
    if (next) return;
    if (!slot.emptiesFirst)
      fail(`worker ${worker.pid} was retired, and no other one serves in its slot`);
    const desired = [...pool.slots.values()].filter(
      ({ view, isSpare }) => view.isDesired && !isSpare,
    );
    const isDown = (each) =>
      each.blocked === null && !each.workers.some(({ status }) => status === 'online');
    const down = desired.filter(isDown).length;
    const size = Math.max(
      waveSize(pool.maxSurge, desired.length),
      ...desired.map(({ trials }) => trials),
    );
    if (down > size) fail(`${down} slots are down, at most ${size} may be`);
  }
}

function isLive({ status }) {
  return status === 'starting' || status === 'online';
}

/** Whether a command said the truth. */
export function checkCommand({ app: { pool } }, { name, params }, outcome) {
  if (!outcome || !('minReady' in outcome)) return;
  if (outcome.ok !== (outcome.failed.length === 0)) fail(`${name} is ok and has failures`);
  for (const slot of pool.slotsOf(outcome.done)) {
    const not = name === 'stop' || name === 'shutdown' ? wrongAfterStop : wrongAfterStart;
    const wrong = not(slot, params.generation);
    if (wrong) fail(`${name}: slot ${slot.number} counts as done and ${wrong}`);
  }
}

function wrongAfterStop(slot) {
  return slot.workers.length > 0 && 'runs';
}

function wrongAfterStart(slot, generation = slot.launch.generation) {
  if (slot.launch.generation !== generation) return 'is an old one';
  // A worker that is due, such as an unhealthy one, is replaced as soon as the command has ended.
  const isReplaced = slot.previous !== null && slot.mainWorker?.status === 'online';
  return !slot.isUp && !isReplaced && !slot.isSpare && 'is not online';
}

export function fail(message) {
  throw new Error(message);
}
