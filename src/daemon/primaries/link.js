/**
 * The daemon's link to the primary of one app, through its exits and launches. As long as it is not
 * certain that no primary runs, none is started: it may still be serving.
 */
import { EventEmitter } from 'node:events';
import { NodeclusterError } from '../../errors/error.js';
import { explainFailure, explainOutcome, explainSnapshot } from '../ports.js';
import { poll } from '../../shared/deadline.js';
import { socketsFor } from '../users/privileged-ports.js';
import { HeldSockets } from './held-sockets.js';
import { endIn, WorkerIdentities } from './shutdown.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { PrimaryMethods, Snapshot } from '../../protocol/methods.js'
 * @import { PartialOutcome, Progress } from '../../protocol/shapes.js'
 * @import { InheritedSocket } from '../../shared/inherited-socket.js'
 * @import { Output } from '../../shared/processes/records.js'
 * @import { ReportProgress } from '../control/run-command.js'
 * @import { Log } from '../log.js'
 * @import { HolderOf } from '../ports.js'
 * @import { Order, Primaries } from './primaries.js'
 * @import { Primary, RequestOptions, Tenant } from './primary.js'
 */

/** Of looks at what a primary has reported. */
const POLL_MS = 20;

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
 * @property {PrimaryLink} [predecessor] whose sockets a launched primary gets
 */

/** Events: what a tenant is told; 'found' and 'lost' also when it turns out whether a primary runs. */
export class PrimaryLink extends EventEmitter {
  /** The current one, or the last one. @type {Primary | null} */
  #primary = null;
  /** What that tells this app; null: it is not there. @type {Tenant | null} */
  #tenant = null;
  /** The id of a primary in which it may be. @type {number | null} */
  #suspected = null;
  /** Why none could be started. @type {string | null} */
  #launchFailure = null;
  /** @type {Promise<void> | null} */
  #launching = null;
  /** Leads to a second primary of the app, while that takes the place of this one. @type {PrimaryLink | null} */
  second = null;
  /** The last one that a primary reported; kept after it exits. @type {Snapshot | null} */
  snapshot = null;
  #workers = new WorkerIdentities();
  heldSockets = new HeldSockets();
  #options;
  #log;

  /** @param {LinkOptions} options */
  constructor(options) {
    super();
    this.#options = options;
    this.#log = options.log.of({ app: options.app });
  }

  /** Unknown: one may run that does not answer. */
  get state() {
    if (this.#doubt !== null) return 'unknown';
    const { state } = this.#primary ?? { state: 'exited' };
    return this.#tenant?.isHosted && state !== 'exited' ? state : 'none';
  }

  /** Why it is not clear whether there is a primary. */
  get #doubt() {
    return this.#options.primaries.doubtOf(this.#suspected);
  }

  /** Why it is unknown, or could not be started. */
  get trouble() {
    return this.#doubt ?? this.#launchFailure ?? this.#primary?.trouble ?? null;
  }

  /** Of the current primary, or of the last one. */
  get record() {
    return this.#primary?.record ?? null;
  }

