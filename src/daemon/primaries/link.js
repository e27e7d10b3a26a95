/**
 * The daemon's link to the primary of one app. A primary that runs but does not answer is
 * 'unknown': it may still be serving, so it is never shown as stopped and never started twice.
 */
import { EventEmitter } from 'node:events';
import { NodeclusterError } from '../../errors/error.js';
import { dialPrimary } from './connection.js';
import { failureCode } from './request-failure.js';
import { clarifyPrimary, findPrimary } from './find-primary.js';
import { launchPrimary } from './launch.js';
import { seekPrimary } from './seek.js';
import { PrimaryPulse } from './pulse.js';
import { killPrimary, shutDownPrimary, WorkerIdentities } from './shutdown.js';
import { HeldSockets } from './held-sockets.js';
import { Succession } from './succession.js';
import { socketsFor } from '../users/privileged-ports.js';

/**
 * @import { PrimaryVerdict } from '../../lifecycle/primary-policy.js'
 * @import { PrimaryEvent, PrimaryMethods, Snapshot } from '../../protocol/methods.js'
 * @import { PartialOutcome } from '../../protocol/shapes.js'
 * @import { InheritedSocket } from '../../shared/inherited-socket.js'
 * @import { AppPaths } from '../../shared/home.js'
 * @import { ReportProgress } from '../control/run-command.js'
 * @import { Log } from '../log.js'
 * @import { HolderOf } from '../ports/explain.js'
 * @import { PrimaryConnection } from './connection.js'
 * @import { LaunchOrder } from './launch.js'
 * @import { PrimaryRecord } from '../../shared/processes/primary-record.js'
 * @import { Leaving } from './request-failure.js'
 */

const LAUNCH_MS = 30_000;
const BYE_MS = 5000;

/**
 * Events: 'state' with each snapshot that the primary reports; 'event' with each other event;
 * 'connected' when it answers; 'found' if it was unknown before; 'lost' after an unexpected exit, and
 * if it could not be started.
 */
export class PrimaryLink extends EventEmitter {
  #pathsOf;
  #log;
  #options;
  /** @type {'none' | 'unknown' | 'connected'} */
  state = 'none';
  /** @type {PrimaryRecord | null} */
  record = null;
  /** The last one that the primary reported; kept after it exits. @type {Snapshot | null} */
  snapshot = null;
  /** Why it is unknown, or could not be started. @type {string | null} */
  trouble = null;
  /** @type {PrimaryConnection | null} */
  #connection = null;
  /** Set while the connection is being closed on purpose. @type {Leaving | null} */
  #leaving = null;
  /** @type {Promise<void> | null} */
  #launching = null;
  /** @type {PrimaryPulse | null} */
  #pulse = null;
  #workers = new WorkerIdentities();
  heldSockets = new HeldSockets();
  #inherits;
  /** Its replacement by another primary, started beside it. */
  succession = new Succession(this, () => this.#pathsOf(null).nextRecord);

  /**
   * @param {string} app its name
   * @param {(uid?: number | null) => AppPaths} pathsOf uid: the user that its primary runs as
   * @param {Log} log
   * @param {object} options
   * @param {HolderOf} options.holderOf
   * @param {number} [options.firstReplyMs] how long a launch waits for the new primary to answer
   * @param {PrimaryLink} [options.predecessor] whose sockets a launched primary gets
   */
  constructor(app, pathsOf, log, { holderOf, firstReplyMs = LAUNCH_MS, predecessor }) {
    super();
    this.#inherits = predecessor?.heldSockets ?? this.heldSockets;
    this.#options = { app, holderOf, firstReplyMs };
    this.#pathsOf = pathsOf;
    this.#log = log.of({ app });
  }

  get pid() {
    return this.state === 'none' ? null : (this.record?.pid ?? null);
  }

  /**
   * Connects to the primary that an earlier daemon started, if there is one.
   * @param {number | null} uid the user that it should run as; its record may have another one
   */
  async adopt(uid) {
    const paths = this.#pathsOf(uid);
    const found = await findPrimary(paths, false);
    if (found.kind === 'none') return;
    this.state = 'unknown';
    if (found.kind === 'found') await this.#adopt(found.record);
    else this.#clarify(paths, found.reason);
  }

  /**
   * @param {LaunchOrder} order
   * @param {InheritedSocket[]} [sockets] that it inherits besides the held ones
   * @throws {NodeclusterError} E_PRIMARY_START, E_PRIMARY_SILENT if one runs but does not answer
   */
  async launch(order, sockets = []) {
    this.refuseUnknown();
    if (this.state === 'none' && this.succession.isPending) await this.adoptSuccessor();
    if (this.state === 'connected') return;
    this.#launching = this.#launch(order, sockets).finally(() => (this.#launching = null));
    try {
      await this.#launching;
    } catch (error) {
      if (this.pid === null) this.emit('lost');
      throw error;
    }
  }

  /** Must be called before anything is saved. @throws {NodeclusterError} E_PRIMARY_SILENT, E_PRIMARY_UNCLEAR */
  refuseUnknown() {
    if (this.state !== 'unknown') return;
    throw this.#error(this.record === null ? 'E_PRIMARY_UNCLEAR' : 'E_PRIMARY_SILENT');
  }

  /**
   * @template {keyof PrimaryMethods} K
   * @param {K} method
   * @param {PrimaryMethods[K]['params']} params
   * @param {{report?: ReportProgress, timeoutMs?: number}} [options]
   * @returns {Promise<PrimaryMethods[K]['result']>}
   * @throws {NodeclusterError} E_PRIMARY_SILENT, E_PRIMARY_GONE, or what the primary threw
   */
  async request(method, params, options = {}) {
    this.refuseUnknown();
    return this.#request(method, params, options);
  }

  /**
   * Shuts down the primary and its workers; kills them if that takes too long.
   * @param {{timeoutMs: number, report?: ReportProgress, areSocketsHeld?: boolean, isRelieved?: boolean}}
   *   options areSocketsHeld: for the primary that is launched next; isRelieved: another serves
   *   the same sockets already
   * @returns {Promise<PartialOutcome | null>} null: there was none
   */
  async shutdown({ timeoutMs, report, areSocketsHeld = false, isRelieved = false }) {
    if (!isRelieved) await this.succession.end(timeoutMs);
    await this.#launching?.catch(() => {});
    const { record } = this;
    if (record === null) this.refuseUnknown();
    if (this.state === 'none' || record === null) {
      this.heldSockets.releaseAll();
      await this.#workers.stop(timeoutMs);
      return null;
    }
    this.#leaving = 'E_APP_KILLED';
    const outcome = await shutDownPrimary(record, {
      // One that is late may still do it.
      request: () => {
        if (isRelieved) return this.#request('retire', {}, { report, timeoutMs });
        return this.#request('shutdown', { areSocketsHeld }, { report, timeoutMs });
      },
      timeoutMs,
      workers: this.#workers,
      log: this.#log,
    });
    this.#connection?.close();
    this.#endHolding(areSocketsHeld || isRelieved);
    this.#unfollow();
    return outcome;
  }

  /** @param {boolean} areSocketsHeld for a while */
  #endHolding(areSocketsHeld) {
    if (areSocketsHeld) this.heldSockets.expire(this.snapshot?.spec.holdTimeoutMs ?? 0);
    else this.heldSockets.releaseAll();
  }

