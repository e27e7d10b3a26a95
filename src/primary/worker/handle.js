/** One worker, from starting to online, draining, stopping and its exit. The pool decides what an unexpected exit means. */
import { EventEmitter } from 'node:events';
import { withoutNulls } from '../../shared/merge-patch.js';
import { isRunning } from '../../shared/processes/launch.js';
import { WorkerOutput } from '../log/worker-output.js';
import { AgentLink, readFault, readListener, readText } from './agent-link.js';
import { channelTo } from './channel.js';
import { WorkerProcess } from './process.js';
import { Listeners } from './listeners.js';
import { Pulse } from './pulse.js';
import { ReadinessWatch } from './readiness.js';

/**
 * @import { ChildProcess } from 'node:child_process'
 * @import { PrimaryEvent, Variables } from '../../protocol/methods.js'
 * @import { ListenFault, Reason } from '../../protocol/shapes.js'
 * @import { Candidate } from '../../lifecycle/readiness.js'
 * @import { Exit } from '../../lifecycle/restart-policy.js'
 * @import { Features } from '../features.js'
 * @import { AppLogs } from '../log/app-logs.js'
 * @import { Launch } from '../pool/launch.js'
 * @import { StrayProcesses } from '../processes/strays.js'
 * @import { Departure, Launcher } from './process.js'
 */

/**
 * @typedef {object} WorkerOrder
 * @property {number} key unique in this primary
 * @property {number} slot
 * @property {Launch} launch
 * @property {Reason | null} after why the worker before it exited, if it restarts that
 * @property {Candidate['expected']} expected what it must listen on to be online
 * @property {boolean} replaces whether it replaces a working one
 * @property {boolean} mustStayUp for `min_uptime`, before it is online, unless another one has
 *
 * @typedef {{launcher: Launcher, strays: StrayProcesses, logs: AppLogs, partsOf: Features['partsOf']}} Services
 *
 * @typedef {{idle: 'keep' | 'close'} | {forMs: number}} Drain `idle`: its agent drains it and
 *   keeps or closes connections without a request; `forMs`: without an agent it only gets this time
 */

/** For what the program, or Node with --cpu-prof, writes as it exits. */
const EXIT_MS = 10_000;

/**
 * Emits 'change'; 'blocked' (its event loop); 'message' (of the program); 'progress' and 'event' (see EventFeed);
 * 'started' (or it could not be); 'proven' (what it runs); 'failed' (why), before it is ended for that; once 'exit' (exit).
 */
export class WorkerHandle extends EventEmitter {
  /** @type {'starting' | 'online' | 'draining' | 'stopping'} */
  status = 'starting';
  /** Times are monotonic, in milliseconds. */
  startedMs = performance.now();
  /** @type {number | null} */
  onlineAtMs = null;
  /** When it first listened. @type {number | null} */
  listenedAtMs = null;
  /** What it listens on. */
  listening = new Listeners(this);
  /** Why it cannot listen, unless it listens elsewhere. @type {ListenFault | null} */
  fault = null;
  /** It was asked to exit, so its exit is not a failure. */
  isRetired = false;
  /** Why it exited unexpectedly, or is being ended for a failure. @type {Reason | null} */
  failure = null;
  /** Its failure was reported before its exit. */
  hasFailedEarly = false;
  /** How many connections were still open when its drain ended; null: it did not answer. @type {number | null} */
  closedConnections = 0;
  /** If it was retired. @type {Departure | null} */
  departure = null;
  /** Resolves after its exit, when what it left has ended. @type {Promise<Departure | null>} */
  cleanedUp = Promise.resolve(null);
  output = new WorkerOutput();
  /** Of its environment, known to nobody else. @type {Variables} */
  variables = {};
  /** @type {ChildProcess | undefined} */
  child;
  /** Null in fork mode. @type {AgentLink | null} */
  agent = null;
  /** @type {WorkerProcess | null} */
  #process = null;
  #hasExited = false;

  /** @param {WorkerOrder} order @param {Services} services */
  constructor(
    { key, slot, launch, after, expected, ...order },
    { launcher, strays, logs, partsOf },
  ) {
    super();
    this.key = key;
    this.slot = slot;
    this.launch = launch;
    this.after = after;
    this.generation = launch.generation;
    // In fork mode it leads a process group of its own, and has no agent that could be asked to drain.
    this.ownsGroup = launch.spec.execMode === 'fork';
    this.expected = expected;
    this.replaces = order.replaces;
    this.mustStayUp = order.mustStayUp;
    this.mark = strays.newMark();
    this.launcher = launcher;
    this.strays = strays;
    this.logs = logs;
    this.pulse = new Pulse(this);
    this.parts = partsOf(this);
    this.readiness = new ReadinessWatch(this);
  }

  get pid() {
    return this.child?.pid ?? null;
  }

