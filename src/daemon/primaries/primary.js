/** The daemon's view of one primary process and of each app in it: it stays connected for as long as the process runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeclusterError } from '../../errors/error.js';
import { doublingDelay } from '../../lifecycle/delays.js';
import {
  PING_INTERVAL_MS,
  describeFreeze,
  describeSilence,
  judgeProcess,
} from '../../lifecycle/frozen-policy.js';
import { poll } from '../../shared/deadline.js';
import { ProcessPulse } from '../../shared/processes/activity.js';
import { isAlive, isCertain } from '../../shared/processes/identity.js';
import { sendSignal } from '../../shared/processes/signal.js';
import { primaryResults } from '../checks.js';
import { checkedEvent, dialPrimary, failureCode, guarded, refuse } from './connection.js';
import { holdSocketsOf } from './held-sockets.js';
import { killPrimary } from './shutdown.js';

/**
 * @import { Activity, ProcessVerdict } from '../../lifecycle/frozen-policy.js'
 * @import { PrimaryClient, PrimaryEvent, PrimaryMethods, Snapshot } from '../../protocol/methods.js'
 * @import { Channel } from '../../protocol/socket-set.js'
 * @import { NotificationListener } from '../../protocol/wire.js'
 * @import { PrimaryPaths } from '../../shared/home.js'
 * @import { PrimaryRecord } from '../../shared/processes/records.js'
 * @import { ReportProgress } from '../control/run-command.js'
 * @import { Log } from '../log.js'
 * @import { HeldSockets } from './held-sockets.js'
 *
 * @typedef {{report?: ReportProgress, timeoutMs?: number}} RequestOptions
 *
 * @typedef {object} Tenant what an app is told of its primary
 * @property {boolean} isHosted it is there, or may be
 * @property {boolean} isLeaving it has been asked to end there
 * @property {boolean} hasEnded
 * @property {HeldSockets} heldSockets
 * @property {() => void} connected the primary answers, and has it
 * @property {(snapshot: Snapshot, uid?: number) => void} reported after each change; uid: of the primary, if that is not trusted
 * @property {(event: PrimaryEvent) => void} happened
 * @property {() => void} found the primary answers again
 * @property {() => void} ended nothing of it is left there
 */

const BYE_MS = 5000;
/** A primary keeps half as many of each app. */
const MAX_EARLY = 1000;
const FIRST_RETRY_MS = 20;
const MAX_RETRY_MS = 1000;
const LOSS = { timeoutMs: 5000, everyMs: 20 };

export class Primary {
  /** Unknown: it runs but does not answer. @type {'unknown' | 'connected' | 'exited'} */
  state = 'unknown';
  /** Why it is unknown. @type {string | null} */
  trouble = null;
  /** @type {PrimaryClient | null} */
  #client = null;
  #isPinging = false;
  /** It has not answered for too long, so the connection was closed. */
  #isSilent = false;
  /** This daemon exits. */
  #isLeft = false;
  /** Its last app has ended, and it exits. */
  isEnding = false;
  /** Those that it has, while it is connected. @type {Set<string>} */
  #hosted = new Set();
  /** Apps that it has, or is about to get. @type {Map<string, Tenant>} */
  #tenants = new Map();
  /** What happened to apps that are not linked yet. @type {[PrimaryEvent, string][]} */
  #early = [];
  /** The `seq` of the last event of each app. @type {Map<string, number>} */
  #seqs = new Map();
  /** Through which it hands over its sockets. @type {Channel | null} */
  #channel = null;
  #pulse;
  #log;
  #on;

