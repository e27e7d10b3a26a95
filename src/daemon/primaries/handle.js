/** The daemon's view of one primary process: it stays connected for as long as the process runs. */
import { EventEmitter } from 'node:events';
import { NodeclusterError } from '../../errors/error.js';
import {
  PING_INTERVAL_MS,
  describeFreeze,
  describeSilence,
  judgeProcess,
} from '../../lifecycle/frozen-policy.js';
import { ProcessPulse } from '../../shared/processes/activity.js';
import { checkedEvent, dialPrimary, guarded, refuse } from './connection.js';
import { killPrimary } from './shutdown.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { doublingDelay } from '../../lifecycle/delays.js';
import { isAbsence } from '../../protocol/client.js';
import { primaryResults } from '../checks.js';
import { poll } from '../../shared/deadline.js';
import { HEALED_MS } from '../../shared/presence.js';
import { isAlive } from '../../shared/processes/identity.js';

/**
 * @import { Activity, ProcessVerdict } from '../../lifecycle/frozen-policy.js'
 * @import { PrimaryClient, PrimaryMethods } from '../../protocol/methods.js'
 * @import { NotificationListener } from '../../protocol/wire.js'
 * @import { PrimaryRecord } from '../../shared/processes/records.js'
 * @import { Log } from '../log.js'
 * @import { RequestOptions } from './connection.js'
 */

const BYE_MS = 5000;
const FIRST_RETRY_MS = 20;
const MAX_RETRY_MS = 1000;
const LOSS = { timeoutMs: 5000, everyMs: 20 };

/**
 * Events: 'state' with each snapshot that the primary reports; 'event' with each other event;
 * 'connected' when it answers; 'found' if it was unknown before; 'lost' after an unexpected exit.
 */
export class PrimaryHandle extends EventEmitter {
  /** Unknown: it runs but does not answer. @type {'unknown' | 'connected' | 'exited'} */
  state = 'unknown';
  /** Why it is unknown. @type {string | null} */
  trouble = null;
  /** @type {PrimaryClient | null} */
  #client = null;
  #isPinging = false;
  /** Why the connection was closed, if the primary has not answered for too long. @type {NodeclusterError | null} */
  #silence = null;
  /** Set before the connection is closed on purpose. @type {Leaving | null} */
  #leaving = null;
  #pulse;
  #app;
  #log;
  #logFile;