  /** Whether its process has not exited. */
  get isRunning() {
    return this.child !== undefined && isRunning(this.child);
  }

  get uptimeMs() {
    return performance.now() - this.startedMs;
  }

  /** Whether it should get traffic. */
  get isReady() {
    return this.status === 'online' && this.pulse.canReply && this.parts.trouble() === null;
  }

  start() {
    const { variables } = this.parts;
    if (variables === null) return this.#begin();
    variables().then(
      (read) => this.#begin(read),
      (error) => this.#begin({}, error),
    );
  }

  /** @param {Variables} [variables] @param {Error} [fault] why it cannot be started */
  #begin(variables = {}, fault) {
    if (this.#hasExited) return;
    this.variables = variables;
    this.startedMs = performance.now();
    try {
      if (fault) this.#onStartError(fault, { isShortage: true });
      else this.#launch();
    } catch (error) {
      this.#onStartError(/** @type {NodeJS.ErrnoException} */ (error));
    }
    this.emit('started');
    this.reportStart();
    this.readiness.look();
  }

  /**
   * The only way to end it: drains it if `drain` is set and it serves, then stops it.
   * @param {object} [ending]
   * @param {Drain} [ending.drain] how it finishes its work; default: it is stopped at once
   * @param {NodeJS.Signals} [ending.signal] sent instead of the `kill_signal` or message of its spec
   * @param {Reason} [ending.reason] the failure that ends it; if it was retired, why its drain ends early
   */
  end({ drain, signal, reason } = {}) {
    if (this.status === 'stopping' || this.#hasExited) return;
    if (reason === undefined && this.status === 'draining') return;
    this.readiness.end();
    if (reason === undefined) this.isRetired = true;
    else if (!this.isRetired) {
      this.failure = reason;
      this.hasFailedEarly = true;
      this.emit('failed', reason);
    }
    if (drain) this.#drain(drain, reason);
    else this.#stop({ signal, reason: this.isRetired ? reason : undefined });
  }

  #launch() {
    const child = this.launcher(this);
    this.child = child;
    if (!this.ownsGroup) {
      this.agent = new AgentLink(child);
      // Before a socket is sent, which keeps back what follows.
      this.agent.prepare(this.launch.spec);
    }
    this.#process = new WorkerProcess(child, this);
    this.#watch(child);
    this.output.attach(child, this);
    void this.listening.watchTree();
    // Without a pid it could not be forked, and the error follows.
    if (!this.agent && child.pid !== undefined) this.readiness.loaded();
  }

  /** @param {ChildProcess} child */
  #watch(child) {
    const channel = channelTo(child);
    channel.on('loaded', () => this.readiness.loaded());
    channel.on('beat', ({ nextMs }) => {
      this.pulse.beat(nextMs);
      this.readiness.turned();
    });
    channel.on('listening', (message) => {
      if (this.listening.note(readListener(message))) this.noteListening();
    });
    channel.on('closed', ({ name }) => this.listening.noteClosed(readText(name)));
    channel.on('fault', (message) => {
      // The program does not crash for one that it handles.
      const serves = this.listening.size > 0 || this.onlineAtMs !== null;
      if (message.isHandled === true && serves) return;
      this.fault = readFault(message);
      this.readiness.look();
    });
    channel.on('exiting', () => this.#expectExit(child));
    channel.watch({
      ready: () => this.readiness.saidReady(),
      message: (message) => this.emit('message', message),
      broken: (error) => {
        // It can no longer receive connections or the request to drain.
        this.output.add(error.message);
        // At once, before it reads more connections: their acknowledgements would not be read.
        child.kill('SIGKILL');
        const { reason = { kind: 'channel', what: 'invalid' } } = error;
        this.end({ signal: 'SIGKILL', reason });
      },
      lost: (errno) => {
        // It may wait forever for that.
        if (!this.isRetired) this.end({ drain: { idle: 'keep' }, reason: { kind: 'loss', errno } });
      },
    });
    child.once('exit', (code, signal) => this.#onExit({ code, signal }));
    child.on('error', (error) => {
      if (child.pid === undefined) this.#onStartError(error);
    });
  }

  /** Whether clients depend on it: it listens or has listened. */
  get isServing() {
    // Programs in fork mode may close the channel: it has no drain that would need it.
    return (
      this.agent !== null &&
      this.listenedAtMs !== null &&
      (this.status === 'starting' || this.status === 'online')
    );
  }

  /** It has begun to listen. */
  noteListening() {
    this.fault = null;
    this.listenedAtMs ??= performance.now();
    this.emit('change');
    this.readiness.look();
  }

  /** Call it once it has proven what it must. */
  becomeOnline() {
    this.fault = null;
    this.onlineAtMs = performance.now();
    this.pulse.start();
    this.#become('online');
  }

  /** Its event loop is blocked, or turns again. @param {number} blockedMs for how long */
  notePulse(blockedMs) {
    const isBlocked = this.pulse.blockedSinceMs !== null;
    if (isBlocked) this.emit('blocked');
    this.emit('change');
    if (this.status === 'draining') this.reportStep('draining', this.pulse.grace);
    const type = isBlocked ? 'worker.blocked' : 'worker.responsive';
    this.reportEvent(type, { durationMs: Math.round(blockedMs) });
  }

  /** @param {boolean} isHeld whether it replies to nothing, so that it gets no connections and is not judged */
  hold(isHeld) {
    if (isHeld === this.pulse.isHeld) return;
    this.pulse.heldUntilMs = isHeld ? Infinity : performance.now();
    this.emit('change');
  }

  /** What it must pass to be online, or to get traffic, may have changed. */
  noteCheck() {
    this.emit('change');
    this.readiness.look();
  }

  /** Node's exit may wait forever for a thread that waits for it (nodejs/node#54918). @param {ChildProcess} child */
  #expectExit(child) {
    const reason = /** @type {const} */ ({ kind: 'late', what: 'exit', afterMs: EXIT_MS });
    const timer = setTimeout(() => this.end({ signal: 'SIGKILL', reason }), EXIT_MS);
    child.once('exit', () => clearTimeout(timer));
  }

