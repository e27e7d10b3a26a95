/**
 * One worker process from the primary's side: its way from starting to online, and from there
 * through draining and stopping to gone. What a death means is decided elsewhere.
 */
import { EventEmitter } from 'node:events';
import { BEAT_EVERY_MS, describeHang } from '../lifecycle/hang-policy.js';
import { describeExit } from '../lifecycle/restart-policy.js';
import { judgeReadiness } from '../lifecycle/readiness.js';
import { AgentLink } from './agent-link.js';
import { guardChannel } from './guarded-channel.js';
import { assertFolder } from './launchers/working-folder.js';
import { WorkerOutput } from './log/worker-output.js';
import { Termination } from './termination.js';

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
 * @property {{out: import('./log/log-file.js').LogFile, error: import('./log/log-file.js').LogFile}} logs
 */

/**
 * Emits 'change', 'listening' (address), 'progress' (kind, data), 'hung' when it is killed because it
 * does not respond, and, once, 'gone' (exit).
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
  #saidReady = false;
  #startedMs = performance.now();
  /** When the program was loaded, as far as anybody can tell. @type {number | null} */
  #loadedAtMs = null;
  /** @type {NodeJS.Timeout | undefined} */
  #judgeTimer;
  /** @type {Termination | null} */
  #termination = null;
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
    this.#judge();
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
    clearTimeout(this.#judgeTimer);
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
    if (hasAgent) this.#agent = new AgentLink(child, this.#news());
    else this.#onLoaded();
    guardChannel(child, () => this.#onBrokenChannel());
    this.output.attach(child, this.order.logs);
    child.on('message', (message) => this.#onMessage(message));
    child.once('exit', (code, signal) => this.#onExit({ code, signal }));
    child.on('error', (failure) => {
      if (child.pid === undefined) this.#couldNotStart(failure);
    });
  }

  #news() {
    return {
      loaded: () => this.#onLoaded(),
      listening: (/** @type {string} */ name) => this.#onListening(name),
      closed: (/** @type {string} */ name) => void this.listening.delete(name),
      beat: () => void (this.pulse.lastBeatMs = performance.now()),
    };
  }

  #onLoaded() {
    this.#loadedAtMs = performance.now();
    this.#judge();
  }

  /** @param {string} address */
  #onListening(address) {
    this.listening.add(address);
    this.launch.hasListened = true;
    this.emit('listening', address);
    this.#judge();
  }

  /** @param {unknown} message what the program sent with process.send */
  #onMessage(message) {
    if (message !== 'ready') return;
    this.#saidReady = true;
    this.#judge();
  }

  #judge() {
    if (this.status !== 'starting' || this.#isGone) return;
    clearTimeout(this.#judgeTimer);
    const { waitReady, minUptimeMs, listenTimeoutMs } = this.launch.spec;
    const { expected, replaces } = this.order;
    const nowMs = performance.now();
    const readiness = judgeReadiness({
      waitReady,
      minUptimeMs,
      listenTimeoutMs,
      expected,
      replaces,
      saidReady: this.#saidReady,
      listening: [...this.listening],
      uptimeMs: this.uptimeMs,
      loadedMs: this.#loadedAtMs === null ? null : nowMs - this.#loadedAtMs,
    });
    if (readiness.verdict === 'online') return this.#becomeOnline();
    if (readiness.verdict === 'failed') return this.#giveUp(readiness.reason);
    if (readiness.ms === null) return;
    this.#judgeTimer = setTimeout(() => this.#judge(), readiness.ms + 1);
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
    if (!this.child || this.#termination || this.#isGone) return;
    this.#setStatus('stopping');
    this.#progress('stopping');
    this.#termination = this.#newTermination();
    this.#termination?.begin(signal);
  }

  #newTermination() {
    const { child, mark, ownsGroup = false } = this;
    const { spec } = this.launch;
    return child ? new Termination({ child, spec, ownsGroup, mark }, this.order.remains) : null;
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
    clearTimeout(this.#judgeTimer);
    this.#agent?.gone();
    const nothingLeft = (this.#termination ?? this.#newTermination())?.gone();
    // One that is stopped is gone with all that it has started; one that died is replaced at once.
    if (this.wasRetired) await nothingLeft;
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
