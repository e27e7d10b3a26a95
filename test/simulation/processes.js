/**
 * The process table of the simulated machine: what `/proc` shows of it, signals, and the children that
 * `spawn` and `cluster.fork` return. No process of the real machine is seen, started or signalled.
 */
import childProcess from 'node:child_process';
import cluster from 'node:cluster';
import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Readable } from 'node:stream';
import { clock } from './clock.js';

/** Linux gives no real process such a pid: one like that of the simulation itself would be taken for it. */
const FIRST_PID = 2 ** 22;
const MS_PER_TICK = 10;
/** The first descriptor after stderr. */
const FIRST_PIPE = 3;
/** Of a message on a channel. */
const MEAN_DELAY_MS = 0.4;
/** Node may report an exit that much later. */
const MAX_REPORT_MS = 150;

/** What runs in a simulated process. */
export class Program {
  process = null;
  /** By descriptor. */
  pipes = [];

  begin() {}

  onSignal(_signal) {}

  onMessage(_message) {}

  /** Its parent has exited, or closed the channel. */
  onDisconnect() {}
}

export class SimulatedProcess {
  isDead = false;
  isStopped = false;
  frozenUntilMs = 0;
  /** How often it was killed, ended or asked to. */
  signals = [];
  child = null;
  /** What ends with it. */
  resources = new Set();

  constructor(pid, parent, env, program) {
    this.pid = pid;
    this.parent = parent;
    this.env = env;
    this.program = program;
    this.startedMs = clock.nowMs;
  }

  after(run, ms, process = this) {
    return clock.deliver(run, ms, process);
  }

  send(message) {
    this.child?.receive(message);
  }

  exit(code, signal = null) {
    if (this.isDead) return;
    this.isDead = true;
    machine.remove(this);
    this.child?.onDeath(code, signal);
    for (const resource of this.resources) resource.release();
    for (const { child, program } of machine.processes.values()) {
      if (child?.owner === this) this.after(() => program.onDisconnect(), 0.1, program.process);
    }
  }
}

/** What a parent has of a process that it started: its ChildProcess. */
class Child extends EventEmitter {
  stdout = null;
  stderr = null;
  stdio = [];
  exitCode = null;
  signalCode = null;
  /** When the last message arrives, in each direction: a channel keeps their order. */
  #toChildMs = 0;
  #toParentMs = 0;

  /** @param process null: it could not be started */
  constructor(process, hasChannel) {
    super();
    this.owner = clock.owner;
    this.process = process;
    this.pid = process?.pid;
    this.connected = hasChannel && process !== null;
    this.hasChannel = this.connected;
    if (process) process.child = this;
  }

  ref() {}

  unref() {}

  kill(signal = 'SIGTERM') {
    if (!this.process || this.exitCode !== null || this.signalCode !== null) return false;
    return machine.signal(this.process, signal);
  }

  send(message, ...rest) {
    const callback = rest.find((each) => typeof each === 'function');
    const { process, connected } = this;
    const error = connected ? null : Object.assign(new Error(), { code: 'ERR_IPC_CHANNEL_CLOSED' });
    if (callback) clock.soon(() => callback(error));
    if (!connected || !process) return false;
    this.#toChildMs = Math.max(this.#toChildMs, clock.nowMs + this.#delayMs());
    clock.deliver(() => process.program.onMessage(message), this.#toChildMs - clock.nowMs, process);
    return true;
  }

  receive(message) {
    if (!this.hasChannel) return;
    const event = String(message?.cmd ?? '').startsWith('NODE_') ? 'internalMessage' : 'message';
    this.#arrive(() => this.emit(event, message));
  }

  /** The parent closes the channel. */
  disconnect() {
    if (this.connected) this.closeChannel();
  }

  /** The process closes its channel. */
  closeChannel() {
    if (!this.hasChannel) return;
    this.#arrive(() => {
      this.connected = false;
      this.emit('disconnect');
    });
    this.hasChannel = false;
  }

  onDeath(code, signal) {
    this.closeChannel();
    const report = () => {
      this.exitCode = code;
      this.signalCode = signal;
      this.emit('exit', code, signal);
      this.emit('close', code, signal);
    };
    clock.deliver(report, machine.random.next() ** 4 * MAX_REPORT_MS, this.owner);
  }

  #arrive(arrives) {
    this.#toParentMs = Math.max(this.#toParentMs, clock.nowMs + this.#delayMs());
    clock.deliver(arrives, this.#toParentMs - clock.nowMs, this.owner);
  }

  #delayMs() {
    return machine.random.duration(MEAN_DELAY_MS * machine.slowness);
  }
}

class Machine {
  /** that run */
  processes = new Map();
  /** How many times as long as usual everything takes. */
  slowness = 1;
  /** Makes the program of a process. */
  programOf = () => new Program();
  makePipe = null;
  /** What keeps the next start from succeeding. */
  nextStartError = () => null;
  /** What keeps the next use of a file from succeeding. */
  nextFileError = () => null;
  random = null;
  #nextPid = FIRST_PID;

  reset(random) {
    this.processes = new Map();
    this.random = random;
    this.slowness = 1;
    this.nextStartError = () => null;
    this.nextFileError = () => null;
    this.#nextPid = FIRST_PID;
    Math.random = () => random.next();
  }

