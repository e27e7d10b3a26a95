/**
 * A primary with real code from its methods down to the channel of each worker: commands, workers that
 * fail in every way, and time that jumps; then all faults end, and everything must be as desired.
 */
import { tmpdir } from 'node:os';
import { clock } from './clock.js';
import { replaceFileFunctions } from './files.js';
import { Program, machine } from './processes.js';
import { WorkerProgram } from './worker-program.js';
import { completeSpec } from '../../src/config/options/table.js';
import { modulesOf } from './modules.js';
import { checkCommand, fail, PrimaryInvariants } from './primary-invariants.js';
import { FATES, disturbWorker } from './faults.js';
import { EmptyProgram, SimulatedWorld } from './world.js';

replaceFileFunctions();

/** Of what a check of a worker asks by itself. */
class HealthCheck extends Program {
  constructor(worker) {
    super();
    this.worker = worker;
  }

  begin() {
    const isHealthy = this.worker?.isSick === false;
    this.process.after(() => this.process.exit(isHealthy ? 0 : 1), 5);
  }
}

export class World extends SimulatedWorld {
  /** How often each slot was commanded: what is counted since a command begins anew. */
  commanded = 0;
  #generation = 1;
  /** What most workers of a version do, by its number. */
  #fates;

  constructor(random, note) {
    super(random, note, { calmMs: 15 * 60_000, steadyMs: 5000 });
    this.habits = makeHabits(random);
    this.spec = makeSpec(random, this.habits);
    this.#fates = new Map([['1', random.weighted(FATES)]]);
    this.meanMs = random.pick([100, 500, 3000]);
    this.commandShare = random.pick([0.35, 0.35, 0.02]);
    machine.reset(random);
    machine.programOf = ({ VERSION, NODECLUSTER_PID: checked }) => {
      if (checked) return new HealthCheck(machine.processes.get(Number(checked))?.program);
      return VERSION ? new WorkerProgram(this.#fateOf(VERSION), this.habits) : new EmptyProgram();
    };
    machine.nextStartError = () => this.#startError();
    this.process = machine.add({}, new Program());
    this.app = clock.as(this.process, () => this.#makeApp());
    this.methods = this.app.methods;
    this.invariants = new PrimaryInvariants(this);
    this.app.pool.on('progress', (progress) => this.note(`  ${JSON.stringify(progress)}`));
    clock.as(this.process, () => this.app.pool.start());
    // As a daemon does once it is connected to a new primary.
    void this.command('start', {});
    this.actLater();
    // Time passes even if nothing happens.
    clock.as(this.process, () => clock.every(() => {}, 1000).unref());
  }

  #makeApp() {
    const count = Number(this.spec.instances) + this.spec.spares;
    const slots = Array.from({ length: count }, (_, slot) => slot);
    const order = {
      ...{ spec: this.spec, generation: 1, slots },
      ...{ stoppedSlots: [], listeningRecord: null },
    };
    const paths = { record: '/nonexistent/record.json', logFile: () => '/nonexistent/log' };
    const record = { whenIdle: async () => {} };
    const { App, snapshotOf } = modulesOf('app');
    this.snapshot = () => snapshotOf(this.app);
    return new App(order, { home: tmpdir(), paths, record, baseEnv: {} });
  }

  #fateOf(version) {
    if (this.isCalm) return 'sound';
    return this.random.chance(0.1)
      ? this.random.weighted(FATES)
      : (this.#fates.get(version) ?? 'sound');
  }

  #startError() {
    if (this.isCalm || !this.random.chance(0.02)) return null;
    return this.random.pick(['EAGAIN', 'EMFILE', 'ENOENT', 'EACCES']);
  }

  get workers() {
    return [...machine.processes.values()].filter(
      ({ program }) => program instanceof WorkerProgram,
    );
  }

