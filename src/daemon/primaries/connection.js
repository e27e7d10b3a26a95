/** The connection to a primary; what that sends is checked. */
import { NodeclusterError } from '../../errors/error.js';
import { connect } from '../../protocol/client.js';
import { isManaged, OWN_LAUNCH } from '../init-system.js';
import { withoutOthers } from '../../shared/checks.js';
import { primaryNotifications, primaryResults } from '../checks.js';

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

/**
 * @param {PrimaryRecord} record
 * @param {object} options
 * @param {Record<string, number>} options.after the `seq` of the last known event of each app
 * @param {(snapshot: Snapshot) => void} options.onState called for each app at once, and after each change
 * @param {(event: PrimaryEvent, app: string) => void} options.onEvent
 * @param {(app: string) => void} options.onLeft
 * @returns {Promise<{client: PrimaryClient, apps: string[]}>} apps: their names
 * @throws {NodeclusterError} E_PROTOCOL_UNREACHABLE and others
 */
export async function dialPrimary(record, { after, onState, onEvent, onLeft }) {
  const rate = record.uid === undefined ? undefined : RATE;
  /** @type {PrimaryClient} */
  const client = await connect(record.socket, { hello: HELLO, timeoutMs: REPLY_MS, rate });
  const { pid } = client.peer;
  if (pid !== record.pid) {
    // A user may have put the socket of another process in its place, and no command must reach that.
    client.close();
    const reason = `another process, ${pid}, listens there`;
    throw new NodeclusterError('E_PROTOCOL_UNREACHABLE', { socket: record.socket, reason });
  }
  /** @type {NotificationListener<PrimaryMethods['subscribe']['notifications']>} */
  const onNotification = (kind, payload) => {
    if (kind === 'state') return onState(checkedSnapshot(payload));
    if (kind === 'left') return onLeft(payload.app);
    const { app, ...event } = checkedEvent('event', payload);
    onEvent(event, app);
  };
  client.on('notification', guarded(client, onNotification));
  try {
    const daemon = { after, isManaged, daemon: OWN_LAUNCH, pid: process.pid };
    const result = await client.request('subscribe', daemon, { timeoutMs: REPLY_MS });
    refuse(primaryResults.subscribe?.(result) ?? null, 'subscribe');
    if (client.isClosed) refuse('', 'state');
    return { client, apps: result.apps };
  } catch (error) {
    client.close();
    throw error;
  }
}

/**
 * @template {keyof PrimaryMethods} K
 * @param {PrimaryClient} client
 * @param {K} method
 * @param {PrimaryMethods[K]['params'] & {app: string}} params
 * @param {RequestOptions} options without timeoutMs, it ends when the primary hangs
 * @returns {Promise<PrimaryMethods[K]['result']>}
 * @throws {NodeclusterError} E_PRIMARY_REPORT, and what the primary threw
 */
export async function requestFrom(client, method, params, { report, timeoutMs }) {
  /** @type {NotificationListener<PrimaryMethods[keyof PrimaryMethods]['notifications']>} */
  const onNotification = (kind, payload) => {
    if (kind === 'progress') report?.(checkedEvent('progress', payload));
  };
  const result = await client.request(method, params, {
    onNotification: guarded(client, onNotification),
    timeoutMs,
  });
  refuse(primaryResults[method]?.(result) ?? null, method, params.app);
  return result;
}

/**
 * A primary that sends what is not valid loses its connection, and the daemon nothing else.
 * @param {PrimaryClient} client @param {NotificationListener<any>} listener @returns {NotificationListener<any>}
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

/**
 * What a primary sends is checked before the daemon uses it: it may run as another user, be of another
 * version or have a bug, and must not harm the other apps.
 * @param {Snapshot} snapshot
 * @returns {Snapshot} the same
 * @throws {NodeclusterError} E_PRIMARY_REPORT
 */
export function checkedSnapshot(snapshot) {
  refuse(primaryNotifications.state(snapshot), 'state');
  return snapshot;
}

/**
 * @template {object} T
 * @param {'event' | 'progress'} kind
 * @param {T} event
 * @returns {T} without the keys that its type does not have: one could be taken for one of the daemon's
 * @throws {NodeclusterError} E_PRIMARY_REPORT
 */
export function checkedEvent(kind, event) {
  const check = primaryNotifications[kind];
  refuse(check(event), kind);
  return withoutOthers(event, check);
}

/** @param {string | null} fault the path to it @param {string} message that has it @param {string} [app] that it is about */
export function refuse(fault, message, app) {
  if (fault === null) return;
  const what = fault === '' ? message : `${fault} of ${message}`;
  throw new NodeclusterError('E_PRIMARY_REPORT', { what, app });
}

/** @typedef {'E_APP_KILLED' | 'E_DAEMON_EXITS'} Leaving why a connection ends on purpose */

/**
 * @param {unknown} thrown by a request to a primary
 * @param {Leaving | null} leaving
 * @returns {Leaving | 'E_PRIMARY_GONE' | 'E_PRIMARY_LOST' | 'E_PRIMARY_SILENT' | null} null: the primary refused it
 */
export function failureCode(thrown, leaving) {
  const { code, data } = NodeclusterError.from(thrown);
  if (code === 'E_PROTOCOL_CLOSED') return leaving ?? 'E_PRIMARY_LOST';
  // The app has ended there meanwhile.
  if (code === 'E_PROTOCOL_PARAMS' && data.key === 'app') return 'E_PRIMARY_GONE';
  return code === 'E_PROTOCOL_TIMEOUT' ? 'E_PRIMARY_SILENT' : null;
}