  add(env, program) {
    const process = new SimulatedProcess(this.#nextPid++, clock.owner.pid, env, program);
    this.processes.set(process.pid, process);
    return process;
  }

  remove({ pid }) {
    this.processes.delete(pid);
  }

  resourcesOf({ pid }) {
    return this.processes.get(pid)?.resources ?? new Set();
  }

  start(env, args, stdio) {
    clock.spend(this.random.duration(3 * this.slowness));
    const code = this.nextStartError();
    if (code !== null) return failedChild(code);
    const program = this.programOf(env, args);
    const process = this.add(env, program);
    program.process = process;
    const child = new Child(process, stdio.includes('ipc'));
    for (const [fd, how] of stdio.entries()) {
      if (fd < FIRST_PIPE || how !== 'pipe' || this.makePipe === null) continue;
      [child.stdio[fd], program.pipes[fd]] = this.makePipe(clock.owner, process);
    }
    clock.deliver(() => program.begin(), 0, process);
    return child;
  }

  signal(process, signal) {
    if (process.isDead) return false;
    process.signals.push(signal);
    if (signal === 'SIGKILL') process.exit(null, signal);
    else if (signal === 'SIGSTOP') process.isStopped = true;
    else if (signal === 'SIGCONT') process.isStopped = false;
    else clock.deliver(() => process.program.onSignal(signal), 0, process);
    return true;
  }

  kill(pidOrGroup, signal = 'SIGTERM') {
    const process = this.processes.get(Math.abs(pidOrGroup));
    if (!process) throw errorOf('ESRCH', 'kill');
    if (signal !== 0) this.signal(process, signal);
    return true;
  }

  /**
   * @param path below /proc
   * @returns null: there is no such file
   */
  read(path) {
    if (path === '/proc/sys/kernel/random/boot_id') return 'simulated';
    const [, pid, file] = /^\/proc\/(\d+)\/(?:task\/\d+\/)?(\w+)$/.exec(path) ?? [];
    const process = this.processes.get(Number(pid));
    if (!process) return null;
    if (file === 'environ') {
      return Object.entries(process.env)
        .map(([name, value]) => `${name}=${value}\0`)
        .join('');
    }
    if (file === 'children') {
      const all = [...this.processes.values()];
      return all
        .flatMap(({ pid: child, parent }) => (parent === process.pid ? [child] : []))
        .join(' ');
    }
    if (file === 'schedstat') return '0 0 0';
    return file === 'stat' ? statOf(process) : null;
  }

  list(path) {
    if (path === '/proc') return [...this.processes.keys()].map(String);
    const [, pid] = /^\/proc\/(\d+)\/task$/.exec(path) ?? [];
    return this.processes.has(Number(pid)) ? [pid] : null;
  }
}

/** proc(5) */
function statOf({ pid, isStopped, parent, startedMs }) {
  const rest = Array.from({ length: 40 }, () => '0');
  rest[0] = isStopped ? 'T' : 'S';
  rest[1] = String(parent);
  rest[17] = '1';
  rest[19] = String(Math.floor(startedMs / MS_PER_TICK));
  return `${pid} (node) ${rest.join(' ')}`;
}

function failedChild(code) {
  const child = new Child(null, false);
  process.nextTick(() => child.emit('error', errorOf(code, 'spawn')));
  return child;
}

function errorOf(code, syscall) {
  return Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
}

export const machine = new Machine();

/** What the kernel shows of itself: nothing of the real machine is seen. */
const isOfKernel = (path) => typeof path === 'string' && /^\/(proc|sys)(\/|$)/.test(path);

function orMissing(found) {
  if (found === null) throw errorOf('ENOENT', 'open');
  return found;
}

const { openSync } = fs;
const statOrMissing = (_path, options) =>
  options?.throwIfNoEntry === false ? undefined : orMissing(null);
const kernelFiles = {
  readFileSync: (path) => orMissing(machine.read(path)),
  readdirSync: (path) => orMissing(machine.list(path)),
  existsSync: (path) => machine.read(path) !== null || machine.list(path) !== null,
  ...{ statSync: statOrMissing, lstatSync: statOrMissing },
  // The tables of sockets: nothing listens.
  openSync: (path) => (path.startsWith('/proc/net/') ? openSync('/dev/null') : orMissing(null)),
  createReadStream: () => Readable.from([]),
};
for (const name of Object.keys(fs)) {
  if (!name.endsWith('Sync') && name !== 'createReadStream') continue;
  const real = fs[name];
  const fake = kernelFiles[name] ?? (() => orMissing(null));
  fs[name] = (...args) => (isOfKernel(args[0]) ? fake(...args) : Reflect.apply(real, fs, args));
}
Object.assign(childProcess, {
  spawn: (_file, args, options) => machine.start(options.env, args, options.stdio),
});
Object.assign(cluster, {
  setupPrimary: () => {},
  fork: (env) => {
    const child = machine.start(env, [], ['ignore', 'pipe', 'pipe', 'ipc']);
    const worker = Object.assign(new EventEmitter(), { id: child.pid, process: child });
    child.on('error', (error) => worker.emit('error', error));
    return worker;
  },
});
process.kill = (pid, signal) => machine.kill(pid, signal);
syncBuiltinESMExports();
