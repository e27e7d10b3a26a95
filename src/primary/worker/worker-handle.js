/**
 * One worker process from the primary's side: its way from starting to online, and from there
 * through draining and stopping to gone. What a death means is decided elsewhere.
 */
import { EventEmitter } from 'node:events';
import { describeHang } from '../../lifecycle/hang-policy.js';
import { describeExit } from '../../lifecycle/restart-policy.js';
import { AgentLink } from './agent-link.js';
import { assertFolder } from '../launchers/working-directory.js';
import { WorkerOutput } from '../log/worker-output.js';
import { Pulse } from './pulse.js';
import { ReadinessWatch } from './readiness.js';
import { Termination } from './ending.js';
import { newsOf, watchChannel } from './channel.js';
import { WorkerTelemetry } from './telemetry.js';

/**
 * @import { Exit } from '../../lifecycle/restart-policy.js'
 * @import { Launched } from '../launchers/launched.js'
 * @import { Launch } from '../pool/generation.js'
 * @import { WorkerOrder } from './worker-order.js'
 */

/**
 * Emits 'change', 'message' (of the program), 'progress' (kind, data), 'event', 'given up' (how) when
 * it is about to be ended for what it does not do, and, once, 'gone' (exit).
 */
export class WorkerHandle extends EventEmitter {
  /** @type {'starting' | 'online' | 'draining' | 'stopping'} */
  status = 'starting';
  /** @type {number | null} */
  pid = null;
  /** Monotonic, in milliseconds. */
  startedMs = performance.now();
  /** Monotonic, in milliseconds. @type {number | null} */
  onlineAtMs = null;
  /** When it first did, monotonic, in milliseconds. @type {number | null} */
  listenedAtMs = null;
  /** Its end is wanted: then it is no death. */
  wasRetired = false;
  /** Why it is dead, or was given up, without its end being wanted. @type {string | null} */
  failure = null;
  /** Connections that were still open when its drain ended. */
  cut = 0;
  /** @type {Set<string>} */
  listening = new Set();
  /** It has counted as dead since before its end. */
  isGivenUp = false;
  output = new WorkerOutput();
  telemetry = new WorkerTelemetry();
  /** Monotonic, in milliseconds. @type {number | null} */
  drainingSinceMs = null;
  readiness = new ReadinessWatch(this, {
    online: () => this.#becomeOnline(),
    failed: (reason) => this.#giveUp(reason),
  });
  /** @type {Termination | undefined} */
  #termination;
  /** @type {AgentLink | null} */
  #agent = null;
  #isGone = false;

  /** @param {WorkerOrder} order */
  constructor(order) {
    super();
    this.order = order;
    this.key = order.key;
    this.slot = order.slot;
    this.launch = order.launch;
    this.pulse = new Pulse(order.launch);
    this.generation = order.launch.generation;
    this.mark = order.remains.newMark();
  }

  /** @returns {number} how long it has been there, in milliseconds */
  get uptimeMs() {
    return performance.now() - this.startedMs;
  }

  start() {
    try {
      assertFolder(this.launch.cwd);
      this.#attach(this.order.launcher(this.order, this.mark));
    } catch (error) {
      this.#couldNotStart(/** @type {Error} */ (error));
    }
    this.announce();
    this.readiness.look();
  }

  /** Says that it is starting, to those who listen now. */
  announce() {
    if (this.status === 'starting') this.#progress('starting');
  }

