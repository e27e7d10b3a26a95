/**
 * The daemon's link to the primary of one app, through its exits and launches. As long as it is not
 * certain that no primary runs, none is started: it may still be serving.
 */
import { NodeclusterError } from '../../errors/error.js';
import { explainFailure, explainOutcome, explainSnapshot } from '../ports.js';
import { poll } from '../../shared/deadline.js';
import { isAlive } from '../../shared/processes/identity.js';
import { socketsFor } from '../users/privileged-ports.js';
import { HeldSockets } from './held-sockets.js';
import { WorkerIdentities } from './worker-identities.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { PrimaryEvent, PrimaryMethods, Snapshot } from '../../protocol/methods.js'
 * @import { PartialOutcome, Progress } from '../../protocol/shapes.js'
 * @import { InheritedSocket } from '../../shared/inherited-socket.js'
 * @import { Output } from '../../shared/processes/records.js'
 * @import { ReportProgress } from '../control/run-command.js'
 * @import { Log } from '../log.js'
 * @import { HolderOf } from '../ports.js'
 * @import { Order, Primaries } from './primaries.js'
 * @import { RequestOptions } from './connection.js'
 * @import { Primary } from './primary.js'
 */

/** Of looks at what a primary has reported. */
const POLL_MS = 20;
/** For a primary to exit after it replied or was killed. */
const EXIT = { timeoutMs: 5000, everyMs: POLL_MS };
const ABANDON_MS = 5000;

/**
 * @typedef {object} LinkOptions
 * @property {string} app its name
 * @property {Primaries} primaries
 * @property {Log} log
 * @property {string} logFile of primaries
 * @property {HolderOf} holderOf
 * @property {() => Promise<void>} looked when `holderOf` knows all about what was reported
 * @property {() => number} holdTimeoutMs how long its sockets stay open without it
 * @property {(id: number) => Promise<unknown>} noted saves which primary it is about to be in
 * @property {(event: string, ...args: unknown[]) => void} emit 'connected': the primary answers, and has the app;
 *   'state' (snapshot): after each change; 'event' (event); 'found': it answers again; 'lost': nothing of the app is left
 *   there
 */

export class PrimaryLink {
  /** The current one, or the last one. @type {Primary | null} */
  #primary = null;
  /** The app is there, or may be. */
  isHosted = false;
  /** It has been asked to end there. */
  isLeaving = false;
  /** Why none could be started. @type {string | null} */
  #launchFailure = null;
  /** @type {Promise<void> | null} */
  #launching = null;
  /** The last one that a primary reported; kept after it exits. @type {Snapshot | null} */
  snapshot = null;
  #workers = new WorkerIdentities();
  heldSockets = new HeldSockets();
  #options;
  #log;

  /** @param {LinkOptions} options */
  constructor(options) {
    this.#options = options;
    this.#log = options.log.of({ app: options.app });
  }

  /** Unknown: one may run that does not answer. */
  get state() {
    const { state } = this.#primary ?? { state: 'exited' };
    return this.isHosted && state !== 'exited' ? state : 'none';
  }

  /** Why it is unknown, or could not be started. */
  get trouble() {
    return this.#launchFailure ?? this.#primary?.trouble ?? null;
  }

  /** Of the current primary, or of the last one. */
  get record() {
    return this.#primary?.record ?? null;
  }

  get pid() {
    return this.state === 'none' ? null : this.#current.pid;
  }

  /** Where the files of its primary are. */
  get directory() {
    const { paths } = this.#current;
    return paths.user?.dir ?? paths.dir;
  }

  /** Until it carries out no command, perhaps one of an earlier daemon. @param {number} [timeoutMs] */
  whenIdle(timeoutMs = Infinity) {
    // While it is looked for, what it last reported counts.
    const isIdle = () => this.state === 'none' || !this.snapshot?.busy;
    return poll(isIdle, { timeoutMs, everyMs: POLL_MS });
  }

