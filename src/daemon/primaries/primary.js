/**
 * The daemon's view of one primary process: it stays connected for as long as that runs. Where it is not clear whether
 * there is one, as beside a damaged record, its state is unknown, as of one that does not answer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeclusterError } from '../../errors/error.js';
import { doublingDelay } from '../../lifecycle/delays.js';
import {
  PING_INTERVAL_MS,
  describeFreeze,
  describeSilence,
  judgeProcess,
} from '../../lifecycle/frozen-policy.js';
import { poll, sharePending } from '../../shared/deadline.js';
import { HEALED_MS } from '../../shared/presence.js';
import { ProcessPulse } from '../../shared/processes/activity.js';
import { isAlive, isCertain } from '../../shared/processes/identity.js';
import { sendSignal } from '../../shared/processes/signal.js';
import { checkResult, dialPrimary, findPrimary, guarded, refuse } from './connection.js';
import { holdSockets } from './held-sockets.js';

/**
 * @import { Activity, ProcessVerdict } from '../../lifecycle/frozen-policy.js'
 * @import { PrimaryClient, PrimaryEvent, PrimaryMethods, Snapshot } from '../../protocol/methods.js'
 * @import { PrimaryPaths } from '../../shared/home.js'
 * @import { PrimaryRecord } from '../../shared/processes/records.js'
 * @import { Log } from '../log.js'
 * @import { ReportProgress } from '../control/run-command.js'
 * @import { PrimaryLink } from './link.js'
 */

const REPLY_MS = 5000;
/** ms after frames that show both sides that the other one runs. A later ping would leave less time for its reply. */
const QUIET_MS = 500;
/** ms before one that did not answer is asked again. */
const AGAIN_MS = 200;
const FIRST_RETRY_MS = 20;
const MAX_RETRY_MS = 1000;

/** Events of an app that is not attached; a primary keeps as many. */
const MAX_EVENTS = 500;

/** @typedef {{snapshot: Snapshot | null, events: PrimaryEvent[]}} Stranger */
/** @typedef {{report?: ReportProgress, timeoutMs?: number}} RequestOptions without timeoutMs, it ends when the primary hangs */