  /**
   * Ends its service: drained first if it serves, then stopped.
   * @param {{idle: 'keep' | 'close'}} how whether connections without a request are waited for
   */
  retire({ idle }) {
    if (this.status === 'draining' || this.status === 'stopping' || this.#isGone) return;
    this.wasRetired = true;
    this.readiness.end();
    if (this.#agent === null || this.listening.size === 0) return this.#stop();
    this.pulse.begin(this.#agent);
    this.drainingSinceMs = performance.now();
    this.#become('draining', this.pulse.describeGrace());
    const { drainTimeoutMs: timeoutMs, shutdownWithMessage, killSignal } = this.launch.spec;
    const signal = shutdownWithMessage ? null : killSignal;
    this.#agent.drain({ timeoutMs, idle, signal }).then((open) => {
      this.cut = open;
      this.#stop();
    });
  }

  /** Of a worker that starts or stops, other deadlines take care. */
  get isJudged() {
    const { status } = this;
    return (status === 'online' || status === 'draining') && Boolean(this.#agent?.isConnected);
  }

  /**
   * It counts as dead, and may end what it has begun.
   * @param {string} reason
   * @param {number} graceMs after which it is asked to end
   */
  abandon(reason, graceMs) {
    this.readiness.end();
    this.isGivenUp = true;
    this.failure = reason;
    this.#become('draining', reason);
    this.emit('given up', reason);
    setTimeout(() => this.#stop(), graceMs).unref();
  }

  /** @param {number | null} sinceMs monotonic; null: its event loop turns again */
  setBlocked(sinceMs) {
    this.pulse.blockedSinceMs = sinceMs;
    this.emit('change');
    if (this.status === 'draining') this.#progress('draining', this.pulse.describeGrace());
  }

  /** @param {number} silentMs */
  endHung(silentMs) {
    const reason = describeHang(silentMs);
    if (this.wasRetired) return this.#stop('SIGKILL', `${reason}, killed without a drain`);
    this.#giveUp(reason, { how: `was killed, its ${reason}`, signal: 'SIGABRT' });
  }

  /** @param {Launched} launched */
  #attach({ child, hasAgent, ownsGroup }) {
    this.pid = child.pid ?? null;
    this.child = child;
    this.ownsGroup = ownsGroup;
    const { launch, mark } = this;
    this.#termination = new Termination({ child, launch, ownsGroup, mark }, this.order.remains);
    if (hasAgent) {
      this.#agent = new AgentLink(child, newsOf(this));
      this.#agent.orderOutliving(launch.spec);
      this.telemetry.attach(this.#agent);
    } else this.readiness.loaded();
    watchChannel(this, child);
    this.output.attach(child, this.slot, this.order.logs);
    child.once('exit', (code, signal) => this.#onExit({ code, signal }));
    child.on('error', (failure) => {
      if (child.pid === undefined) this.#couldNotStart(failure);
    });
  }

  /** @param {string} address that it listens on from now on */
  opened(address) {
    this.listening.add(address);
    this.listenedAtMs ??= performance.now();
    this.launch.hasListened = true;
    this.emit('change');
    this.readiness.look();
  }

  #becomeOnline() {
    this.onlineAtMs = performance.now();
    if (this.#agent) this.pulse.begin(this.#agent);
    this.#become('online');
  }

  /**
   * @param {string} reason
   * @param {{how?: string, signal?: NodeJS.Signals}} [how] in words that follow 'the worker'
   */
  #giveUp(reason, { how = reason, signal } = {}) {
    this.isGivenUp = true;
    this.failure = reason;
    this.emit('given up', how);
    this.#stop(signal);
  }

  /**
   * @param {NodeJS.Signals} [signal] instead of asking it as its spec says
   * @param {string} [reason] why not
   */
  #stop(signal, reason) {
    if (!this.#termination || this.status === 'stopping' || this.#isGone) return;
    this.#become('stopping', reason);
    this.#termination.begin(signal);
  }

  /** @param {NodeJS.ErrnoException} error */
  #couldNotStart(error) {
    this.output.add(error.message);
    const exit = { code: null, signal: null, error: error.code ?? null };
    queueMicrotask(() => this.#onExit(exit));
  }

  /** @param {Exit} exit */
  async #onExit(exit) {
    if (this.#isGone) return;
    this.#isGone = true;
    this.readiness.end();
    this.#agent?.gone();
    this.telemetry.gone();
    const nothingLeft = this.#termination?.gone();
    // One that is stopped is gone with all that it has started, and its last words are in the log;
    // one that died is replaced at once.
    if (this.wasRetired) await Promise.all([nothingLeft, this.output.written()]);
    else this.failure ??= describeExit(exit);
    this.emit('gone', exit);
  }

  /**
   * @param {'online' | 'draining' | 'stopping'} status
   * @param {string} [reason]
   */
  #become(status, reason) {
    this.status = status;
    this.emit('change');
    this.#progress(status, reason);
  }

  /**
   * @param {string} kind
   * @param {string} [reason]
   */
  #progress(kind, reason) {
    const { slot, pid, generation } = this;
    this.emit('progress', { kind, slot, pid, generation, reason });
  }
}