  /**
   * @param {Primary} primary in which it is, or may be
   * @param {Snapshot} [snapshot] that it has reported
   */
  adopt(primary, snapshot) {
    this.isHosted = true;
    this.isLeaving = false;
    this.#launchFailure = null;
    this.#primary = primary;
    primary.attach(this.#options.app, this);
    const { pid, record, trouble: reason } = primary;
    if (snapshot === undefined) {
      this.#log.error('primary.silent', { primary: pid, reason });
      return;
    }
    this.#log.info('primary.adopted', { primary: pid });
    this.connected();
    this.reported(snapshot, record?.uid);
  }

  /**
   * @param {Order} order
   * @param {object} how
   * @param {InheritedSocket[]} [how.sockets] that it inherits besides the held ones
   * @param {Output | null} [how.output]
   * @param {number | null} [how.preferred] the id of the primary in which it was
   * @param {PrimaryLink} [how.beside] leads to the primary that serves, whose sockets it gets too
   * @throws {NodeclusterError} E_PRIMARY_START, E_PRIMARY_SILENT if one runs but does not answer
   */
  async launch(order, how = {}) {
    this.refuseUnknown();
    if (this.state === 'connected') return;
    this.#launching = this.#launch(order, how).finally(() => (this.#launching = null));
    await this.#launching;
  }

  /** Must be called before anything is saved. @throws {NodeclusterError} E_PRIMARY_SILENT, E_PRIMARY_UNCLEAR */
  refuseUnknown() {
    if (this.state === 'unknown') throw this.#current.error('E_PRIMARY_SILENT', this.#options.app);
  }

  /**
   * @template {keyof PrimaryMethods} K
   * @param {K} method
   * @param {PrimaryMethods[K]['params']} params
   * @param {RequestOptions} [options]
   * @returns {Promise<PrimaryMethods[K]['result']>}
   * @throws {NodeclusterError} as refuseUnknown, E_PRIMARY_GONE, and what `request` of a primary throws
   */
  async request(method, params, { report, timeoutMs } = {}) {
    this.refuseUnknown();
    const { app, holderOf, looked } = this.#options;
    if (this.state === 'none') throw this.#goneError();
    const explained =
      report && ((/** @type {Progress} */ step) => report(explainFailure(step, holderOf)));
    const options = { report: explained, timeoutMs };
    const result = await this.#current.request(app, method, params, options);
    await looked();
    return explainOutcome(result, holderOf);
  }

  /**
   * Ends the app there with its workers; kills them if that takes too long.
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
    const { app } = this.#options;
    await this.#launching?.catch(() => {});
    if (this.state === 'none') {
      this.heldSockets.releaseAll();
      await this.#stopWorkers(timeoutMs, killSignal, isRedundant);
      return null;
    }
    const primary = this.#current;
    if (primary.record === null) this.refuseUnknown();
    const deadline = performance.now() + timeoutMs;
    this.isLeaving = true;
    const options = { report, timeoutMs };
    const asked = isRedundant
      ? primary.request(app, 'retire', {}, options)
      : primary.request(app, 'shutdown', { areSocketsHeld }, options);
    /** @type {string | null} */
    let reason = null;
    const outcome = await asked.catch((thrown) => {
      reason = NodeclusterError.from(thrown).message;
      return { ok: true };
    });
    if (reason !== null || !(await poll(() => !this.isHosted, EXIT))) {
      // The primary must end first: it would start its workers again.
      await this.#endAtOnce(primary, reason);
      const leftMs = Math.max(0, deadline - performance.now());
      await this.#stopWorkers(leftMs, killSignal, isRedundant);
    }
    this.#leave(primary, areSocketsHeld || isRedundant);
    return outcome;
  }

  /** @param {Primary} primary @param {boolean} areSocketsHeld for another one */
  #leave(primary, areSocketsHeld) {
    primary.detach(this.#options.app, this);
    this.isHosted = false;
    if (areSocketsHeld) this.#expireHeldSockets();
    else this.heldSockets.releaseAll();
  }