export class Primary {
  /** Unknown: it runs but does not answer. @type {'unknown' | 'connected' | 'exited'} */
  state = 'unknown';
  /** Why it is unknown. @type {string | null} */
  trouble = null;
  /** @type {PrimaryClient | null} */
  #client = null;
  /** One at a time: pings would pile up for a primary that hangs. */
  #ping = sharePending(async () => {
    await this.#client?.request('ping', {}).catch(() => {});
  });
  /** It has not answered for too long, so the connection was closed. */
  #isSilent = false;
  /** This daemon exits. */
  #isLeft = false;
  /** Its last app has ended, and it exits. */
  isEnding = false;
  /** Those that it had when it last answered; null: it has not. @type {Set<string> | null} */
  #hosted = null;
  /** Of apps that it has, or is about to get. @type {Map<string, PrimaryLink>} */
  links = new Map();
  /** What it reports of apps that are not attached: it sends each event once. @type {Map<string, Stranger>} */
  strangers = new Map();
  /** The `seq` of the last event of each app. @type {Map<string, number>} */
  #seqs = new Map();
  /** Null: it is not clear whether it runs. @type {PrimaryRecord | null} */
  record = null;
  /** By then, one that runs has restored its files. */
  #healedMs = performance.now() + HEALED_MS;
  /** @type {ProcessPulse | null} */
  #pulse = null;
  #endHolding = () => {};
  #log;
  #on;

  /**
   * @param {number} id
   * @param {PrimaryPaths} paths
   * @param {Log} log
   * @param {object} on
   * @param {(app: string) => boolean} on.isExpected whether it should have an app, by what is saved
   * @param {(snapshot: Snapshot) => void} on.stranger it has an app that is not attached
   * @param {() => void} on.exited before its apps are told
   */
  constructor(id, paths, log, on) {
    this.id = id;
    this.paths = paths;
    this.#log = log;
    this.#on = on;
  }

  get pid() {
    return this.record?.pid ?? null;
  }

  /** @param {PrimaryRecord} record */
  identify(record) {
    this.record = record;
    this.#pulse = new ProcessPulse(record.pid, {
      everyMs: PING_INTERVAL_MS,
      judge: judgeProcess,
      judged: (verdict, activity) => this.#onJudged(verdict, activity),
      looked: () => (this.#client?.quietMs ?? 0) > QUIET_MS && void this.#ping(),
    });
  }

  /** How many apps it has, or is about to get. */
  get size() {
    return new Set([...(this.#hosted ?? []), ...this.links.keys()]).size;
  }

  /** @param {string} app @returns {boolean} whether it had it when it last answered; true also if it has not */
  hosts(app) {
    return this.state !== 'exited' && (this.#hosted?.has(app) ?? true);
  }

  /** @param {string} app @param {PrimaryLink} link told of it from now on, and of what was reported already */
  attach(app, link) {
    this.links.set(app, link);
    const { snapshot, events } = this.#strangerOf(app);
    this.strangers.delete(app);
    for (const event of events) this.#onEvent(event, app);
    if (snapshot) link.reported(snapshot, this.record?.uid);
  }

  /** @param {string} app @param {PrimaryLink} link */
  detach(app, link) {
    if (this.links.get(app) === link) this.links.delete(app);
  }

  /** If it does not answer in time, this goes on trying. @param {number} withinMs 0: one attempt */
  async connect(withinMs) {
    await this.#seek(withinMs);
    if (this.state === 'unknown') void this.#recover();
  }

  /**
   * @template {keyof PrimaryMethods} K
   * @param {string} app
   * @param {K} method
   * @param {PrimaryMethods[K]['params']} params
   * @param {RequestOptions} [options]
   */
  async request(app, method, params, { report = () => {}, timeoutMs } = {}) {
    const client = this.#client;
    const link = this.links.get(app);
    if (client === null) throw this.error('E_PRIMARY_GONE', app);
    const options = { onNotification: guarded(client, { progress: report }), timeoutMs };
    try {
      const result = await client.request(method, { ...params, app }, options);
      checkResult(method, result, app);
      return result;
    } catch (error) {
      throw await this.#explain(error, app, link?.isLeaving ?? false);
    }
  }

  /** @param {unknown} thrown by a request @param {string} app @param {boolean} isLeaving */
  async #explain(thrown, app, isLeaving) {
    const { code, data, message } = NodeclusterError.from(thrown);
    const isLate = code === 'E_PROTOCOL_TIMEOUT';
    if (isLate && !this.#isSilent) this.trouble = message;
    if (isLate || this.#isSilent) return this.error('E_PRIMARY_SILENT', app);
    // The app has ended there meanwhile.
    if (code === 'E_PROTOCOL_PARAMS' && data.key === 'app')
      return this.error('E_PRIMARY_GONE', app);
    if (code !== 'E_PROTOCOL_CLOSED') return thrown;
    if (this.#isLeft) return this.error('E_DAEMON_EXITS', app);
    if (isLeaving) return this.error('E_APP_KILLED', app);
    // Whether it has exited, or goes on with the command, shows soon.
    await poll(() => this.state !== 'unknown', { timeoutMs: REPLY_MS, everyMs: FIRST_RETRY_MS });
    return this.error(this.state === 'exited' ? 'E_PRIMARY_GONE' : 'E_PRIMARY_LOST', app);
  }

  /**
   * Asks until it has answered, or has exited: one that did not answer may do it yet, and another process that did it
   * too would run the app twice.
   * @param {PrimaryMethods['host']['params']} order
   * @returns {Promise<boolean>} whether it is the primary of that app now
   */
  async host(order) {
    for (;;) {
      const client = this.#client;
      if (client === null && this.state === 'exited') return false;
      try {
        await client?.request('host', order, { timeoutMs: REPLY_MS });
        if (client !== null) return true;
      } catch (thrown) {
        const { code } = NodeclusterError.from(thrown);
        if (!['E_PROTOCOL_TIMEOUT', 'E_PROTOCOL_CLOSED'].includes(code)) return false;
      }
      await sleep(AGAIN_MS);
    }
  }

  /** One without an app. */
  end() {
    this.isEnding = true;
    this.signal('SIGTERM');
  }

  /** @param {NodeJS.Signals} name SIGKILL: its workers finish their requests */
  signal(name) {
    if (this.record && isCertain(this.record)) sendSignal(this.record.pid, name);
  }

  /**
   * This daemon exits. Its requests end without an outcome.
   * @param {{isLast: boolean}} daemon isLast: no primary starts the next one
   */
  async leave({ isLast }) {
    this.#isLeft = true;
    this.#pulse?.end();
    if (isLast) await this.#client?.request('bye', {}, { timeoutMs: REPLY_MS }).catch(() => {});
    // Without its connection, a primary that is shutting down would be mistaken for one that hangs.
    const isShuttingDown = [...this.links.values()].some(({ isLeaving }) => isLeaving);
    if (!isShuttingDown) this.#client?.close();
  }

  /** @param {string} code @param {string} app */
  error(code, app) {
    const { pid, state, trouble: reason, paths } = this;
    const isUnclear = pid === null && state === 'unknown';
    const data = { app, pid, reason, log: paths.log };
    return new NodeclusterError(isUnclear ? 'E_PRIMARY_UNCLEAR' : code, data);
  }

  /** Tries to connect until it answers or has exited. @param {number} withinMs */
  async #seek(withinMs) {
    const endMs = performance.now() + withinMs;
    for (let attempts = 0; !this.#isLeft; attempts += 1) {
      await this.#attempt();
      if (this.state !== 'unknown' || performance.now() >= endMs) return;
      await sleep(doublingDelay(attempts, FIRST_RETRY_MS, MAX_RETRY_MS));
    }
  }

  async #attempt() {
    try {
      if (this.record === null) {
        const found = await findPrimary(this.paths, performance.now() > this.#healedMs);
        if (found === null) return this.#setExited();
        this.identify(found);
      }
      await this.#dial(/** @type {PrimaryRecord} */ (this.record));
    } catch (error) {
      this.strangers.clear();
      this.trouble = NodeclusterError.from(error).message;
      if (!this.#isLeft && this.record && !isAlive(this.record)) this.#setExited();
    }
  }

  async #recover() {
    await this.#seek(Infinity);
    if (this.state !== 'connected') return;
    this.#log.warn('primary.found', { primary: this.pid });
    for (const link of this.links.values()) link.found();
  }

  /** @param {PrimaryRecord} record */
  async #dial(record) {
    /** What comes before it is known which of them it still has. @type {Set<string>} */
    const hosted = new Set();
    const { client, apps } = await dialPrimary(record, Object.fromEntries(this.#seqs), {
      state: (snapshot) => this.#onState(snapshot, hosted),
      event: ({ app, ...event }) => this.#onEvent(event, app),
      left: ({ app }) => this.#onLeft(app, hosted),
    });
    if (this.#isLeft) return client.close();
    for (const app of apps) if (this.#isAcceptable(app)) hosted.add(app);
    this.#hosted = hosted;
    this.#pulse?.answered();
    this.#client = client;
    this.#isSilent = false;
    this.state = 'connected';
    this.trouble = null;
    client.on('heard', () => this.#pulse?.answered());
    client.once('close', () => {
      this.#client = null;
      this.#endHolding();
      this.strangers.clear();
      if (this.#isLeft) return;
      this.state = 'unknown';
      void this.#recover();
    });
    for (const [app, link] of [...this.links]) {
      if (!link.isHosted) continue;
      if (hosted.has(app)) link.connected();
      else this.#end(app, link);
    }
    if (this.links.size > 0) this.holdSockets();
  }

  /** A user could name an app of somebody else, or make one of root. @param {string} app */
  #isAcceptable(app) {
    return this.record?.uid === undefined || this.links.has(app) || this.#on.isExpected(app);
  }

  /** @param {Snapshot} snapshot @param {Set<string>} hosted */
  #onState(snapshot, hosted) {
    const { name } = snapshot;
    if (!this.#isAcceptable(name)) refuse('name', 'state');
    hosted.add(name);
    const link = this.links.get(name);
    if (link) return link.reported(snapshot, this.record?.uid);
    const { snapshot: earlier, events } = this.#strangerOf(name);
    this.strangers.set(name, { snapshot, events });
    if (earlier === null) this.#on.stranger(snapshot);
  }

  /** @param {PrimaryEvent} event @param {string} app */
  #onEvent(event, app) {
    const link = this.links.get(app);
    if (link) {
      this.#seqs.set(app, event.seq ?? this.#seqs.get(app) ?? 0);
      link.happened(event);
    } else if (this.#isAcceptable(app)) {
      const { snapshot, events } = this.#strangerOf(app);
      this.strangers.set(app, { snapshot, events: [...events, event].slice(0, MAX_EVENTS) });
    }
  }

  /** @param {string} app @returns {Stranger} */
  #strangerOf(app) {
    return this.strangers.get(app) ?? { snapshot: null, events: [] };
  }

  /** @param {string} app @param {Set<string>} hosted */
  #onLeft(app, hosted) {
    hosted.delete(app);
    this.isEnding ||= hosted.size === 0;
    this.#seqs.delete(app);
    this.strangers.delete(app);
    const link = this.links.get(app);
    if (link) this.#end(app, link);
  }

  /** @param {string} app @param {PrimaryLink} link */
  #end(app, link) {
    this.detach(app, link);
    link.ended();
  }

  #setExited() {
    this.state = 'exited';
    this.trouble = null;
    this.#pulse?.end();
    this.#on.exited();
    for (const [app, link] of [...this.links]) this.#end(app, link);
  }

  /** Those of all its apps again, since it hands over all that it has. */
  holdSockets() {
    const { record } = this;
    if (record === null || record.mode === 'fork' || this.#client === null) return;
    this.#endHolding();
    this.#endHolding = holdSockets(this.paths, record, this.links, this.#log);
  }

  /** @param {ProcessVerdict} verdict @param {Activity | null} activity null: it could not be read */
  #onJudged(verdict, activity) {
    const does = activity ? describeFreeze(activity) : '';
    if (this.#isLeft && verdict !== 'lost') return;
    if (verdict !== 'responsive') this.#log.warn(`primary.${verdict}`, { primary: this.pid, does });
    if (verdict === 'frozen') return this.signal('SIGKILL');
    if (this.#client === null) return;
    if (verdict === 'lost') {
      this.#isSilent = true;
      return this.#client.close();
    }
    this.state = verdict === 'late' ? 'unknown' : 'connected';
    this.trouble = verdict === 'late' ? describeSilence(activity, Number(this.pid)) : null;
    if (verdict === 'responsive') for (const link of this.links.values()) link.found();
  }
}
