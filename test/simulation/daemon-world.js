/**
 * Commands, a daemon, primaries and workers with real code, over simulated sockets, processes and time.
 * Each of them is killed, frozen and slowed down; then all faults end, and what runs must be what is
 * saved, and what commands ask for.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import net from 'node:net';
import { clock } from './clock.js';
import { fail } from './primary-invariants.js';
import { replaceFileFunctions } from './files.js';
import { Program, machine } from './processes.js';
import { SimulatedSocket, resetWire } from './wire.js';
import { FATES, disturbWorker } from './faults.js';
import { WorkerProgram } from './worker-program.js';
import { EmptyProgram, SimulatedWorld } from './world.js';
import { completeSpec } from '../../src/config/options/table.js';
import { connect } from '../../src/protocol/client.js';
import { ensureHome, homePaths } from '../../src/shared/home.js';
import { launchDetached } from '../../src/shared/processes/launch.js';
import { VERSION } from '../../src/shared/version.js';
import { DaemonProgram, PrimaryProgram } from './programs.js';

/** The last one is a job, which runs every minute. */
const APPS = ['web', 'api', 'mail', 'job'];
const PROGRAM = new URL('../fixtures/apps/http-pid.cjs', import.meta.url).pathname;
const DAEMON = 'daemon/main.js';
const PRIMARY = 'primary/main.js';
/** Any command, however its workers behave; a daemon gives up a primary that does not reply. */
const COMMAND_MS = 2 * 3_600_000;
const STEADY_MS = 20_000;
/** The age of a worker that each process knows, unless one of them is frozen. */
const SEEN_MS = 5000;
/** For a daemon to start. */
const DIAL_MS = 15_000;
const RETRY_MS = 200;

/** Whether a command on a whole app is saved. */
const DONE = {
  delete: (saved) => saved === undefined,
  stop: (saved) => saved?.stopped === true,
  start: (saved) => saved?.stopped === false,
  resume: (saved) => saved?.stopped === false,
  scale: (saved, instances) => saved?.slots.length === instances + saved.spec.spares,
};

const createHandle = net._createServerHandle;
const require = createRequire(import.meta.url);
// It reads the files of real processes.
Object.assign(require.cache, { [require.resolve('pidusage')]: { exports: async () => ({}) } });
for (const name of ['croner', 'ignore', 'pidusage/lib/history']) require(name);
replaceFileFunctions();

export class World extends SimulatedWorld {
  #fates = new Map([['1', 'sound']]);
  #version = 1;

  constructor(random, note) {
    super(random, note, { calmMs: 30 * 60_000, steadyMs: STEADY_MS });
    this.meanMs = random.pick([300, 2000, 8000]);
    this.deadliness = random.pick([1, 4, 10]);
    this.home = mkdtempSync(join(tmpdir(), 'nc-sim-'));
    this.paths = homePaths(this.home);
    net._createServerHandle = createHandle;
    resetWire();
    machine.reset(random);
    machine.programOf = (env, args) => this.#programOf(env, args);
    machine.nextStartError = () =>
      !this.isCalm && random.chance(0.01) ? random.pick(['EAGAIN', 'EMFILE']) : null;
    machine.nextFileError = () => this.#fileError();
    ensureHome(this.home);
    this.cli = machine.add({}, new Program());
    this.specs = new Map(APPS.map((name) => [name, makeSpec(random, name)]));
    for (const name of APPS) void this.command('start', { specs: [this.specs.get(name)] });
    clock.as(this.cli, () => clock.every(() => {}, 1000));
    this.actLater(this.cli);
  }

  end() {
    rmSync(this.home, { recursive: true, force: true });
  }

