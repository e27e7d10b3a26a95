/** Connections to primaries: one that lasts, and those for one request. */
import { NodeclusterError } from '../../errors/error.js';
import { connect, isAbsence } from '../../protocol/client.js';
import { VERSION } from '../../shared/version.js';
import { isManaged, OWN_LAUNCH } from '../init-system.js';
import { explainFailure, explainOutcome, explainSnapshot } from '../ports/explain.js';
import { withoutOthers } from '../../shared/checks.js';
import { primaryNotifications, primaryResults } from '../checks.js';

/**
 * @import { PrimaryClient, PrimaryEvent, PrimaryMethods, Snapshot } from '../../protocol/methods.js'
 * @import { NotificationListener } from '../../protocol/wire.js'
 * @import { ReportProgress } from '../control/run-command.js'
 * @import { HolderOf } from '../ports/explain.js'
 * @import { PrimaryRecord } from '../../shared/processes/records.js'
 */

const REPLY_MS = 5000;
/** A thousand workers that report all at once are within the burst. */
const RATE = { bytesPerSecond: 256 * 1024, burst: 16 * 1024 * 1024 };
const HELLO = { role: 'daemon', version: VERSION };

/** The `seq` of the last event from each primary. @type {WeakMap<PrimaryRecord, number>} */
const lastSeq = new WeakMap();

/**
 * @param {PrimaryRecord} record
 * @param {HolderOf} holderOf
 * @param {object} options
 * @param {string} options.app its name
 * @param {(snapshot: Snapshot) => void} options.onState called at once, and after each change
 * @param {(event: PrimaryEvent) => void} options.onEvent
 * @throws {NodeclusterError} E_PROTOCOL_UNREACHABLE and others
 */
export async function dialPrimary(record, holderOf, { app, onState, onEvent }) {
  const rate = record.uid === undefined ? undefined : RATE;
  /** @type {PrimaryClient} */
  const client = await connect(record.socket, { hello: HELLO, timeoutMs: REPLY_MS, rate });
  refuseOther(client, record);
  let hasState = false;
  const onSnapshot = (/** @type {Snapshot} */ snapshot) => {
    hasState = true;
    onState(explainSnapshot(checkedSnapshot(snapshot, app), holderOf));
  };
  /** @type {NotificationListener<PrimaryMethods['subscribe']['notifications']>} */
  const onNotification = (kind, payload) => {
    if (kind === 'state') return onSnapshot(payload);
    const event = checkedEvent('event', payload, app);
    lastSeq.set(record, event.seq ?? lastSeq.get(record) ?? 0);
    onEvent(explainFailure(event, holderOf));
  };
  client.on('notification', guarded(client, onNotification));
  try {
    const after = lastSeq.get(record);
    const snapshot = await client.request(
      'subscribe',
      { after, isManaged, daemon: OWN_LAUNCH, pid: process.pid },
      { timeoutMs: REPLY_MS },
    );
    // One that came in the same chunk as the reply is newer.
    if (!hasState) onSnapshot(snapshot);
  } catch (error) {
    client.close();
    throw error;
  }
  return new PrimaryConnection(client, holderOf, app);
}

/**
 * The successor of a killed primary may listen in its place before that has exited, and commands for
 * the one must not reach the other.
 * @param {PrimaryClient} client
 * @param {PrimaryRecord} record
 * @throws {NodeclusterError} E_PROTOCOL_UNREACHABLE
 */
function refuseOther(client, { pid, socket }) {
  const { peer } = client;
  if (peer.pid === pid) return;
  client.close();
  const reason = `another process, ${peer.pid}, listens there`;
  throw new NodeclusterError('E_PROTOCOL_UNREACHABLE', { socket, reason });
}

/**
 * A primary that sends what is not valid loses its connection, and the daemon nothing else.
 * @param {PrimaryClient} client
 * @param {NotificationListener<any>} listener
 * @returns {NotificationListener<any>}
 */
function guarded(client, listener) {
  return (kind, payload) => {
    try {
      listener(kind, payload);
    } catch (thrown) {
      if (NodeclusterError.from(thrown).code !== 'E_PRIMARY_REPORT') throw thrown;
      client.close();
    }
  };
}

export class PrimaryConnection {
  #client;
  #holderOf;
  #app;
  #isPinging = false;
  /** @type {NodeclusterError | null} */
  #silence = null;

  /** @param {PrimaryClient} client @param {HolderOf} holderOf @param {string} app its name */
  constructor(client, holderOf, app) {
    this.#app = app;
    this.#holderOf = holderOf;
    this.#client = client;
  }