  /** @param {PrimaryRecord} record @param {{app: string, log: Log, logFile: string}} options logFile: the primary's */
  constructor(record, { app, log, logFile }) {
    super();
    this.record = record;
    this.#app = app;
    this.#log = log;
    this.#logFile = logFile;
    this.#pulse = new ProcessPulse(record.pid, {
      everyMs: PING_INTERVAL_MS,
      judge: judgeProcess,
      judged: (verdict, activity) => this.#onJudged(verdict, activity),
      looked: () => void this.#ping(),
    });
  }

  /** Whether its exit is expected, or that of this daemon. */
  get isLeaving() {
    return this.#leaving !== null;
  }

  /**
   * If it does not answer in time, the handle keeps trying.
   * @param {number} withinMs 0: one attempt
   * @returns {Promise<boolean>} whether it answers
   */
  async connect(withinMs) {
    const isFound = await this.#seek(withinMs);
    if (!isFound && this.state !== 'exited') this.#recover();
    return isFound;
  }

  /**
   * @template {keyof PrimaryMethods} K
   * @param {K} method
   * @param {PrimaryMethods[K]['params']} params
   * @param {RequestOptions} [options] without timeoutMs, it ends when the primary hangs
   * @returns {Promise<PrimaryMethods[K]['result']>}
   * @throws {NodeclusterError} E_PRIMARY_SILENT, E_PRIMARY_GONE, E_PRIMARY_LOST, or what the primary threw
   */
  async request(method, params, { report, timeoutMs } = {}) {
    const client = this.#client;
    if (client === null) throw this.error('E_PRIMARY_GONE');
    /** @type {NotificationListener<PrimaryMethods[keyof PrimaryMethods]['notifications']>} */
    const onNotification = (kind, payload) => {
      if (kind === 'progress') report?.(checkedEvent('progress', payload, this.#app));
    };
    try {
      const result = await client.request(method, params, {
        onNotification: guarded(client, onNotification),
        timeoutMs,
      });
      refuse(primaryResults[method]?.(result) ?? null, method, this.#app);
      return result;
    } catch (error) {
      if (this.#silence !== null) throw this.#silence;
      const code = failureCode(error, this.#leaving);
      if (code === null) throw error;
      if (code === 'E_PRIMARY_SILENT') this.trouble = NodeclusterError.from(error).message;
      // Whether it has exited, or goes on with the command, shows soon.
      if (code === 'E_PRIMARY_LOST') await poll(() => this.state !== 'unknown', LOSS);
      const isGone = code === 'E_PRIMARY_LOST' && this.state === 'exited';
      throw this.error(isGone ? 'E_PRIMARY_GONE' : code);
    }
  }

  /** Call this before the primary is asked to exit, so that its exit is not taken for a crash. */
  expectExit() {
    this.#leaving = 'E_APP_KILLED';
  }

  /** The primary has exited, or another handle leads to it now. */
  end() {
    this.expectExit();
    this.#client?.close();
    this.#setExited();
  }

  /**
   * This daemon exits. Its requests end without an outcome.
   * @param {{isLast: boolean}} daemon isLast: no primary starts the next one
   */
  async leave({ isLast }) {
    if (this.#client === null) return;
    const isShuttingDown = this.isLeaving;
    this.#leaving ??= 'E_DAEMON_EXITS';
    if (isLast) await this.request('bye', {}, { timeoutMs: BYE_MS }).catch(() => {});
    // Without its connection, a primary that is shutting down would be mistaken for one that hangs.
    if (!isShuttingDown) this.#client?.close();
  }

  /** @param {'E_PRIMARY_SILENT' | 'E_PRIMARY_GONE' | 'E_PRIMARY_LOST' | Leaving} code */
  error(code) {
    const { record, trouble: reason } = this;
    const data = { app: this.#app, pid: record.pid, reason, log: this.#logFile };
    return new NodeclusterError(code, data);
  }

  /** Tries to connect until it answers or has exited. @param {number} withinMs */
  async #seek(withinMs) {
    const { record } = this;
    const endMs = performance.now() + withinMs;
    /** Since when nobody listens on its socket. @type {number | null} */
    let absentMs = null;
    for (let attempts = 0; !this.isLeaving; attempts += 1) {
      try {
        await this.#dial();
        return true;
      } catch (error) {
        this.trouble = NodeclusterError.from(error).message;
        absentMs = isAbsence(error) ? (absentMs ?? performance.now()) : null;
      }
      // It may run for other apps only; otherwise it restores its socket.
      const hasLeft =
        record.shares && absentMs !== null && performance.now() - absentMs >= HEALED_MS;
      if (!this.isLeaving && (!isAlive(record) || hasLeft)) {
        this.#setExited();
        this.#log.warn('primary.lost', { primary: record.pid });
        break;
      }
      if (performance.now() >= endMs) break;
      await sleep(doublingDelay(attempts, FIRST_RETRY_MS, MAX_RETRY_MS));
    }
    return false;
  }

  async #recover() {
    const isFound = await this.#seek(Infinity);
    if (this.isLeaving) return;
    if (isFound) this.#log.warn('primary.found', { primary: this.record.pid });
    this.emit(isFound ? 'found' : 'lost');
  }

  async #dial() {
    const client = await dialPrimary(this.record, {
      app: this.#app,
      onState: (snapshot) => this.emit('state', snapshot),
      onEvent: (event) => this.emit('event', event),
    });
    // A later primary of the app listens on the same socket.
    if (this.isLeaving) {
      client.close();
      throw this.error('E_PRIMARY_GONE');
    }
    this.#pulse.answered();
    this.#client = client;
    this.#silence = null;
    this.state = 'connected';
    this.trouble = null;
    this.emit('connected');
    client.once('close', () => this.#onClose());
  }

  #onClose() {
    this.#client = null;
    if (this.isLeaving) return this.#setExited();
    this.state = 'unknown';
    this.#recover();
  }

  /** Sends nothing while a reply is pending: pings would pile up for a primary that hangs. */
  async #ping() {
    if (this.#client === null || this.#isPinging) return;
    this.#isPinging = true;
    try {
      await this.#client.request('ping', {});
    } catch (error) {
      // Any other error is an answer.
      if (NodeclusterError.from(error).code === 'E_PROTOCOL_CLOSED') return;
    } finally {
      this.#isPinging = false;
    }
    this.#pulse.answered();
  }

  #setExited() {
    this.state = 'exited';
    this.trouble = null;
    this.#pulse.end();
  }

  /** @param {ProcessVerdict} verdict @param {Activity | null} activity null: it could not be read */
  #onJudged(verdict, activity) {
    const does = activity ? describeFreeze(activity) : '';
    if (this.isLeaving && verdict !== 'lost') return;
    if (verdict !== 'responsive')
      this.#log.warn(`primary.${verdict}`, { primary: this.record.pid, does });
    if (verdict === 'frozen') return killPrimary(this.record);
    if (this.#client === null) return;
    if (verdict === 'lost') {
      this.#silence = this.error('E_PRIMARY_SILENT');
      return this.#client.close();
    }
    this.state = verdict === 'late' ? 'unknown' : 'connected';
    this.trouble = verdict === 'late' ? describeSilence(activity, this.record.pid) : null;
    if (verdict === 'responsive') this.emit('found');
  }
}

/** @typedef {'E_APP_KILLED' | 'E_DAEMON_EXITS'} Leaving why the connection is closed on purpose */

/**
 * @param {unknown} thrown by a request to a primary
 * @param {Leaving | null} leaving
 * @returns {Leaving | 'E_PRIMARY_LOST' | 'E_PRIMARY_SILENT' | null} null: the primary refused it
 */
export function failureCode(thrown, leaving) {
  const { code } = NodeclusterError.from(thrown);
  if (code === 'E_PROTOCOL_CLOSED') return leaving ?? 'E_PRIMARY_LOST';
  return code === 'E_PROTOCOL_TIMEOUT' ? 'E_PRIMARY_SILENT' : null;
}