  /** Of daemons and primaries. */
  #fileError() {
    const { program } = clock.owner;
    const isOurs = program instanceof DaemonProgram || program instanceof PrimaryProgram;
    if (this.isCalm || !isOurs || !this.random.chance(0.002)) return null;
    return this.random.pick(['EIO', 'ENOSPC', 'EMFILE', 'ENOMEM']);
  }

  #programOf(env, args) {
    if (env.VERSION) {
      const spec = this.specs.get(env.APP);
      const fate = env.APP === 'job' ? this.#fateOfRun() : this.#fateOf(env.VERSION);
      return new WorkerProgram(fate, habitsOf(spec));
    }
    const at = args.findIndex((each) => each.endsWith(DAEMON) || each.endsWith(PRIMARY));
    if (at === -1) return new EmptyProgram();
    const rest = args.slice(at + 1);
    return args[at].endsWith(DAEMON)
      ? new DaemonProgram(rest[0], rest[1] ?? 'background', this.note)
      : new PrimaryProgram(JSON.parse(rest[0]), JSON.parse(rest[1]));
  }

  /** A run of a job ends; it may fail, or hang. */
  #fateOfRun() {
    if (this.isCalm) return 'ends';
    return this.random.weighted({ ends: 8, fails: 2, silent: 1, blocked: 1 });
  }

  #fateOf(version) {
    if (this.isCalm) return 'sound';
    return this.random.chance(0.05)
      ? this.random.weighted(FATES)
      : (this.#fates.get(version) ?? 'sound');
  }

  #running(kind) {
    return [...machine.processes.values()].filter(({ program }) => program instanceof kind);
  }

  act() {
    const { random } = this;
    if (random.chance(0.45)) return void this.command(...this.#someCommand());
    if (random.chance(0.1)) return this.disturbTime(50);
    const kind = random.weighted({
      worker: 10,
      primary: this.deadliness,
      daemon: this.deadliness,
      connection: 1,
    });
    if (kind === 'connection') return this.#cut();
    if (kind === 'worker') {
      const workers = this.#running(WorkerProgram);
      if (workers.length > 0) disturbWorker(random, random.pick(workers), this.note);
      return;
    }
    const others = this.#running(kind === 'primary' ? PrimaryProgram : DaemonProgram);
    if (others.length > 0) this.#disturb(kind, random.pick(others));
  }

  #disturb(kind, process) {
    const { random } = this;
    const what = random.weighted({ SIGKILL: 5, SIGSTOP: 2, SIGTERM: kind === 'daemon' ? 2 : 0 });
    this.note(`${kind} ${process.pid}: ${what}`);
    if (what !== 'SIGSTOP') return void machine.signal(process, what);
    this.#freeze(process, random.duration(random.pick([500, 10_000, 60_000])));
  }

  #freeze(process, ms) {
    process.isStopped = true;
    clock.freeze(process, ms);
    clock.deliver(
      () => (process.isStopped = clock.nowMs < process.frozenUntilMs),
      ms + 1,
      this.cli,
    );
  }

  /** What is on its way is lost. */
  #cut() {
    const all = this.#running(Program).flatMap(({ resources }) => [...resources]);
    const sockets = all.filter((each) => each instanceof SimulatedSocket);
    if (sockets.length === 0) return;
    const socket = this.random.pick(sockets);
    this.note(`a connection of ${socket.owner.pid} is lost`);
    clock.deliver(() => socket.lost(), 0, socket.owner);
  }

  #someCommand() {
    const { random } = this;
    const name = random.pick(APPS);
    const slot = random.integer(0, 3);
    const selectors = [random.weighted({ [name]: 6, [`${name}:${slot}`]: 2, all: 2 })];
    const command = random.weighted({
      start: 3,
      resume: 3,
      stop: 4,
      restart: 3,
      reload: 5,
      scale: 2,
      delete: 1,
      reset: 1,
      'run-now': 1,
      list: 3,
      kill: 0.2,
      resurrect: 0.5,
    });
    if (['list', 'kill', 'resurrect'].includes(command)) return [command, {}];
    if (command === 'start') return [command, { specs: [this.specs.get(name)] }];
    if (command === 'scale') return [command, { selector: name, instances: random.integer(1, 4) }];
    if (command === 'run-now')
      return [command, { selectors: ['job'], untilEnd: random.chance(0.5) }];
    if (command !== 'reload' && command !== 'restart') return [command, { selectors }];
    const rolling = command === 'reload' ? { onFailure: random.pick(['keep', 'rollback']) } : {};
    return [command, { selectors, updateEnv: this.#nextEnv(), ...rolling }];
  }

  #nextEnv() {
    if (this.random.chance(0.4)) return null;
    const version = String(++this.#version);
    this.#fates.set(version, this.random.weighted(FATES));
    return { VERSION: version };
  }

  command(name, params) {
    const { specs, ...shown } = params;
    this.note(`${name} ${specs?.[0].name ?? ''} ${JSON.stringify(shown)}`);
    const command = { name, limitMs: clock.nowMs + COMMAND_MS, isAlone: this.commands.size === 0 };
    for (const other of this.commands) other.isAlone = false;
    this.commands.add(command);
    return new Promise((resolve) => {
      clock.deliver(
        async () => {
          const result = await this.#request(name, params);
          this.commands.delete(command);
          this.note(`${name} ended: ${briefly(result)}`);
          if (command.isAlone && name === 'list') this.#checkStopped(result);
          else if (command.isAlone) this.#checkTruth(name, params, result);
          resolve(result);
        },
        0,
        this.cli,
      );
    });
  }

  /** As the command line does: it starts a daemon if there is none. */
  async #request(name, params) {
    try {
      const client = await this.#dial();
      const isImpatient = !this.isCalm && this.random.chance(0.1);
      if (isImpatient) setTimeout(() => client.close(), this.random.duration(1000));
      try {
        return await client.request(name, params);
      } finally {
        client.close();
      }
    } catch (error) {
      const { code } = error;
      if (typeof code !== 'string' || !code.startsWith('E_')) throw error;
      return code;
    }
  }

  async #dial() {
    const untilMs = clock.nowMs + DIAL_MS;
    for (let launchedMs = -Infinity; ;) {
      try {
        return await connect(this.paths.daemonSocket, { hello: { role: 'cli', version: VERSION } });
      } catch (error) {
        if (clock.nowMs > untilMs) throw error;
      }
      if (clock.nowMs - launchedMs > 2000) {
        launchedMs = clock.nowMs;
        const command = [process.execPath, DAEMON, this.home, 'background'];
        launchDetached(command, { home: this.home, log: this.paths.daemonLog, env: {} }).on(
          'error',
          () => {},
        );
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  /** What a command says it has done is done, and saved. */
  #checkTruth(name, { instances, selectors = [] }, result) {
    if (selectors.some((each) => each.includes(':'))) return;
    const apps = new Map(this.#saved().map((app) => [app.spec.name, app]));
    for (const { name: app, ok } of result?.apps ?? []) {
      if (!ok) continue;
      const isDone = DONE[name] ?? (() => true);
      if (!isDone(apps.get(app), instances)) fail(`${name} of ${app} is done and not saved`);
      const [left] = name === 'stop' || name === 'delete' ? this.#workersOf(app) : [];
      if (left) fail(`${name} is done, and worker ${left.pid} of ${app} runs`);
    }
  }

  #workersOf(app) {
    return this.#running(WorkerProgram).filter(({ env }) => env.APP === app);
  }

  /** Call it after each event. */
  check() {
    this.checkCommands();
    const serving = this.#running(DaemonProgram).filter(({ program }) => program.running !== null);
    if (serving.length > 1) fail(`${serving.length} daemons serve`);
    for (const [name, { execMode }] of this.specs) this.#checkApp(name, execMode);
  }

  /** Nothing runs twice. */
  #checkApp(name, execMode) {
    const slots = new Set();
    const primaries = new Set();
    for (const { env, child } of this.#workersOf(name)) {
      const parent = child.owner;
      // In cluster mode they finish their requests beside their successors.
      if (parent.isDead && execMode === 'cluster') continue;
      primaries.add(parent.pid);
      const slot = env.NODE_APP_INSTANCE;
      if (execMode === 'fork' && slots.has(slot)) fail(`slot ${slot} of ${name} has two workers`);
      slots.add(slot);
    }
    if (primaries.size > 1) fail(`${name} has workers of ${primaries.size} primaries`);
  }

  async *calmDown() {
    yield* this.endFaults(() => {
      for (const { program, env } of this.#running(WorkerProgram)) {
        if (env.APP === 'job') program.process.exit(0);
        else program.heal();
      }
    });
    yield* this.untilSteady();
    // Nobody but a command starts a daemon when no primary is left either.
    if (machine.processes.size === 1) yield* this.outcomeOf('list', {});
    yield* this.untilSteady(() => this.#unsettled('saved'));
    const started = yield* this.outcomeOf('resume', { selectors: ['all'] });
    // Without an app, nothing is started.
    if (typeof started === 'string' && started !== 'E_APP_NONE') fail(`start all: ${started}`);
    if (typeof started !== 'string') this.#refuseFailure('start', started);
    yield* this.untilSteady(() => this.#unsettled('all'));
    const reloaded = yield* this.outcomeOf('reload', { selectors: ['all'] });
    if (typeof reloaded !== 'string') this.#refuseFailure('reload', reloaded);
    yield* this.untilSteady(() => this.#unsettled('all'));
    this.#checkShown(yield* this.outcomeOf('list', {}));
    yield* this.outcomeOf('stop', { selectors: ['all'] });
    this.#checkShown(yield* this.outcomeOf('list', {}));
    if (this.#running(WorkerProgram).length > 0) fail('a stop left a worker');
    yield* this.outcomeOf('kill', {});
    const isGone = () => machine.processes.size === 1;
    yield* this.until(isGone, () => 'every process to end');
    for (const endsMs = clock.nowMs + STEADY_MS; clock.nowMs < endsMs;) {
      if (!isGone()) fail('a process was started after kill');
      yield 'gone';
    }
  }

  /** What `ls` shows as stopped does not run. */
  #checkStopped({ apps = [] }) {
    for (const { name, workers } of apps) {
      const stopped = workers.filter(({ status }) => status === 'stopped');
      const slots = new Set(stopped.map(({ slot }) => String(slot)));
      const runs = this.#workersOf(name).find(
        ({ env, startedMs, child }) =>
          slots.has(env.NODE_APP_INSTANCE) &&
          clock.nowMs - startedMs > SEEN_MS &&
          !child.owner.isDead,
      );
      if (runs) fail(`ls shows slot ${runs.env.NODE_APP_INSTANCE} of ${name} as stopped, it runs`);
    }
  }

  /** What `ls` shows is what runs, except for a run of a job, which ends at any time. */
  #checkShown({ apps }) {
    const pidsOf = (all) => all.flatMap(({ pid: each }) => each ?? []).sort();
    for (const { name, workers } of apps) {
      if (name === 'job') continue;
      const [shown, real] = [workers, this.#workersOf(name)].map(pidsOf);
      if (String(shown) !== String(real)) fail(`ls shows workers ${shown} of ${name}, ${real} run`);
    }
  }

  #refuseFailure(name, { apps }) {
    const failed = apps.find(({ ok }) => !ok);
    if (failed) fail(`${name} without faults failed: ${JSON.stringify(failed)}`);
  }

  /**
   * @param what all: nothing has been given up
   * @returns what differs from the saved state
   */
  #unsettled(what) {
    const apps = this.#saved();
    const names = new Set(apps.map(({ spec }) => spec.name));
    const stray = this.#running(WorkerProgram).find(({ env }) => !names.has(env.APP));
    if (stray) return `worker ${stray.pid} of ${stray.env.APP} runs, which is not saved`;
    if (apps.some(({ stopped }) => !stopped) && this.#running(DaemonProgram).length !== 1) {
      return `there are ${this.#running(DaemonProgram).length} daemons`;
    }
    // The next start ends the rollout of one that is stopped.
    const busy = apps.find(({ deleting, rollout, stopped }) => deleting || (rollout && !stopped));
    if (busy) return `${busy.spec.name} is being deleted or reloaded`;
    for (const { spec, stopped, slots, stoppedSlots } of apps) {
      const workers = this.#workersOf(spec.name);
      const desired = stopped ? [] : slots.filter((each) => !stoppedSlots.includes(each));
      const isMissing = (slot) =>
        workers.filter(({ env }) => env.NODE_APP_INSTANCE === String(slot)).length !== 1;
      const missing = desired.filter(isMissing);
      if (spec.schedule) continue;
      if (what === 'all' && missing.length > 0) return `${spec.name} lacks ${missing}`;
      if (workers.length > desired.length)
        return `${spec.name} has ${workers.length} workers, not ${desired.length}`;
    }
    return null;
  }

  #saved() {
    try {
      return JSON.parse(readFileSync(this.paths.desired, 'utf8')).apps;
    } catch {
      return [];
    }
  }

  describe() {
    const processes = [...machine.processes.values()].map(
      ({ pid: each, parent, env, program, isStopped }) =>
        `${each} < ${parent} ${program.constructor.name} ${env.APP ?? ''} ${env.NODE_APP_INSTANCE ?? ''} ${isStopped ? 'stopped' : ''}`,
    );
    const saved = this.#saved().map(({ spec, ...app }) =>
      JSON.stringify({ name: spec.name, mode: spec.execMode, ...app }),
    );
    return [...processes, ...saved, `commands: ${[...this.commands].map(({ name }) => name)}`].join(
      '\n',
    );
  }
}