  /**
   * Sends nothing while a reply is pending: pings would pile up for a primary that hangs.
   * @param {() => void} onAnswer
   */
  async ping(onAnswer) {
    if (this.#isPinging) return;
    this.#isPinging = true;
    try {
      await this.#client.request('ping', {});
    } catch (error) {
      // Any other error is an answer.
      if (NodeclusterError.from(error).code === 'E_PROTOCOL_CLOSED') return;
    } finally {
      this.#isPinging = false;
    }
    onAnswer();
  }

  /**
   * Closes the connection, since the primary has not answered for too long.
   * @param {NodeclusterError} error of the requests in progress
   */
  giveUp(error) {
    this.#silence = error;
    this.#client.close();
  }

  /**
   * A command may take any amount of time; giveUp() ends it when the primary hangs.
   * @template {keyof PrimaryMethods} K
   * @param {K} method
   * @param {PrimaryMethods[K]['params']} params
   * @param {{report?: ReportProgress, timeoutMs?: number}} options
   * @throws {NodeclusterError} what the primary threw, E_PROTOCOL_CLOSED, E_PROTOCOL_TIMEOUT
   */
  async request(method, params, { report, timeoutMs }) {
    /** @type {NotificationListener<PrimaryMethods[keyof PrimaryMethods]['notifications']>} */
    const onNotification = (kind, payload) => {
      if (kind !== 'progress') return;
      const step = checkedEvent('progress', payload, this.#app);
      report?.(explainFailure(step, this.#holderOf));
    };
    try {
      /** @type {keyof PrimaryMethods} */
      const name = method;
      const result = await this.#client.request(name, params, {
        onNotification: guarded(this.#client, onNotification),
        timeoutMs,
      });
      checkResult(name, result, this.#app);
      const reply = /** @type {PrimaryMethods[K]['result']} */ (result);
      return explainOutcome(reply, this.#holderOf);
    } catch (error) {
      throw this.#silence ?? error;
    }
  }

  /** @param {() => void} listener */
  onClose(listener) {
    this.#client.once('close', listener);
  }

  close() {
    this.#client.close();
  }
}

/**
 * What a primary sends is checked before the daemon uses it: it may run as another user, be of another
 * version or have a bug, and must not harm the other apps.
 * @param {Snapshot} snapshot
 * @param {string} app its name
 * @returns {Snapshot} the same
 * @throws {NodeclusterError} E_PRIMARY_REPORT
 */
export function checkedSnapshot(snapshot, app) {
  refuse(primaryNotifications.state(snapshot), 'state', app);
  if (snapshot.name !== app) refuse('name', 'state', app);
  return snapshot;
}

/**
 * @template {object} T
 * @param {'event' | 'progress'} kind
 * @param {T} event
 * @param {string} app its name
 * @returns {T} without the keys that its type does not have: one could be taken for one of the daemon's
 * @throws {NodeclusterError} E_PRIMARY_REPORT
 */
export function checkedEvent(kind, event, app) {
  const check = primaryNotifications[kind];
  refuse(check(event), kind, app);
  return withoutOthers(event, check);
}

/**
 * @param {keyof PrimaryMethods} method
 * @param {unknown} result of a request
 * @param {string} app its name
 * @throws {NodeclusterError} E_PRIMARY_REPORT
 */
export function checkResult(method, result, app) {
  refuse(primaryResults[method](result), method, app);
}

/** @param {string | null} fault the path to it @param {string} message that has it @param {string} app */
function refuse(fault, message, app) {
  if (fault === null) return;
  const what = fault === '' ? message : `${fault} of ${message}`;
  throw new NodeclusterError('E_PRIMARY_REPORT', { app, what });
}

/**
 * Of a request on a connection of its own. Done and refused are answers. Absent: the process is not the primary of that app any more. Unasked: it
 * could not be asked. Unknown: it was asked, and may do it yet.
 * @typedef {'done' | 'refused' | 'absent' | 'unasked' | 'unknown'} Reply
 */

/**
 * @template {'host' | 'abandon'} K
 * @param {PrimaryRecord} record
 * @param {K} method
 * @param {PrimaryMethods[K]['params']} params
 * @returns {Promise<Reply>}
 */
export async function requestOnce({ pid, socket }, method, params) {
  /** @type {PrimaryClient} */
  let client;
  try {
    client = await connect(socket, { hello: HELLO, timeoutMs: REPLY_MS });
  } catch (thrown) {
    return isAbsence(thrown) ? 'absent' : 'unasked';
  }
  try {
    if (client.peer.pid !== pid) return 'absent';
    await client.request(method, params, { timeoutMs: REPLY_MS });
    return 'done';
  } catch (thrown) {
    const { code } = NodeclusterError.from(thrown);
    return ['E_PROTOCOL_TIMEOUT', 'E_PROTOCOL_CLOSED'].includes(code) ? 'unknown' : 'refused';
  } finally {
    client.close();
  }
}
