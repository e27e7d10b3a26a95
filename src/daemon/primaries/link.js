/**
 * The daemon's link to the primary of one app, through its exits and launches. As long as it is not
 * certain that no primary runs, none is started: it may still be serving.
 */
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeclusterError } from '../../errors/error.js';
import { explainFailure, explainOutcome, explainSnapshot } from '../ports.js';
import { poll } from '../../shared/deadline.js';
import { HEALED_MS } from '../../shared/presence.js';
import { readWorkers } from '../../shared/processes/primary-record.js';
import { socketsFor } from '../users/privileged-ports.js';
import { findPrimary } from './find-running.js';
import { PrimaryHandle } from './handle.js';
import { LAUNCH_MS, launchPrimary } from './launch.js';
import { HeldSockets } from './held-sockets.js';
import { SharedPrimaries } from './shared-primaries.js';
import { endPrimary, WorkerIdentities } from './shutdown.js';
import { Succession } from './succession.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { Snapshot } from '../../protocol/methods.js'
 * @import { PartialOutcome, Progress } from '../../protocol/shapes.js'
 * @import { InheritedSocket } from '../../shared/inherited-socket.js'
 * @import { AppPaths } from '../../shared/home.js'
 * @import { PrimaryRecord } from '../../shared/processes/records.js'
 * @import { ReportProgress } from '../control/run-command.js'
 * @import { Log } from '../log.js'
 * @import { HolderOf } from '../ports.js'
 * @import { Finding } from './find-running.js'
 * @import { LaunchOrder } from './launch.js'
 */

/** ms between two looks for a primary, while it is not clear whether there is one. */
const RETRY_MS = 1000;
/** Of looks at what a primary has reported. */
const POLL_MS = 20;

/**
 * @typedef {object} LinkOptions
 * @property {string} app its name
 * @property {(uid?: number | null) => AppPaths} pathsOf uid: the user that its primary runs as
 * @property {Log} log
 * @property {HolderOf} holderOf
 * @property {() => Promise<void>} [looked] when `holderOf` knows all about what was reported
 * @property {() => number} holdTimeoutMs how long its sockets stay open without it
 * @property {number} [firstReplyMs] how long a launch waits for the new primary to answer
 * @property {SharedPrimaries} [shared]
 * @property {PrimaryLink} [predecessor] whose sockets a launched primary gets
 */

