/**
 * The daemon's link to the primary of one app, through its exits and launches. As long as it is not
 * certain that no primary runs, none is started: it may still be serving.
 */
import { NodeclusterError } from '../../errors/error.js';
import { explain } from '../ports.js';
import { poll } from '../../shared/deadline.js';
import { identify, isAlive, isCertain } from '../../shared/processes/identity.js';
import { sendSignal, stopSignalOf } from '../../shared/processes/signal.js';
import { socketsFor } from '../users/privileged-ports.js';
import { HeldSockets } from './held-sockets.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { PrimaryEvent, PrimaryMethods, Snapshot } from '../../protocol/methods.js'
 * @import { PartialOutcome, Progress } from '../../protocol/shapes.js'
 * @import { ProcessIdentity } from '../../shared/processes/records.js'
 * @import { App } from '../apps/app.js'
 * @import { ReportProgress } from '../control/run-command.js'
 * @import { Log } from '../log.js'
 * @import { HolderOf } from '../ports.js'
 * @import { Order, Primaries } from './primaries.js'
 * @import { Primary, RequestOptions } from './primary.js'
 *
 * @typedef {ProcessIdentity & {ownsGroup: boolean}} Worker ownsGroup: it leads a process group
 *
 * @typedef {{timeoutMs: number, killSignal?: Spec['killSignal']} & PrimaryMethods['shutdown']['params']} Ending timeoutMs:
 *   until SIGKILL
 */

/** For a primary to exit after it replied or was killed. */
const EXIT = { timeoutMs: 5000, everyMs: 20 };
const ABANDON_MS = 5000;

/**
 * @typedef {{primaries: Primaries, log: Log, logFile: string, holderOf: HolderOf,
 *   save: () => Promise<unknown>}} Services logFile: of primaries
 */