  get #slots() {
    return [...this.app.pool.slots.keys()];
  }

  act() {
    const { random } = this;
    if (random.chance(this.commandShare)) return this.command(...this.#someCommand());
    if (random.chance(0.06)) {
      const freeze = (forMs) => clock.freeze(this.process, forMs);
      return this.disturbTime(100, { freeze });
    }
    const victims = this.workers;
    if (victims.length > 0) disturbWorker(random, random.pick(victims), this.note);
  }

  #someCommand() {
    const { random } = this;
    const slots = random.chance(0.6) ? undefined : random.some(this.#slots);
    const name = random.weighted({
      start: 4,
      stop: 3,
      restart: 3,
      reload: 6,
      scale: 3,
      reset: 1,
      'end-trial': 1,
      configure: 1,
    });
    if (name === 'scale') return [name, this.#scaleParams(random.integer(1, 6))];
    if (name === 'reload') return [name, this.#reloadParams(slots)];
    if (name === 'restart') return [name, { slots, ...this.#nextVersion() }];
    if (name === 'configure') {
      this.spec = { ...this.spec, maxSurge: random.integer(0, 3) };
      return ['scale', { slots: this.#slots, spec: this.spec }];
    }
    return [name, name === 'end-trial' ? {} : { slots }];
  }

  #reloadParams(slots) {
    const { random } = this;
    const canary = { instances: random.integer(1, 2), forMs: 3000, max5xx: 0.1, maxP99: 2 };
    return {
      slots,
      ...this.#nextVersion(),
      onFailure: random.pick(['keep', 'rollback']),
      ...(random.chance(0.2) && { canary }),
      ...(random.chance(0.3) && { parallel: random.integer(1, 4) }),
    };
  }

  #nextVersion() {
    const generation = ++this.#generation;
    if (this.random.chance(0.3)) return { generation };
    const VERSION = String(generation);
    this.#fates.set(VERSION, this.random.weighted(FATES));
    this.spec = { ...this.spec, env: { ...this.spec.env, VERSION } };
    return { spec: this.spec, generation };
  }

  #scaleParams(instances) {
    const count = instances + this.spec.spares;
    const kept = this.#slots.sort((one, other) => one - other).slice(0, count);
    for (let slot = 0; kept.length < count; slot++) if (!kept.includes(slot)) kept.push(slot);
    this.spec = { ...this.spec, instances };
    return { slots: kept, spec: this.spec };
  }

  /** @returns its outcome; null: it was refused */
  command(name, params) {
    const { spec, ...shown } = params;
    this.note(`${name} ${JSON.stringify({ ...shown, version: spec?.env.VERSION })}`);
    const command = { name, params, limitMs: clock.nowMs + this.#limitMs() };
    this.commands.add(command);
    const context = { peer: { role: 'daemon', version: '0' }, notify: () => {}, onClose: () => {} };
    return new Promise((resolve) => {
      const begin = async () => {
        this.commanded += 1;
        try {
          const outcome = await this.methods[name](params, context);
          this.note(`${name} ended: ${JSON.stringify(outcome)}`);
          checkCommand(this, command, outcome);
          resolve(outcome ?? null);
        } catch (error) {
          if (error.code !== 'E_APP_BUSY') throw error;
          this.note(`${name} was refused`);
          resolve(null);
        } finally {
          this.commands.delete(command);
          this.commanded += 1;
        }
      };
      clock.deliver(() => void begin(), 0.1, this.process);
    });
  }

  #limitMs() {
    const { spec, app } = this;
    const oneMs =
      10 * spec.listenTimeoutMs +
      spec.minUptimeMs +
      spec.drainTimeoutMs +
      spec.killTimeoutMs +
      spec.holdTimeoutMs +
      (spec.hangTimeoutMs ?? 0) +
      (spec.health?.startPeriodMs ?? 0) +
      spec.maxRestartDelayMs +
      10_000;
    return 5 * (app.pool.slots.size + 2) * oneMs + 300_000;
  }

  /** Call it after each event. */
  check() {
    this.invariants.check();
    this.checkCommands();
  }

  /** All faults end, and everything must be as desired before long. */
  async *calmDown() {
    yield* this.endFaults(() => this.workers.forEach(({ program }) => program.heal()));
    this.spec = { ...this.spec, maxAgeMs: null, maxRequests: null };
    // It is refused while another command is in progress.
    const settled = () => this.outcomeOf('scale', { slots: this.#slots, spec: this.spec });
    while ((yield* settled()) === null) yield 'calm';
    yield* this.untilSteady(() => this.#unsettled());
    yield* this.#finish();
  }

  async *#finish() {
    const started = yield* this.outcomeOf('start', {});
    if (!started.ok) fail('a start without faults failed');
    yield* this.untilSteady(() => this.#unsettled());
    const slots = [...this.app.pool.slots.values()];
    const serving = slots.filter(({ isSpare }) => !isSpare).length;
    // One that listens on nothing is stopped before the next one starts.
    const overlaps = this.app.pool.workers.every(({ listening }) => listening.areShared);
    const VERSION = String(++this.#generation);
    this.spec = { ...this.spec, env: { ...this.spec.env, VERSION } };
    const reloaded = yield* this.outcomeOf('reload', {
      spec: this.spec,
      generation: this.#generation,
    });
    if (!reloaded.ok || reloaded.done.length < serving) fail('a reload without faults failed');
    if (this.spec.execMode === 'cluster' && overlaps && reloaded.minReady < serving)
      fail('a reload without faults lost a worker');
    const stopped = yield* this.outcomeOf('stop', {});
    if (!stopped.ok || this.workers.length > 0) fail('a stop left a worker');
    const started2 = yield* this.outcomeOf('start', {});
    if (!started2.ok) fail('a start after a stop failed');
    yield* this.outcomeOf('shutdown', {});
    if (this.workers.length > 0) fail('a shutdown left a worker');
  }

  #wrongSpares() {
    const { pool } = this.app;
    const spares = pool.slotsOf().filter(({ isSpare, isDesired }) => isSpare && isDesired);
    if (spares.length > this.spec.spares) return `${spares.length} slots are spare`;
    const { isServer } = this.habits;
    const mayRun = isServer && pool.online.length > 0;
    const isWrong = spares.some(({ blocked }) => (blocked === 'held' ? mayRun : !isServer));
    return isWrong ? 'a spare that may run is held back, or one that may not runs' : null;
  }

  #unsettled() {
    const { pool } = this.app;
    for (const slot of pool.slots.values()) {
      const workers = slot.workers;
      const is = `slot ${slot.number} has ${workers.map(({ status }) => status).join(' and ') || 'none'}`;
      const isDesired = slot.isDesired && slot.blocked === null;
      if (!isDesired && workers.length > 0) return `${is}, and should have none`;
      if (!isDesired) continue;
      if (workers.length !== 1) return `${is}, and should have one`;
      const [worker] = workers;
      if (worker.status !== 'online' || !worker.isReady) return `${is}, which is not ready`;
      if (worker.launch !== slot.launch) return `${is}, which is an old one`;
    }
    return this.#wrongSpares();
  }

  describe() {
    const { busy, generation, slots, retiring } = this.snapshot();
    const states = slots.map(({ lastExit: _lastExit, earlierExits: _earlier, ...state }) => state);
    const { isCalm, spec, habits } = this;
    const all = [{ busy, generation, isCalm }, spec, habits, ...states, ...retiring];
    return all.map((each) => JSON.stringify(each)).join('\n');
  }
}

function makeHabits(random) {
  return {
    hasAgent: false,
    isServer: random.chance(0.8),
    saysReady: random.chance(0.3),
    onSignal: random.weighted({ default: 5, graceful: 4, ignores: 1 }),
  };
}

function makeSpares(random, isCluster) {
  return { spares: isCluster && random.chance(0.4) ? random.integer(1, 2) : 0 };
}

function makeSpec(random, { isServer, saysReady }) {
  const isCluster = random.chance(0.75);
  const health = {
    http: null,
    exec: ['check'],
    intervalMs: 1000,
    timeoutMs: 500,
    failures: 3,
    startPeriodMs: 5000,
  };
  return completeSpec({
    name: 'app',
    script: '/nonexistent/app.js',
    cwd: tmpdir(),
    execMode: isCluster ? 'cluster' : 'fork',
    interpreter: isCluster ? null : 'node',
    instances: random.integer(1, 5),
    ...makeSpares(random, isCluster),
    env: { VERSION: '1', ...(isServer && random.chance(0.5) && { PORT: '3000' }) },
    shellEnv: {},
    waitReady: saysReady && random.chance(0.7),
    minUptimeMs: random.pick([0, 300, 1000, 5000]),
    listenTimeoutMs: random.pick([1000, 3000, 10_000]),
    killTimeoutMs: random.pick([500, 1600, 5000]),
    drainTimeoutMs: random.pick([500, 5000]),
    holdTimeoutMs: random.pick([1000, 5000]),
    maxRestarts: random.pick([0, 3, 10]),
    restartWindowMs: random.pick([5000, 60_000]),
    restartDelayMs: random.pick([0, 0, 500]),
    expBackoffRestartDelayMs: random.pick([20, 100]),
    maxRestartDelayMs: random.pick([200, 1000, 15_000]),
    autorestart: random.chance(0.9),
    stopExitCodes: random.chance(0.2) ? [0] : [],
    hangTimeoutMs: random.pick([null, 3000, 10_000]),
    health: isCluster && isServer && random.chance(0.3) ? health : null,
    maxSurge: random.pick([0, 0, 1, 3]),
    maxAgeMs: random.chance(0.2) ? random.pick([10_000, 60_000]) : null,
    maxRequests: random.chance(0.3) ? 1000 : null,
    treekill: random.chance(0.5),
    killSignal: random.pick(['auto', 'SIGTERM']),
    shutdownWithMessage: random.chance(0.1),
  });
}