  get pid() {
    return this.state === 'none' || this.#doubt !== null ? null : this.#current.record.pid;
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
    const tenant = this.#tenantOf();
    tenant.isHosted = true;
    primary.attach(this.#options.app, tenant);
    this.#use(primary, tenant);
    const { pid } = primary.record;
    if (snapshot === undefined) {
      this.#log.error('primary.silent', { primary: pid, reason: primary.trouble });
      return;
    }
    this.#log.info('primary.adopted', { primary: pid });
    tenant.connected();
    tenant.reported(snapshot, primary.record.uid);
  }

  /** @param {number | null} id of a primary in which it may be, if that runs */
  suspect(id) {
    this.#suspected = id;
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
    const reason = this.#doubt;
    if (reason !== null) throw new NodeclusterError('E_PRIMARY_UNCLEAR', { app, reason });
    if (this.state === 'unknown') throw this.#current.error('E_PRIMARY_SILENT', app);
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
    const stopWorkers = (/** @type {number} */ withinMs) =>
      this.#stopWorkers(withinMs, killSignal, isRedundant);
    // It would serve as soon as the first one has ended.
    if (!isRedundant) await this.second?.shutdown({ timeoutMs });
    await this.#launching?.catch(() => {});
    if (this.#doubt !== null) this.refuseUnknown();
    const tenant = this.#tenant;
    if (this.state === 'none' || tenant === null) {
      this.heldSockets.releaseAll();
      await stopWorkers(timeoutMs);
      return null;
    }
    const primary = this.#current;
    tenant.isLeaving = true;
    const options = { report, timeoutMs };
    const ask = () =>
      isRedundant
        ? primary.request(app, 'retire', {}, options)
        : primary.request(app, 'shutdown', { areSocketsHeld }, options);
    const hasEnded = () => this.#tenant !== tenant;
    const outcome = await endIn(primary, app, { ask, hasEnded, timeoutMs, stopWorkers }, this.#log);
    this.#leave(tenant);
    this.#letGo(areSocketsHeld || isRedundant);
    return outcome;
  }

  /** @param {boolean} areHeld for another primary */
  #letGo(areHeld) {
    if (areHeld) this.#expireHeldSockets();
    else this.heldSockets.releaseAll();
  }

  /** @param {number} withinMs @param {Spec['killSignal']} killSignal @param {boolean} isRedundant */
  async #stopWorkers(withinMs, killSignal, isRedundant) {
    const { app, primaries } = this.#options;
    // What the first left is ended by the second, and the other way round.
    const left = isRedundant ? null : primaries.leftBy(app);
    await this.#workers.stop(withinMs, killSignal, Array.isArray(left) ? left : []);
    if (!isRedundant) primaries.settle(app);
  }

  /** Leads to where the second leads. */
  takeSecond() {
    const { second } = this;
    if (second === null) return;
    this.second = null;
    const primary = second.#primary;
    const isThere = second.state !== 'none' && primary !== null;
    second.#leave(second.#tenant);
    this.heldSockets.releaseAll();
    this.heldSockets = second.heldSockets;
    this.snapshot = second.snapshot;
    this.#workers = second.#workers;
    if (isThere) this.adopt(primary, second.snapshot ?? undefined);
  }

  /** @param {Tenant | null} tenant */
  #leave(tenant) {
    if (tenant) this.#primary?.detach(this.#options.app, tenant);
    if (this.#tenant === tenant) this.#tenant = null;
  }

  /** @param {Order} order @param {NonNullable<Parameters<PrimaryLink['launch']>[1]>} how */
  async #launch(order, { sockets = [], output = null, preferred = null, beside }) {
    const { app, holderOf, primaries, noted } = this.#options;
    const held = beside?.heldSockets ?? this.heldSockets;
    const tenant = this.#tenantOf();
    /** What the new primary hands over again. @type {ReturnType<HeldSockets['take']>} */
    let taken = [];
    try {
      const inherited = socketsFor(app, order.spec, held, sockets, holderOf);
      if (!beside) taken = held.take();
      const except = beside ? beside.#primary : null;
      const lodger = { order, sockets: inherited, output, tenant, preferred, except, noted };
      this.#use(await primaries.host(lodger), tenant);
      if (tenant.hasEnded) throw this.#goneError();
      tenant.isHosted = true;
      this.#log.info('primary.started', { primary: this.pid, generation: order.generation });
    } catch (error) {
      for (const [name, handle] of taken.splice(0)) held.add(name, handle);
      this.#expireHeldSockets();
      this.#launchFailure = NodeclusterError.from(error).message;
      throw error;
    } finally {
      for (const [, handle] of taken) handle.close();
    }
    tenant.connected();
  }

  /** @param {Primary} primary @param {Tenant} tenant */
  #use(primary, tenant) {
    this.#primary = primary;
    this.#tenant = tenant;
    this.#suspected = null;
    this.#launchFailure = null;
  }

  /** @returns {Tenant} */
  #tenantOf() {
    const { holderOf } = this.#options;
    /** @type {Tenant} */
    const tenant = {
      isHosted: false,
      isLeaving: false,
      hasEnded: false,
      heldSockets: this.heldSockets,
      connected: () => {
        this.heldSockets.cancelExpiry();
        this.emit('connected');
      },
      reported: (reported, uid) => {
        const snapshot = explainSnapshot(reported, holderOf);
        this.snapshot = snapshot;
        this.#workers.update(snapshot, uid);
        this.emit('state', snapshot);
      },
      happened: (event) => this.emit('event', explainFailure(event, holderOf)),
      found: () => this.emit('found'),
      ended: () => {
        const wasHere = this.#tenant === tenant;
        if (wasHere) this.#tenant = null;
        if (!wasHere || tenant.isLeaving) return;
        this.#log.warn('primary.lost', { primary: this.record?.pid });
        this.#expireHeldSockets();
        this.emit('lost');
      },
    };
    return tenant;
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