function briefly(result) {
  if (typeof result === 'string' || !result?.apps) return JSON.stringify(result)?.slice(0, 200);
  return result.apps
    .map(
      ({ name, ok, done, failed }) =>
        `${name} ${ok ? 'ok' : `failed: ${JSON.stringify(failed?.[0]?.reason)}`} ${done?.length}`,
    )
    .join('; ')
    .slice(0, 400);
}

function habitsOf({ execMode, env }) {
  const hasAgent = execMode === 'cluster';
  return { hasAgent, isServer: env.PORT !== undefined, saysReady: false, onSignal: 'graceful' };
}

function makeSpec(random, name) {
  const isJob = name === 'job';
  const isCluster = !isJob && random.chance(0.6);
  const isServer = !isJob && random.chance(0.5);
  return completeSpec({
    ...(isJob && {
      onDemand: true,
      schedule: '* * * * *',
      autorestart: false,
      overlap: random.pick(['skip', 'queue']),
    }),
    name,
    script: PROGRAM,
    cwd: tmpdir(),
    execMode: isCluster ? 'cluster' : 'fork',
    interpreter: isCluster ? null : process.execPath,
    instances: isJob ? 1 : random.integer(1, 3),
    spares: isCluster && isServer && random.chance(0.4) ? 1 : 0,
    env: { APP: name, ...(isServer && { PORT: '3000' }) },
    shellEnv: { VERSION: '1' },
    minUptimeMs: random.pick([0, 1000]),
    listenTimeoutMs: 3000,
    killTimeoutMs: 1600,
    drainTimeoutMs: random.pick([500, 5000]),
    maxRestarts: random.pick([3, 10]),
    expBackoffRestartDelayMs: 100,
    maxRestartDelayMs: 5000,
    hangTimeoutMs: random.pick([null, 5000]),
  });
}