  /**
   * @param {number} id
   * @param {PrimaryRecord} record
   * @param {PrimaryPaths} paths
   * @param {Log} log
   * @param {object} on
   * @param {(snapshot: Snapshot) => void} on.unknownApp it has an app that nobody has attached
   * @param {() => void} on.exited before its apps are told
   */
  constructor(id, record, paths, log, on) {
    this.id = id;
    this.record = record;
    this.paths = paths;
    this.#log = log;
    this.#on = on;
    this.#pulse = new ProcessPulse(record.pid, {
      everyMs: PING_INTERVAL_MS,
      judge: judgeProcess,
      judged: (verdict, activity) => this.#onJudged(verdict, activity),
      looked: () => void this.#ping(),
    });
  }

  /** How many apps it has, or is about to get. */
  get size() {
    return new Set([...this.#hosted, ...this.#tenants.keys()]).size;
  }

  /** @param {string} app @returns {boolean} whether it had it when it last answered */
  hosts(app) {
    return this.state !== 'exited' && this.#hosted.has(app);
  }

  /** @param {string} app @param {Tenant} tenant told of it from now on */
  attach(app, tenant) {
    this.#tenants.set(app, tenant);
    const early = this.#early.filter(([, of]) => of === app);
    this.#early = this.#early.filter(([, of]) => of !== app);
    for (const each of early) this.#onEvent(...each);
  }

  /** @param {string} app @param {Tenant} tenant */
  detach(app, tenant) {
    if (this.#tenants.get(app) === tenant) this.#tenants.delete(app);
  }

  /**
   * If it does not answer in time, this goes on trying.
   * @param {number} withinMs 0: one attempt
   * @returns {Promise<boolean>} whether it answers
   */
  async connect(withinMs) {
    const isFound = await this.#seek(withinMs);
    if (!isFound && this.state !== 'exited') void this.#recover();
    return isFound;
  }

  /**
   * @template {keyof PrimaryMethods} K
   * @param {string} app
   * @param {K} method
   * @param {PrimaryMethods[K]['params']} params
   * @param {RequestOptions} [options] without timeoutMs, it ends when the primary hangs
   * @returns {Promise<PrimaryMethods[K]['result']>}
   * @throws {NodeclusterError} E_PRIMARY_SILENT, E_PRIMARY_GONE, E_PRIMARY_LOST, or what the primary threw
   */
  async request(app, method, params, { report, timeoutMs } = {}) {
    const client = this.#client;
    const tenant = this.#tenants.get(app);
    if (client === null) throw this.error('E_PRIMARY_GONE', app);
    /** @type {NotificationListener<PrimaryMethods[keyof PrimaryMethods]['notifications']>} */
    const onNotification = (kind, payload) => {
      if (kind === 'progress') report?.(checkedEvent('progress', payload));
    };
    try {
      const named = /** @type {PrimaryMethods[K]['params']} */ ({ ...params, app });
      const result = await client.request(method, named, {
        onNotification: guarded(client, onNotification),
        timeoutMs,
      });
      refuse(primaryResults[method]?.(result) ?? null, method);
      return result;
    } catch (error) {
      throw await this.#explain(error, app, tenant?.isLeaving ?? false);
    }
  }

  /** @param {unknown} thrown by a request @param {string} app @param {boolean} isLeaving */
  async #explain(thrown, app, isLeaving) {
    const leaving = this.#isLeft ? 'E_DAEMON_EXITS' : isLeaving ? 'E_APP_KILLED' : null;
    const code = this.#isSilent ? 'E_PRIMARY_SILENT' : failureCode(thrown, leaving);
    const { code: own, message, data } = NodeclusterError.from(thrown);
    if (own === 'E_PRIMARY_REPORT') return new NodeclusterError(own, { ...data, app });
    if (code === null) return thrown;
    if (code === 'E_PRIMARY_SILENT' && !this.#isSilent) this.trouble = message;
    // Whether it has exited, or goes on with the command, shows soon.
    if (code === 'E_PRIMARY_LOST') await poll(() => this.state !== 'unknown', LOSS);
    const isGone = code === 'E_PRIMARY_LOST' && this.state === 'exited';
    return this.error(isGone ? 'E_PRIMARY_GONE' : code, app);
  }

  /**
   * @param {PrimaryMethods['host']['params']} order
   * @param {number} timeoutMs
   * @returns {Promise<'done' | 'refused' | 'gone' | 'unknown'>} unknown: it was asked, and may do it yet
   */
  async host(order, timeoutMs) {
    const client = this.#client;
    if (client === null) return this.state === 'exited' ? 'gone' : 'unknown';
    try {
      await client.request('host', order, { timeoutMs });
      return 'done';
    } catch (thrown) {
      const { code } = NodeclusterError.from(thrown);
      if (!['E_PROTOCOL_TIMEOUT', 'E_PROTOCOL_CLOSED'].includes(code)) return 'refused';
      return 'unknown';
    }
  }

  /** One without an app. */
  end() {
    this.isEnding = true;
    if (isCertain(this.record)) sendSignal(this.record.pid, 'SIGTERM');
  }

  /** @returns {Promise<unknown>} when it is known again whether it runs */
  whenKnown() {
    return poll(() => this.state !== 'unknown', { ...LOSS, timeoutMs: Infinity });
  }

  /**
   * This daemon exits. Its requests end without an outcome.
   * @param {{isLast: boolean}} daemon isLast: no primary starts the next one
   */
  async leave({ isLast }) {
    const client = this.#client;
    this.#isLeft = true;
    this.#pulse.end();
    if (client === null) return;
    if (isLast) await client.request('bye', {}, { timeoutMs: BYE_MS }).catch(() => {});
    // Without its connection, a primary that is shutting down would be mistaken for one that hangs.
    const isShuttingDown = [...this.#tenants.values()].some(({ isLeaving }) => isLeaving);
    if (!isShuttingDown) this.#client?.close();
  }

  /** @param {string} code @param {string} app */
  error(code, app) {
    const { record, trouble: reason, paths } = this;
    return new NodeclusterError(code, { app, pid: record.pid, reason, log: paths.log });
  }

  /** Tries to connect until it answers or has exited. @param {number} withinMs */
  async #seek(withinMs) {
    const { record } = this;
    const endMs = performance.now() + withinMs;
    for (let attempts = 0; !this.#isLeft && this.state !== 'exited'; attempts += 1) {
      try {
        await this.#dial();
        return true;
      } catch (error) {
        this.trouble = NodeclusterError.from(error).message;
      }
      if (this.#isLeft) break;
      if (!isAlive(record)) {
        this.#setExited();
        break;
      }
      if (performance.now() >= endMs) break;
      await sleep(doublingDelay(attempts, FIRST_RETRY_MS, MAX_RETRY_MS));
    }
    return false;
  }

  async #recover() {
    const isFound = await this.#seek(Infinity);
    if (!isFound || this.#isLeft) return;
    this.#log.warn('primary.found', { primary: this.record.pid });
    for (const tenant of this.#tenants.values()) tenant.found();
  }

  async #dial() {
    /** What comes before it is known which of them it still has. @type {Set<string>} */
    const hosted = new Set();
    const { client, apps } = await dialPrimary(this.record, {
      after: Object.fromEntries(this.#seqs),
      onState: (snapshot) => this.#onState(snapshot, hosted),
      onEvent: (event, app) => this.#onEvent(event, app),
      onLeft: (app) => this.#onLeft(app, hosted),
    });
    if (this.#isLeft) {
      client.close();
      return;
    }
    const isOwn = this.record.uid === undefined;
    for (const app of apps) if (isOwn || this.#tenants.has(app)) hosted.add(app);
    this.#hosted = hosted;
    this.#pulse.answered();
    this.#client = client;
    this.#isSilent = false;
    this.state = 'connected';
    this.trouble = null;
    client.once('close', () => this.#onClose());
    for (const [app, tenant] of [...this.#tenants]) {
      if (hosted.has(app)) tenant.connected();
      else if (tenant.isHosted) this.#end(app, tenant);
    }
    if (this.#tenants.size > 0) void this.holdSockets();
  }

  /** @param {Snapshot} snapshot @param {Set<string>} hosted */
  #onState(snapshot, hosted) {
    const { name } = snapshot;
    const { uid } = this.record;
    const tenant = this.#tenants.get(name);
    if (tenant) tenant.reported(snapshot, uid);
    else this.#on.unknownApp(snapshot);
    // A user could name an app of somebody else.
    if (uid !== undefined && !this.#tenants.has(name)) refuse('name', 'state');
    hosted.add(name);
  }

  /** @param {PrimaryEvent} event @param {string} app */
  #onEvent(event, app) {
    const tenant = this.#tenants.get(app);
    if (!tenant) {
      if (this.#early.length < MAX_EARLY) this.#early.push([event, app]);
      return;
    }
    this.#seqs.set(app, event.seq ?? this.#seqs.get(app) ?? 0);
    tenant.happened(event);
  }

  /** @param {string} app @param {Set<string>} hosted */
  #onLeft(app, hosted) {
    hosted.delete(app);
    this.isEnding ||= hosted.size === 0;
    this.#seqs.delete(app);
    const tenant = this.#tenants.get(app);
    if (tenant) this.#end(app, tenant);
  }

  /** @param {string} app @param {Tenant} tenant */
  #end(app, tenant) {
    this.detach(app, tenant);
    tenant.isHosted = false;
    tenant.hasEnded = true;
    tenant.ended();
  }

  #onClose() {
    this.#client = null;
    if (this.#isLeft) return;
    this.state = 'unknown';
    void this.#recover();
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
    this.#channel?.close();
    this.#on.exited();
    for (const [app, tenant] of [...this.#tenants]) this.#end(app, tenant);
  }

  /** Those of all its apps again, since it hands over all that it has. */
  async holdSockets() {
    const client = this.#client;
    if (this.record.mode === 'fork' || client === null) return;
    const onFailure = (/** @type {string} */ reason) => {
      if (this.#client !== client) return;
      const { pid: primary } = this.record;
      for (const app of this.#tenants.keys())
        this.#log.warn('primary.sockets-not-held', { app, primary, reason });
    };
    this.#channel?.close();
    const isCurrent = () => this.#client === client;
    this.#channel = await holdSocketsOf(this, this.#tenants, isCurrent, onFailure);
  }

  /** @param {ProcessVerdict} verdict @param {Activity | null} activity null: it could not be read */
  #onJudged(verdict, activity) {
    const does = activity ? describeFreeze(activity) : '';
    if (this.#isLeft && verdict !== 'lost') return;
    if (verdict !== 'responsive')
      this.#log.warn(`primary.${verdict}`, { primary: this.record.pid, does });
    if (verdict === 'frozen') return killPrimary(this.record);
    if (this.#client === null) return;
    if (verdict === 'lost') {
      this.#isSilent = true;
      return this.#client.close();
    }
    this.state = verdict === 'late' ? 'unknown' : 'connected';
    this.trouble = verdict === 'late' ? describeSilence(activity, this.record.pid) : null;
    if (verdict === 'responsive') for (const tenant of this.#tenants.values()) tenant.found();
  }
}