/** Events: those of a handle; 'found' and 'lost' also when it turns out whether a primary runs. */
export class PrimaryLink extends EventEmitter {
  /** To the current primary, or to the last one. @type {PrimaryHandle | null} */
  #handle = null;
  /** Why it is not clear whether there is a primary. @type {string | null} */
  #doubt = null;
  /** Why none could be started. @type {string | null} */
  #launchFailure = null;
  /** @type {Promise<void> | null} */
  #launching = null;
  /** The last one that a primary reported; kept after it exits. @type {Snapshot | null} */
  snapshot = null;
  /** Replacement of the primary by another one, started beside it. */
  succession = new Succession(this, () => this.#options.pathsOf(null).nextRecord);
  #workers = new WorkerIdentities();
  heldSockets = new HeldSockets();
  #inherits;
  #options;
  #log;

  /** @param {LinkOptions} options */
  constructor({ predecessor, ...options }) {
    super();
    this.#inherits = predecessor?.heldSockets ?? this.heldSockets;
    const defaults = {
      firstReplyMs: LAUNCH_MS,
      shared: new SharedPrimaries(),
      looked: async () => {},
    };
    this.#options = { ...defaults, ...options };
    this.#log = options.log.of({ app: options.app });
  }

  /** Unknown: one may run that does not answer. */
  get state() {
    if (this.#doubt !== null) return 'unknown';
    return this.#handle === null || this.#handle.state === 'exited' ? 'none' : this.#handle.state;
  }

  /** Why it is unknown, or could not be started. */
  get trouble() {
    return this.#doubt ?? this.#launchFailure ?? this.#handle?.trouble ?? null;
  }

  /** Of the current primary, or of the last one. */
  get record() {
    return this.#handle?.record ?? null;
  }

  get pid() {
    return this.state === 'none' || this.#doubt !== null ? null : this.#current.record.pid;
  }

  /** Until it carries out no command, perhaps one of an earlier daemon. @param {number} [timeoutMs] */
  whenIdle(timeoutMs = Infinity) {
    // While it is looked for, what it last reported counts.
    const isIdle = () => this.state === 'none' || !this.snapshot?.busy;
    return poll(isIdle, { timeoutMs, everyMs: POLL_MS });
  }

  /**
   * Connects to the primary that an earlier daemon started, if there is one.
   * @param {number | null} uid the user that it should run as; its record may have another one
   */
  async adopt(uid) {
    const paths = this.#options.pathsOf(uid);
    const found = await findPrimary(paths, false);
    if (found.kind === 'found') await this.#adopt(found.record);
    else if (found.kind === 'unclear') this.#clarify(paths, found.reason);
  }

  /**
   * @param {LaunchOrder} order
   * @param {InheritedSocket[]} [sockets] that it inherits besides the held ones
   * @throws {NodeclusterError} E_PRIMARY_START, E_PRIMARY_SILENT if one runs but does not answer
   */
  async launch(order, sockets = []) {
    if (this.state === 'none' && this.succession.isPending) await this.adoptSuccessor();
    this.refuseUnknown();
    if (this.state === 'connected') return;
    this.#launching = this.#launch(order, sockets).finally(() => (this.#launching = null));
    try {
      await this.#launching;
    } catch (error) {
      if (this.state === 'none') this.emit('lost');
      throw error;
    }
  }

  /** Must be called before anything is saved. @throws {NodeclusterError} E_PRIMARY_SILENT, E_PRIMARY_UNCLEAR */
  refuseUnknown() {
    const { app } = this.#options;
    if (this.#doubt !== null) {
      throw new NodeclusterError('E_PRIMARY_UNCLEAR', { app, reason: this.#doubt });
    }
    if (this.#handle?.state === 'unknown') throw this.#handle.error('E_PRIMARY_SILENT');
  }

  /** @type {PrimaryHandle['request']} */
  async request(method, params, { report, timeoutMs } = {}) {
    this.refuseUnknown();
    const { holderOf } = this.#options;
    const explained =
      report && ((/** @type {Progress} */ step) => report(explainFailure(step, holderOf)));
    const options = { report: explained, timeoutMs };
    const result = await this.#current.request(method, params, options);
    await this.#options.looked();
    return explainOutcome(result, holderOf);
  }

  /**
   * Shuts down the primary and its workers; kills them if that takes too long.
   * @param {{timeoutMs: number, killSignal?: Spec['killSignal'], report?: ReportProgress, areSocketsHeld?: boolean,
   *   isRedundant?: boolean}} options areSocketsHeld: for the primary that is launched next; isRedundant: another
   *   serves the same sockets already
   * @returns {Promise<PartialOutcome | null>} null: there was none
   */
  async shutdown({
    timeoutMs,
    killSignal = 'auto',
    report,
    areSocketsHeld = false,
    isRedundant = false,
  }) {
    const stopWorkers = (/** @type {number} */ withinMs) =>
      // The record is that of the other primary as soon as this one has exited.
      this.#workers.stop(withinMs, killSignal, isRedundant ? [] : this.#recordedWorkers);
    if (!isRedundant) await this.succession.end(timeoutMs);
    await this.#launching?.catch(() => {});
    if (this.#doubt !== null) this.refuseUnknown();
    if (this.state === 'none') {
      this.heldSockets.releaseAll();
      await stopWorkers(timeoutMs);
      return null;
    }
    const options = { report, timeoutMs };
    const ask = (/** @type {PrimaryHandle} */ handle) =>
      isRedundant
        ? handle.request('retire', {}, options)
        : handle.request('shutdown', { areSocketsHeld }, options);
    const outcome = await endPrimary(this.#current, ask, timeoutMs, stopWorkers, this.#log);
    if (areSocketsHeld || isRedundant) this.#expireHeldSockets();
    else this.heldSockets.releaseAll();
    return outcome;
  }

  /** The primary has exited, and its successor takes its place by itself. */
  async adoptSuccessor() {
    await this.succession.whenDone();
    await this.adopt(null);
    // On a busy machine its record may be there before it answers, and no command must fail for that.
    await poll(() => this.state !== 'unknown', { timeoutMs: 2 * HEALED_MS, everyMs: POLL_MS });
  }

  /** Another link leads to the primary now. */
  detach() {
    this.#handle?.end();
    this.heldSockets.releaseAll();
  }

  /** @type {PrimaryHandle['leave']} */
  async leave(daemon) {
    await this.#handle?.leave(daemon);
  }

  /** Asks again until it is clear whether there is one. @param {AppPaths} paths @param {string} reason why it is not */
  async #clarify(paths, reason) {
    this.#log.error('primary.unclear', { reason });
    const healedAt = performance.now() + HEALED_MS;
    /** @type {Finding} */
    let found = { kind: 'unclear', reason };
    while (found.kind === 'unclear') {
      this.#doubt = found.reason;
      await sleep(RETRY_MS);
      found = await findPrimary(paths, performance.now() > healedAt);
    }
    this.#doubt = null;
    if (found.kind === 'found') await this.#adopt(found.record);
    if (this.state !== 'unknown') this.emit(this.state === 'connected' ? 'found' : 'lost');
  }

  /** @param {PrimaryRecord} record */
  async #adopt(record) {
    const handle = this.#follow(record);
    const { pid: primary } = record;
    if (await handle.connect(0)) this.#log.info('primary.adopted', { primary });
    else if (handle.state === 'unknown')
      this.#log.error('primary.silent', { primary, reason: handle.trouble });
  }

  /** @param {LaunchOrder} order @param {InheritedSocket[]} sockets */
  async #launch(order, sockets) {
    const { app, holderOf, firstReplyMs, shared } = this.#options;
    try {
      const inherited = socketsFor(app, order.spec, this.#inherits, sockets, holderOf);
      this.#follow(await launchPrimary(order, this.#options.pathsOf, inherited, shared));
    } catch (error) {
      this.#expireHeldSockets();
      this.#launchFailure = NodeclusterError.from(error).message;
      throw error;
    }
    const handle = this.#current;
    if (!(await handle.connect(firstReplyMs))) {
      throw handle.error(handle.state === 'exited' ? 'E_PRIMARY_GONE' : 'E_PRIMARY_SILENT');
    }
    this.#log.info('primary.started', { primary: this.pid, generation: order.generation });
  }

  /** @param {PrimaryRecord} record of the primary of this app from now on */
  #follow(record) {
    const { app, holderOf, shared } = this.#options;
    shared.note(app, record);
    const paths = this.#options.pathsOf(record.uid);
    const logFile = record.shares ? paths.sharedLog : paths.log;
    const handle = new PrimaryHandle(record, { app, log: this.#log, logFile });
    this.#handle = handle;
    this.#launchFailure = null;
    handle.on('state', (/** @type {Snapshot} */ reported) => {
      const snapshot = explainSnapshot(reported, holderOf);
      this.snapshot = snapshot;
      this.#workers.update(snapshot, record.uid);
      this.emit('state', snapshot);
    });
    handle.on('event', (event) => this.emit('event', explainFailure(event, holderOf)));
    handle.on('connected', () => {
      this.heldSockets.cancelExpiry();
      if (this.snapshot?.mode === 'cluster') this.#holdSockets(handle, paths);
      this.emit('connected');
    });
    handle.on('found', () => this.emit('found'));
    handle.on('lost', () => {
      this.#expireHeldSockets();
      this.emit('lost');
    });
    return handle;
  }

  /** @param {PrimaryHandle} handle @param {AppPaths} paths of it */
  #holdSockets(handle, paths) {
    const isCurrent = () => this.#handle === handle && !handle.isLeaving;
    this.heldSockets.follow(paths, isCurrent, (reason) =>
      this.#log.warn('primary.sockets-not-held', { primary: handle.record.pid, reason }),
    );
  }

  get #recordedWorkers() {
    const uid = this.record?.uid;
    const recorded = readWorkers(this.#options.pathsOf(uid).workers) ?? [];
    // The user may write anything there.
    return recorded.map((worker) => ({ ...worker, uid }));
  }

  /** Closes them if no primary gets them in time. */
  #expireHeldSockets() {
    this.heldSockets.expire(this.#options.holdTimeoutMs());
  }

  /** @throws {NodeclusterError} E_PRIMARY_GONE */
  get #current() {
    if (this.#handle !== null) return this.#handle;
    const { app } = this.#options;
    throw new NodeclusterError('E_PRIMARY_GONE', { app, log: this.#options.pathsOf().log });
  }
}