/**
 * The app emits what happens to its current link: 'connected': the primary answers, and has the app; 'state'
 * (snapshot): after each change; 'event' (event); 'found': it answers again; 'lost': nothing of the app is left there.
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
  /** By pid, identified while they are known to run, since pids are reused. @type {Map<number, Worker | null>} */
  #workers = new Map();
  heldSockets = new HeldSockets();
  #app;
  #services;

  /**
   * @param {App} app
   * @param {number | null} id of the primary in which it is, or was; it is saved before that one is asked
   * @param {Services} services
   */
  constructor(app, id, services) {
    this.#app = app;
    this.id = id;
    this.#services = services;
  }

  get #log() {
    return this.#services.log.of({ app: this.#app.name });
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

  get isLaunching() {
    return this.#launching !== null;
  }

  /** Of the current primary, or of the last one. */
  get record() {
    return this.#primary?.record ?? null;
  }

  get pid() {
    return this.state === 'none' ? null : (this.record?.pid ?? null);
  }

  get directory() {
    const { paths } = this.#current;
    return paths.user?.dir ?? paths.dir;
  }

  /** Until it carries out no command, perhaps one of an earlier daemon. @param {number} [timeoutMs] */
  whenIdle(timeoutMs = Infinity) {
    // While it is looked for, what it last reported counts.
    const isIdle = () => this.state === 'none' || !this.snapshot?.busy;
    return poll(isIdle, { timeoutMs });
  }

  /** @param {Primary} primary in which it is, or may be */
  adopt(primary) {
    const { pid, state, trouble: reason } = primary;
    this.#primary = primary;
    this.id = primary.id;
    this.isHosted = true;
    this.isLeaving = false;
    this.#launchFailure = null;
    primary.attach(this.#app.name, this);
    if (state !== 'connected') return this.#log.error('primary.silent', { primary: pid, reason });
    this.#log.info('primary.adopted', { primary: pid });
    this.connected();
  }

  /**
   * @param {Order} order
   * @param {PrimaryLink} [beside] leads to the primary that serves, whose sockets it gets too
   * @throws {NodeclusterError} E_PRIMARY_START, E_PRIMARY_SILENT if one runs but does not answer
   */
  async launch(order, beside) {
    this.refuseUnknown();
    if (this.state === 'connected') return;
    this.#launching = this.#launch(order, beside).finally(() => (this.#launching = null));
    await this.#launching;
  }

  /** Must be called before anything is saved. @throws {NodeclusterError} E_PRIMARY_SILENT, E_PRIMARY_UNCLEAR */
  refuseUnknown() {
    if (this.state === 'unknown') throw this.#current.error('E_PRIMARY_SILENT', this.#app.name);
  }

  /**
   * @template {keyof PrimaryMethods} K
   * @param {K} method
   * @param {PrimaryMethods[K]['params']} params
   * @param {RequestOptions} [options]
   */
  async request(method, params, { report, timeoutMs } = {}) {
    this.refuseUnknown();
    const { holderOf } = this.#services;
    if (this.state === 'none') throw this.#goneError();
    const explained = report && ((/** @type {Progress} */ step) => report(explain(step, holderOf)));
    const options = { report: explained, timeoutMs };
    const result = await this.#current.request(this.#app.name, method, params, options);
    const { failed, notes } = Object(result);
    explain({ failed, notes }, holderOf);
    return result;
  }

  /**
   * Ends the app there with its workers; kills them if that takes too long.
   * @param {Ending & {report?: ReportProgress}} options
   * @returns {Promise<PartialOutcome | null>} null: there was none
   */
  async shutdown({ report, ...ending }) {
    const { name } = this.#app;
    const { timeoutMs, goesOn } = ending;
    await this.#launching?.catch(() => {});
    if (this.state === 'none') {
      this.heldSockets.close();
      await this.#stopWorkers(ending);
      return null;
    }
    const primary = this.#current;
    if (primary.record === null) this.refuseUnknown();
    const deadline = performance.now() + timeoutMs;
    this.isLeaving = true;
    const asked = primary.request(name, 'shutdown', { goesOn }, { report, timeoutMs });
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
      await this.#stopWorkers({ ...ending, timeoutMs: leftMs });
    }
    primary.detach(name, this);
    this.isHosted = false;
    if (goesOn) this.#expireHeldSockets();
    else this.heldSockets.close();
    return outcome;
  }

  /**
   * A process that answers goes on with its other apps; another one is killed.
   * @param {Primary} primary @param {string | null} reason why it could not end the app
   */
  async #endAtOnce(primary, reason) {
    if (!this.isHosted) return;
    const { record, pid, size } = primary;
    const asked = () => primary.request(this.#app.name, 'abandon', {}, { timeoutMs: ABANDON_MS });
    const goesOn =
      size > 1 &&
      (await asked().then(
        () => true,
        () => !this.isHosted,
      ));
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

  /** @param {Ending} ending */
  async #stopWorkers({ timeoutMs, killSignal = 'auto', goesOn }) {
    const { primaries } = this.#services;
    // What the first left is ended by the second, and the other way round.
    const left = goesOn === 'elsewhere' ? null : primaries.leftBy(this.#app.name);
    const recorded = Array.isArray(left) ? left : [];
    const known = [...recorded, ...this.#workers.values()].filter((worker) => worker !== null);
    const alive = new Map(known.filter(isAlive).map((worker) => [worker.pid, worker]));
    const workers = [...alive.values()];
    // In cluster mode they notice that their primary has exited, and exit by themselves.
    for (const worker of workers) if (worker.ownsGroup) signal(worker, stopSignalOf(killSignal));
    await poll(() => !workers.some(isAlive), { timeoutMs });
    for (const worker of workers) signal(worker, 'SIGKILL');
    if (goesOn !== 'elsewhere') primaries.settle(this.#app.name);
  }

  /** @param {Order} order @param {PrimaryLink} [beside] */
  async #launch(order, beside) {
    const { name } = this.#app;
    const { holderOf, primaries } = this.#services;
    const held = beside?.heldSockets ?? this.heldSockets;
    this.isLeaving = false;
    /** What the new primary hands over again. @type {ReturnType<HeldSockets['take']>} */
    let taken = [];
    try {
      const outer = order.spec.execMode === 'cluster' ? primaries.sockets : [];
      const sockets = socketsFor(order.spec, held, outer, holderOf);
      if (!beside) taken = held.take();
      const primary = await primaries.host({ order, sockets, link: this });
      this.#primary = primary;
      if (primary.links.get(name) !== this) throw this.#goneError();
      this.#log.info('primary.started', { primary: primary.pid, generation: order.generation });
      this.isHosted = true;
    } catch (error) {
      for (const [address, handle] of taken.splice(0)) held.add(address, handle);
      this.#expireHeldSockets();
      this.#launchFailure = NodeclusterError.from(error).message;
      this.#emit('lost');
      throw error;
    } finally {
      for (const [, handle] of taken) handle.close();
    }
    this.connected();
  }

  /** @param {number} id of the primary that is about to be asked to have the app; resolves when that is saved */
  async note(id) {
    if (this.id === id) return;
    this.id = id;
    await this.#services.save();
  }

  /** The primary answers, and has the app. */
  connected() {
    this.#launchFailure = null;
    this.heldSockets.cancelExpiry();
    this.#emit('connected');
  }

  /** @param {Snapshot} reported @param {number} [uid] of the primary, if that is not trusted: that of its workers too */
  reported(reported, uid) {
    const { mode, slots, retiring } = reported;
    this.snapshot = explain(reported, this.#services.holderOf);
    const pids = [...slots.flatMap(({ pid }) => pid ?? []), ...retiring];
    this.#workers = new Map(
      pids.map((pid) => {
        const identity = this.#workers.get(pid) ?? identify(pid);
        return [pid, identity && { ...identity, ownsGroup: mode === 'fork', uid }];
      }),
    );
    this.#emit('state', this.snapshot);
  }

  /** @param {PrimaryEvent} event */
  happened(event) {
    this.#emit('event', explain(event, this.#services.holderOf));
  }

  found() {
    this.#emit('found');
  }

  /** Nothing of the app is left there. */
  ended() {
    const wasHosted = this.isHosted;
    this.isHosted = false;
    if (!wasHosted || this.isLeaving) return;
    this.#log.warn('primary.lost', { primary: this.record?.pid });
    this.#expireHeldSockets();
    this.#emit('lost');
  }

  /** @param {string} event @param {...unknown} args */
  #emit(event, ...args) {
    if (this.#app.link === this) this.#app.emit(event, ...args);
  }

  #expireHeldSockets() {
    this.heldSockets.expire(this.#app.spec.holdTimeoutMs);
  }

  /** There is one while the app is there, or may be. */
  get #current() {
    return /** @type {Primary} */ (this.#primary);
  }

  #goneError() {
    const log = this.#primary?.paths.log ?? this.#services.logFile;
    return new NodeclusterError('E_PRIMARY_GONE', { app: this.#app.name, log });
  }
}

/** With its process group. @param {Worker} worker @param {NodeJS.Signals} name */
function signal(worker, name) {
  if (isCertain(worker)) sendSignal(worker.ownsGroup ? -worker.pid : worker.pid, name);
}