  /**
   * A process that answers goes on with its other apps; another one is killed.
   * @param {Primary} primary @param {string | null} reason why it could not end the app
   */
  async #endAtOnce(primary, reason) {
    const { app } = this.#options;
    if (!this.isHosted) return;
    const hasLeft = async () => {
      if (primary.size === 1) return false;
      const asked = primary.request(app, 'abandon', {}, { timeoutMs: ABANDON_MS });
      return asked.then(
        () => true,
        () => !this.isHosted,
      );
    };
    const goesOn = await hasLeft();
    const { record, pid } = primary;
    const runs = goesOn || (record !== null && isAlive(record));
    // A ping that meets its exit costs the reply that was still to be read.
    if (runs && reason !== null)
      this.#log.error('primary.shutdown-failed', { primary: pid, reason });
    if (goesOn) return;
    if (runs) this.#log.warn('primary.killing', { primary: pid });
    if (runs) primary.signal('SIGKILL');
    // Then it is known which workers it has left.
    await poll(() => primary.state === 'exited', EXIT);
  }

  /** @param {number} withinMs @param {Spec['killSignal']} killSignal @param {boolean} isRedundant */
  async #stopWorkers(withinMs, killSignal, isRedundant) {
    const { app, primaries } = this.#options;
    // What the first left is ended by the second, and the other way round.
    const left = isRedundant ? null : primaries.leftBy(app);
    await this.#workers.stop(withinMs, killSignal, Array.isArray(left) ? left : []);
    if (!isRedundant) primaries.settle(app);
  }

  /** @param {Order} order @param {NonNullable<Parameters<PrimaryLink['launch']>[1]>} how */
  async #launch(order, { sockets = [], output = null, preferred = null, beside }) {
    const { app, holderOf, primaries, noted } = this.#options;
    const held = beside?.heldSockets ?? this.heldSockets;
    this.isLeaving = false;
    /** What the new primary hands over again. @type {ReturnType<HeldSockets['take']>} */
    let taken = [];
    try {
      const inherited = socketsFor(app, order.spec, held, sockets, holderOf);
      if (!beside) taken = held.take();
      const lodger = { order, sockets: inherited, output, link: this, preferred, noted };
      const primary = await primaries.host(lodger);
      this.#primary = primary;
      if (primary.linkOf(app) !== this) throw this.#goneError();
      this.isHosted = true;
      this.#launchFailure = null;
      const { generation } = order;
      this.#log.info('primary.started', { primary: primary.pid, generation });
    } catch (error) {
      for (const [name, handle] of taken.splice(0)) held.add(name, handle);
      this.#expireHeldSockets();
      this.#launchFailure = NodeclusterError.from(error).message;
      this.#options.emit('lost');
      throw error;
    } finally {
      for (const [, handle] of taken) handle.close();
    }
    this.connected();
  }

  /** The primary answers, and has the app. */
  connected() {
    this.heldSockets.cancelExpiry();
    this.#options.emit('connected');
  }

  /** @param {Snapshot} reported @param {number} [uid] of the primary, if that is not trusted */
  reported(reported, uid) {
    const { holderOf, emit } = this.#options;
    this.snapshot = explainSnapshot(reported, holderOf);
    this.#workers.update(this.snapshot, uid);
    emit('state', this.snapshot);
  }

  /** @param {PrimaryEvent} event */
  happened(event) {
    const { holderOf, emit } = this.#options;
    emit('event', explainFailure(event, holderOf));
  }

  /** The primary answers again. */
  found() {
    this.#options.emit('found');
  }

  /** Nothing of the app is left there. */
  ended() {
    const wasHosted = this.isHosted;
    this.isHosted = false;
    if (!wasHosted || this.isLeaving) return;
    this.#log.warn('primary.lost', { primary: this.record?.pid });
    this.#expireHeldSockets();
    this.#options.emit('lost');
  }

  /** Closes them if no primary gets them in time. */
  #expireHeldSockets() {
    this.heldSockets.expire(this.#options.holdTimeoutMs());
  }

  /** @throws {NodeclusterError} E_PRIMARY_GONE */
  get #current() {
    if (this.#primary !== null) return this.#primary;
    throw this.#goneError();
  }

  #goneError() {
    const { app, logFile } = this.#options;
    const log = this.#primary?.paths.log ?? logFile;
    return new NodeclusterError('E_PRIMARY_GONE', { app, log });
  }
}
