/** Connections to primaries: one that lasts, and those for one request; what they send is checked. */
import { NodeclusterError } from '../../errors/error.js';
import { connect, isAbsence } from '../../protocol/client.js';
import { isManaged, OWN_LAUNCH } from '../init-system.js';
import { withoutOthers } from '../../shared/checks.js';
import { primaryNotifications } from '../checks.js';

/**
 * @import { PrimaryClient, PrimaryEvent, PrimaryMethods, Snapshot } from '../../protocol/methods.js'
 * @import { NotificationListener } from '../../protocol/wire.js'
 * @import { ReportProgress } from '../control/run-command.js'
 * @import { PrimaryRecord } from '../../shared/processes/records.js'
 */

const REPLY_MS = 5000;
/** A thousand workers that report all at once are within the burst. */
const RATE = { bytesPerSecond: 256 * 1024, burst: 16 * 1024 * 1024 };
const HELLO = { role: 'daemon' };

/** @typedef {{report?: ReportProgress, timeoutMs?: number}} RequestOptions */

/** The `seq` of the last event from each primary. @type {WeakMap<PrimaryRecord, number>} */
const lastSeq = new WeakMap();

/**
 * @param {PrimaryRecord} record
 * @param {object} options
 * @param {string} options.app its name
 * @param {(snapshot: Snapshot) => void} options.onState called at once, and after each change
 * @param {(event: PrimaryEvent) => void} options.onEvent
 * @throws {NodeclusterError} E_PROTOCOL_UNREACHABLE and others
 */
export async function dialPrimary(record, { app, onState, onEvent }) {
  const rate = record.uid === undefined ? undefined : RATE;
  /** @type {PrimaryClient} */
  const client = await connect(record.socket, { hello: HELLO, timeoutMs: REPLY_MS, rate });
  const { pid } = client.peer;
  if (pid !== record.pid) {
    // The successor of a killed primary may listen in its place before that has exited, and commands for
    // the one must not reach the other.
    client.close();
    const reason = `another process, ${pid}, listens there`;
    throw new NodeclusterError('E_PROTOCOL_UNREACHABLE', { socket: record.socket, reason });
  }
  let hasState = false;
  const onSnapshot = (/** @type {Snapshot} */ snapshot) => {
    hasState = true;
    onState(checkedSnapshot(snapshot, app));
  };
  /** @type {NotificationListener<PrimaryMethods['subscribe']['notifications']>} */
  const onNotification = (kind, payload) => {
    if (kind === 'state') return onSnapshot(payload);
    const event = checkedEvent('event', payload, app);
    lastSeq.set(record, event.seq ?? lastSeq.get(record) ?? 0);
    onEvent(event);
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
  return client;
}

/**
 * A primary that sends what is not valid loses its connection, and the daemon nothing else.
 * @param {PrimaryClient} client @param {NotificationListener<any>} listener @returns {NotificationListener<any>}
 */
export function guarded(client, listener) {
  return (kind, payload) => {
    try {
      listener(kind, payload);
    } catch (thrown) {
      if (NodeclusterError.from(thrown).code !== 'E_PRIMARY_REPORT') throw thrown;
      client.close();
    }
  };
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

/** @param {string | null} fault the path to it @param {string} message that has it @param {string} app */
export function refuse(fault, message, app) {
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
