/**
 * The daemon's view of one primary. A primary whose process lives but that has not (yet, or any
 * more) answered is 'unknown': it may well serve, so it is never called stopped nor started twice.
 */
import { EventEmitter } from 'node:events';
import { NodeclusterError } from '../../errors/error.js';
import { isAlive } from '../../shared/process-identity.js';
import { askPrimary, dialPrimary } from './client.js';
import { WorkerIdentities, endByForce, hasEnded } from './end.js';
import { launchPrimary } from './launch.js';
import { readRecord } from './record.js';
import { seekPrimary } from './seek.js';
import { SocketCopies } from './socket-copies.js';

/**
 * @import { PrimaryClient, PrimaryEvent, PrimaryMethods, Snapshot } from '../../protocol/methods.js'
 * @import { AppPaths } from '../../shared/home.js'
 * @import { PartialOutcome } from '../../protocol/shapes.js'
 * @import { ReportProgress } from '../control/run-command.js'
 * @import { Log } from '../log.js'
 * @import { LaunchOrder } from './launch.js'
 * @import { PrimaryRecord } from './record.js'
 */

const LAUNCH_MS = 30_000;
const FAREWELL_MS = 5000;

/**
 * Events: 'state' after each change that the primary reports; 'event' with what else happened;
 * 'connected' when it answers, 'found' when it was unknown before; 'lost' when it ended unasked.
 */
