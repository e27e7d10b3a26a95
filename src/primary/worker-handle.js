/**
 * One worker process from the primary's side: its way from starting to online, and from there
 * through draining and stopping to gone. What a death means is decided elsewhere.
 */
import { EventEmitter } from 'node:events';
import { BEAT_EVERY_MS, describeHang } from '../lifecycle/hang-policy.js';
import { describeExit } from '../lifecycle/restart-policy.js';
import { AgentLink } from './agent-link.js';
import { guardChannel } from './guarded-channel.js';
import { assertFolder } from './launchers/working-folder.js';
import { WorkerOutput } from './log/worker-output.js';
import { ReadinessWatch } from './readiness-watch.js';
import { Termination } from './termination.js';
import { WorkerTelemetry } from './worker-telemetry.js';

/**
 * @typedef {import('./launch.js').Launch} Launch
 * @typedef {import('../lifecycle/restart-policy.js').Exit} Exit
 *
 * @typedef {object} Pulse of its event loop, as its agent tells
 * @property {number} lastBeatMs monotonic; or since when a beat is waited for
 * @property {number | null} blockedSince epoch, in milliseconds
 *
 * @typedef {object} WorkerOrder
 * @property {number} key unique in this primary
 * @property {number} slot
 * @property {Launch} launch
 * @property {'none' | 'any' | readonly string[]} expected what it must listen on to be online
 * @property {boolean} replaces it is to take over from a working one
 * @property {import('./launchers/launched.js').Launcher} launcher
 * @property {import('./remains.js').Remains} remains
 * @property {import('./log/app-logs.js').AppLogs} logs
 */

/**
 * Emits 'change', 'listening' (address), 'message' (of the program), 'progress' (kind, data), 'event',
 * 'hung' when it is killed because it does not respond, and, once, 'gone' (exit).
 */
export class WorkerHandle extends EventEmitter {
  /** @type {'starting' | 'online' | 'draining' | 'stopping'} */
  status = 'starting';
  /** @type {number | null} */
  pid = null;
  startedAt = Date.now();
  /** Monotonic, in milliseconds. @type {number | null} */
  onlineAtMs = null;
  /** Its end is wanted: then it is no death. */
  wasRetired = false;
  /** Why it is dead, or was given up, without its end being wanted. @type {string | null} */
  failure = null;
  /** Connections that were still open when its drain ended. */
  cut = 0;
  /** @type {Set<string>} */
  listening = new Set();
  /** Killed because its event loop was blocked. */
  isHung = false;
  output = new WorkerOutput();
  /** @type {Pulse} */
  pulse = { lastBeatMs: 0, blockedSince: null };
  telemetry = new WorkerTelemetry();
  #startedMs = performance.now();
  #readiness = new ReadinessWatch(this, {
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
    this.generation = order.launch.generation;
    this.mark = order.remains.newMark();
  }

  /** @returns {number} how long it has been there, in milliseconds */
  get uptimeMs() {
    return performance.now() - this.#startedMs;
  }

  start() {
    try {
      assertFolder(this.launch.cwd);
      this.#attach(this.order.launcher(this.launch, this.slot, this.mark));
    } catch (error) {
      this.#couldNotStart(/** @type {Error} */ (error));
    }
    this.announce();
    this.#readiness.look();
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
    this.#readiness.end();
    if (this.#agent === null || this.listening.size === 0) return this.#stop();
    this.#setStatus('draining');
    this.#progress('draining');
    const { drainTimeoutMs: timeoutMs, shutdownWithMessage, killSignal } = this.launch.spec;
    const signal = shutdownWithMessage ? null : killSignal;
    this.#agent.drain({ timeoutMs, idle, signal }).then((open) => {
      this.cut = open;
      this.#stop();
    });
  }

  /** Of a worker that starts, drains or stops, other deadlines take care. */
  get isJudged() {
    return this.status === 'online' && this.#agent !== null && this.#agent.isConnected;
  }

  /** @param {number} silentMs */
  endHung(silentMs) {
    this.isHung = true;
    this.failure = describeHang(silentMs);
    this.emit('hung');
    this.#stop('SIGABRT');
  }

  /** @param {import('./launchers/launched.js').Launched} launched */
  #attach({ child, hasAgent, ownsGroup }) {
    this.pid = child.pid ?? null;
    this.child = child;
    this.ownsGroup = ownsGroup;
    const { launch, mark } = this;
    this.#termination = new Termination({ child, launch, ownsGroup, mark }, this.order.remains);
    if (hasAgent) this.telemetry.attach((this.#agent = new AgentLink(child, this.#news())));
    else this.#readiness.loaded();
    guardChannel(child, () => this.#onBrokenChannel());
    this.output.attach(child, this.slot, this.order.logs);
    child.on('message', (message) => this.#onMessage(message));
    child.once('exit', (code, signal) => this.#onExit({ code, signal }));
    child.on('error', (failure) => {
      if (child.pid === undefined) this.#couldNotStart(failure);
    });
  }

  #news() {
    return {
      loaded: () => this.#readiness.loaded(),
      listening: (/** @type {string} */ name) => this.#onListening(name),
      closed: (/** @type {string} */ name) => void this.listening.delete(name),
      beat: () => void (this.pulse.lastBeatMs = performance.now()),
      telemetry: (/** @type {object} */ report) => this.telemetry.received(report),
    };
  }

  /** @param {string} address */
  #onListening(address) {
    this.listening.add(address);
    this.launch.hasListened = true;
    this.emit('listening', address);
    this.#readiness.look();
  }

  /** @param {unknown} message what the program sent with process.send */
  #onMessage(message) {
    if (message === 'ready') this.#readiness.saidReady();
    else this.emit('message', message);
  }

  #becomeOnline() {
    this.onlineAtMs = performance.now();
    this.pulse.lastBeatMs = this.onlineAtMs;
    this.#agent?.wantBeats(BEAT_EVERY_MS);
    this.#setStatus('online');
    this.#progress('online');
  }

  /** It could neither be handed a connection nor be asked to drain. */
  #onBrokenChannel() {
    this.#readiness.end();
    this.failure = 'wrote to the channel that it has to its parent what is no message';
    this.child?.kill('SIGKILL');
  }

  /** @param {string} reason */
  #giveUp(reason) {
    this.failure = reason;
    this.#stop();
  }

  /** @param {'SIGABRT'} [signal] instead of asking it as its spec says */
  #stop(signal) {
    if (!this.#termination || this.status === 'stopping' || this.#isGone) return;
    this.#setStatus('stopping');
    this.#progress('stopping');
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
    this.#readiness.end();
    this.#agent?.gone();
    this.telemetry.gone();
    const nothingLeft = this.#termination?.gone();
    // One that is stopped is gone with all that it has started, and its last words are in the log;
    // one that died is replaced at once.
    if (this.wasRetired) await Promise.all([nothingLeft, this.output.written()]);
    else this.failure ??= describeExit(exit);
    this.emit('gone', exit);
  }

  /** @param {'online' | 'draining' | 'stopping'} status */
  #setStatus(status) {
    this.status = status;
    this.emit('change');
  }

  /** @param {string} kind */
  #progress(kind) {
    const { slot, pid, generation } = this;
    this.emit('progress', { kind, slot, pid, generation });
  }
}