  /** The primary has exited, and its successor takes its place by itself. */
  async adoptSuccessor() {
    await this.succession.whenDone();
    this.#leaving = null;
    await this.adopt(null);
  }

  /** Another link leads to the primary now. */
  detach() {
    this.#leaving = 'E_APP_KILLED';
    this.#pulse?.end();
    this.#connection?.close();
    this.heldSockets.releaseAll();
  }

  /**
   * This daemon exits. Its requests end without an outcome.
   * @param {{isLast: boolean}} daemon isLast: no primary starts the next one
   */
  async leave({ isLast }) {
    if (this.#connection === null) return;
    const isShuttingDown = this.#leaving !== null;
    this.#leaving ??= 'E_DAEMON_EXITS';
    if (isLast) await this.request('bye', {}, { timeoutMs: BYE_MS }).catch(() => {});
    // Without its connection, a primary that is shutting down would be mistaken for one that hangs.
    if (!isShuttingDown) this.#connection?.close();
  }

  /** @param {PrimaryRecord} record */
  async #adopt(record) {
    this.#follow(record);
    try {
      await this.#dial(record);
      this.#log.info('primary.adopted', { primary: record.pid });
    } catch (error) {
      this.trouble = NodeclusterError.from(error).message;
      this.#log.error('primary.silent', { primary: record.pid, reason: this.trouble });
      this.#recover(record);
    }
  }

  /** @param {AppPaths} paths @param {string} reason why it is not clear whether there is a primary */
  async #clarify(paths, reason) {
    const record = await clarifyPrimary(paths, reason, this.#log, (why) => (this.trouble = why));
    await (record ? this.#adopt(record) : this.#unfollow());
    if (this.state !== 'unknown') this.emit(record ? 'found' : 'lost');
  }

  /** @template {keyof PrimaryMethods} K @type {PrimaryLink['request']} */
  async #request(method, params, options = {}) {
    if (this.#connection === null) throw this.#error('E_PRIMARY_GONE');
    try {
      return await this.#connection.request(method, params, options);
    } catch (error) {
      const code = failureCode(error, this.#leaving);
      if (code === null) throw error;
      if (code === 'E_PRIMARY_SILENT') this.trouble = NodeclusterError.from(error).message;
      throw this.#error(code);
    }
  }

  /** @param {LaunchOrder} order @param {InheritedSocket[]} sockets */
  async #launch(order, sockets) {
    try {
      const { app, holderOf } = this.#options;
      const inherited = socketsFor(app, order.spec, this.#inherits, sockets, holderOf);
      this.#follow(await launchPrimary(order, this.#pathsOf, inherited, LAUNCH_MS));
    } catch (error) {
      this.heldSockets.expire(order.spec.holdTimeoutMs);
      this.trouble = NodeclusterError.from(error).message;
      throw error;
    }
    this.trouble = null;
    this.#leaving = null;
    const record = /** @type {PrimaryRecord} */ (this.record);
    if (!(await this.#seek(record, this.#options.firstReplyMs))) {
      if (this.pid === null) throw this.#error('E_PRIMARY_GONE');
      this.#recover(record);
      throw this.#error('E_PRIMARY_SILENT');
    }
    this.#log.info('primary.started', { primary: this.pid, generation: order.generation });
  }

  /** @param {PrimaryRecord} record of the primary of this app from now on */
  #follow(record) {
    this.record = record;
    this.state = 'unknown';
    this.#pulse?.end();
    this.#pulse = new PrimaryPulse(record, {
      connection: () => this.#connection,
      judged: (verdict, does) => this.#onJudged(record, verdict, does),
    });
  }