  /** @param {Drain} drain @param {Reason} [reason] */
  async #drain(drain, reason) {
    if ('forMs' in drain) {
      this.#become('draining', reason);
      setTimeout(() => this.#stop(), drain.forMs).unref();
      return;
    }
    const { agent } = this;
    if (!agent || this.listening.size === 0) return this.#stop();
    this.pulse.startDrain();
    this.#become('draining', this.pulse.grace);
    this.closedConnections = await agent.drain(this.launch.spec, drain.idle);
    this.#stop();
  }

  /** @param {{signal?: NodeJS.Signals, reason?: Reason}} [how] */
  #stop({ signal, reason } = {}) {
    if (this.status === 'stopping' || this.#hasExited) return;
    this.pulse.end();
    // What it is to be started with has not been read.
    if (!this.#process) return void this.#onExit({ code: null, signal: null });
    this.#become('stopping', reason);
    this.#process.stop(signal);
  }

  /** @param {NodeJS.ErrnoException} error @param {Pick<Exit, 'isShortage'>} [more] */
  #onStartError({ message, code: error = message }, more) {
    this.output.add(message);
    const reason = /** @type {const} */ ({ kind: 'start', error });
    queueMicrotask(() => this.#onExit({ code: null, signal: null }, { reason, ...more }));
  }

  /** @param {Pick<Exit, 'code' | 'signal'>} how @param {Partial<Exit>} [more] */
  async #onExit(how, more) {
    if (this.#hasExited) return;
    this.#hasExited = true;
    const stdin = this.#process?.stdinEnd(how);
    const fact = this.fault ?? { kind: 'exit', ...withoutNulls(how), ...stdin };
    const exit = { ...how, ...more, reason: this.failure ?? more?.reason ?? fact };
    this.readiness.end();
    this.pulse.end();
    this.cleanedUp = this.#process?.cleanUp() ?? this.cleanedUp;
    // A stop is over when no stray process is left and the last output is logged.
    if (this.isRetired) [this.departure] = [await this.cleanedUp, await this.output.written()];
    else this.failure = exit.reason;
    this.emit('exit', exit);
  }

  /** Also called for the first command, which may arrive after the worker has started. */
  reportStart() {
    const { slot, pid, generation, status, after, expected, mustStayUp, launch } = this;
    if (status !== 'starting' && status !== 'online') return;
    const { minUptimeMs: ms } = launch.spec;
    const listens = expected === 'any' || typeof expected === 'object';
    const reason = mustStayUp && ms > 0 ? { kind: 'uptime', ms, listens } : undefined;
    const start = { kind: 'starting', slot, pid, generation, reason };
    this.emit('progress', { ...start, after: after ?? undefined });
    if (status === 'online') this.reportStep('online');
  }

  /** The current command relays it. @param {string} kind @param {Reason} [reason] */
  reportStep(kind, reason) {
    const { slot, pid, generation } = this;
    this.emit('progress', { kind, slot, pid, generation, reason });
  }

  /** No command waits for it. @param {string} type @param {Partial<PrimaryEvent>} [more] */
  reportEvent(type, more) {
    const { slot, pid, generation } = this;
    this.emit('event', { type, slot, pid, generation, ...more });
  }

  /** @param {'online' | 'draining' | 'stopping'} status @param {Reason} [reason] */
  #become(status, reason) {
    this.status = status;
    this.emit('change');
    this.reportStep(status, reason);
  }
}