export class PrimaryLink extends EventEmitter {
  #app;
  #paths;
  #log;
  #firstAnswerMs;
  /** @type {'none' | 'unknown' | 'connected'} */
  state = 'none';
  /** @type {PrimaryRecord | null} */
  record = null;
  /** @type {Snapshot | null} the last that it said of itself; kept when it ends */
  snapshot = null;
  #workers = new WorkerIdentities();
  /** @type {PrimaryClient | null} */
  #client = null;
  /** Why it is unknown, or could not be started. @type {string | null} */
  trouble = null;
  #leaving = false;
  /** @type {Promise<void> | null} a launch under way */
  #launching = null;
  #copies = new SocketCopies();
  #news = {
    onState: (/** @type {Snapshot} */ snapshot) => {
      this.#workers.update((this.snapshot = snapshot));
      this.emit('state');
    },
    onEvent: (/** @type {PrimaryEvent} */ event) => this.emit('event', event),
  };

  /**
   * @param {string} app its name
   * @param {AppPaths} paths
   * @param {Log} log
   * @param {number} [firstAnswerMs] how long a launch waits for the answer of a primary that runs
   */
  constructor(app, paths, log, firstAnswerMs = LAUNCH_MS) {
    super();
    this.#firstAnswerMs = firstAnswerMs;
    this.#app = app;
    this.#paths = paths;
    this.#log = log.of({ app });
  }

  get pid() {
    return this.state === 'none' ? null : (this.record?.pid ?? null);
  }

  /** Finds the primary that an earlier daemon left; afterwards the state says what there is. */
  async adopt() {
    const record = readRecord(this.#paths.record);
    if (record === null || !isAlive(record)) return;
    this.record = record;
    this.state = 'unknown';
    try {
      await this.#dial(record);
      this.#log.info('primary.adopted', { primary: record.pid });
    } catch (error) {
      this.trouble = NodeclusterError.from(error).message;
      this.#log.error('primary.silent', { primary: record.pid, reason: this.trouble });
      this.#recover(record);
    }
  }

  /**
   * @param {LaunchOrder} order
   * @throws {NodeclusterError} E_PRIMARY_START, E_PRIMARY_SILENT when one lives already
   */
  async launch(order) {
    this.refuseUnknown();
    if (this.state === 'connected') return;
    this.#launching = this.#start(order).finally(() => (this.#launching = null));
    await this.#launching;
  }

  /** Before anything is written down. @throws {NodeclusterError} E_PRIMARY_SILENT */
  refuseUnknown() {
    if (this.state === 'unknown') throw this.#error('E_PRIMARY_SILENT');
  }

  /**
   * @template {keyof PrimaryMethods} K
   * @param {K} method
   * @param {PrimaryMethods[K]['params']} params
   * @param {{report?: ReportProgress, timeoutMs?: number}} [options]
   * @returns {Promise<PrimaryMethods[K]['result']>}
   * @throws {NodeclusterError} E_PRIMARY_SILENT, E_PRIMARY_GONE, or what the primary threw
   */
  async request(method, params, { report, timeoutMs } = {}) {
    this.refuseUnknown();
    const [client, record] = [this.#client, this.record];
    if (client === null || record === null) throw this.#error('E_PRIMARY_GONE');
    try {
      return await askPrimary(client, record, { method, params, report, timeoutMs });
    } catch (error) {
      const { code, message } = NodeclusterError.from(error);
      // On purpose: by `kill`, or because this daemon ends.
      const lost = this.#leaving ? 'E_APP_KILLED' : 'E_PRIMARY_GONE';
      if (code === 'E_PROTOCOL_CLOSED') throw this.#error(lost);
      if (code !== 'E_PROTOCOL_TIMEOUT') throw error;
      this.trouble = message;
      throw this.#error('E_PRIMARY_SILENT');
    }
  }

  /**
   * Ends the primary and with it its workers; by force when it is not done in time.
   * @param {{timeoutMs: number, report?: ReportProgress, hasSuccessor?: boolean}} options
   *   hasSuccessor: another is launched next, and gets the sockets
   * @returns {Promise<PartialOutcome | null>} null: there was none
   */
  async shutdown({ timeoutMs, report, hasSuccessor = false }) {
    await this.#launching?.catch(() => {});
    const { record } = this;
    if (this.state === 'none' || record === null) {
      this.#copies.releaseAll();
      await this.#workers.end(timeoutMs);
      return null;
    }
    this.#leaving = true;
    const outcome = await this.request('shutdown', { hasSuccessor }, { report, timeoutMs }).catch(
      (error) => {
        this.#log.error('primary.stayed', {
          primary: record.pid,
          reason: NodeclusterError.from(error).message,
        });
        return null;
      },
    );
    if (outcome === null || !(await hasEnded(record))) {
      this.#log.warn('primary.killing', { primary: record.pid });
      await endByForce(record, this.#workers);
    }
    this.#client?.close();
    if (hasSuccessor) this.#copies.expire();
    else this.#copies.releaseAll();
    this.state = 'none';
    return outcome ?? { ok: true };
  }

  /** Tells the primary that this daemon ends on purpose and that it need not start another. */
  async bye() {
    if (this.#client === null) return;
    const isEnding = this.#leaving;
    this.#leaving = true;
    await this.request('bye', {}, { timeoutMs: FAREWELL_MS }).catch(() => {});
    // A primary that is just shut down would be taken for one that does not end, and killed.
    if (!isEnding) this.#client?.close();
  }

  /** @param {LaunchOrder} order */
  async #start(order) {
    const launch = launchPrimary(order, this.#paths, this.#copies, LAUNCH_MS);
    this.record = await launch.catch((error) => {
      this.trouble = NodeclusterError.from(error).message;
      throw error;
    });
    this.trouble = null;
    this.state = 'unknown';
    this.#leaving = false;
    if (!(await this.#seek(this.record, this.#firstAnswerMs))) {
      if (this.pid === null) throw this.#error('E_PRIMARY_GONE');
      this.#recover(this.record);
      throw this.#error('E_PRIMARY_SILENT');
    }
    this.#log.info('primary.started', { primary: this.pid, generation: order.generation });
  }

  /** @param {PrimaryRecord} record */
  async #dial(record) {
    const client = await dialPrimary(record, this.#news);
    if (!this.#isOurs(record)) {
      client.close();
      throw this.#error('E_PRIMARY_GONE');
    }
    this.#client = client;
    this.#copies.keep();
    this.state = 'connected';
    this.trouble = null;
    this.emit('connected');
    client.once('close', () => {
      if (this.#client === client) this.#closed(record);
    });
  }

  /** @param {PrimaryRecord} record */
  #closed(record) {
    this.#client = null;
    this.state = this.#leaving ? 'none' : 'unknown';
    if (!this.#leaving) this.#recover(record);
  }

  /** @param {PrimaryRecord} record */
  async #recover(record) {
    const isFound = await this.#seek(record);
    if (!this.#isOurs(record)) return;
    if (!isFound) this.#copies.expire();
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
      isWanted: () => this.#isOurs(record),
      onFailure: (error) => (this.trouble = NodeclusterError.from(error).message),
      withinMs,
    });
    if (outcome === 'ended') [this.state, this.trouble] = ['none', null];
    return outcome === 'found';
  }

  /** Another primary of the app listens on the same socket. @param {PrimaryRecord} record */
  #isOurs(record) {
    return this.record === record && !this.#leaving;
  }

  /** @param {'E_PRIMARY_SILENT' | 'E_PRIMARY_GONE' | 'E_APP_KILLED'} code */
  #error(code) {
    const { pid, trouble: reason } = this;
    return new NodeclusterError(code, { app: this.#app, pid, reason, log: this.#paths.log });
  }
}