  /** Its primary has exited, or is about to. */
  #unfollow() {
    this.state = 'none';
    this.trouble = null;
    this.#pulse?.end();
  }

  /** @param {PrimaryRecord} record @param {PrimaryVerdict} verdict @param {string} does what it does */
  #onJudged(record, verdict, does) {
    if (!this.#isCurrent(record) && verdict !== 'lost') return;
    if (verdict !== 'responsive')
      this.#log.warn(`primary.${verdict}`, { primary: record.pid, does });
    if (verdict === 'frozen') return killPrimary(record);
    if (this.#connection === null) return;
    if (verdict === 'lost') return this.#connection.giveUp(this.#error('E_PRIMARY_SILENT'));
    this.state = verdict === 'late' ? 'unknown' : 'connected';
    this.trouble = verdict === 'late' ? 'it does not reply to pings' : null;
    if (verdict === 'responsive') this.emit('found');
  }

  /** @param {PrimaryRecord} record */
  async #dial(record) {
    const { app, holderOf } = this.#options;
    const connection = await dialPrimary(record, holderOf, {
      app,
      onState: (snapshot) => {
        this.snapshot = snapshot;
        this.#workers.update(snapshot, record.uid);
        this.emit('state', snapshot);
      },
      onEvent: (/** @type {PrimaryEvent} */ event) => this.emit('event', event),
    });
    if (!this.#isCurrent(record)) {
      connection.close();
      throw this.#error('E_PRIMARY_GONE');
    }
    this.#pulse?.answered();
    this.#connection = connection;
    this.heldSockets.cancelExpiry();
    this.#holdSockets(record);
    this.state = 'connected';
    this.trouble = null;
    this.emit('connected');
    connection.onClose(() => {
      if (this.#connection !== connection) return;
      this.#connection = null;
      this.state = 'unknown';
      if (this.#leaving) this.#unfollow();
      else this.#recover(record);
    });
  }

  /** @param {PrimaryRecord} record */
  #holdSockets(record) {
    if (this.snapshot?.mode !== 'cluster') return;
    const { handover } = this.#pathsOf(record.uid);
    const isCurrent = () => this.#isCurrent(record);
    this.heldSockets.follow(handover, isCurrent, (reason) =>
      this.#log.warn('primary.sockets-not-held', { primary: record.pid, reason }),
    );
  }

  /** @param {PrimaryRecord} record */
  async #recover(record) {
    const isFound = await this.#seek(record);
    if (!this.#isCurrent(record)) return;
    if (!isFound) this.heldSockets.expire(this.snapshot?.spec.holdTimeoutMs ?? 0);
    this.#log.warn(isFound ? 'primary.found' : 'primary.lost', { primary: record.pid });
    this.emit(isFound ? 'found' : 'lost');
  }

  /**
   * @param {PrimaryRecord} record
   * @param {number} [withinMs]
   * @returns {Promise<boolean>} whether it answers
   */
  async #seek(record, withinMs = Infinity) {
    const outcome = await seekPrimary(record, {
      dial: () => this.#dial(record),
      isCurrent: () => this.#isCurrent(record),
      onFailure: (error) => (this.trouble = NodeclusterError.from(error).message),
      withinMs,
    });
    if (outcome === 'ended') this.#unfollow();
    return outcome === 'found';
  }

  /**
   * A later primary of the app listens on the same socket.
   * @param {PrimaryRecord} record
   */
  #isCurrent(record) {
    return this.record === record && this.#leaving === null;
  }

  /** @param {'E_PRIMARY_SILENT' | 'E_PRIMARY_UNCLEAR' | 'E_PRIMARY_GONE' | Leaving} code */
  #error(code) {
    const { pid, trouble: reason, record } = this;
    const { log } = this.#pathsOf(record?.uid);
    return new NodeclusterError(code, { app: this.#options.app, pid, reason, log });
  }
}
