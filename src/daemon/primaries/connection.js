/**
 * Finds a primary and connects to it. What it sends is checked before the daemon uses it: it may run as another user, be
 * of another version or have a bug, and must not harm the other apps.
 */
import { NodeclusterError } from '../../errors/error.js';
import { connect, isAbsence } from '../../protocol/client.js';
import { checkHello } from '../../protocol/server.js';
import { isManaged, OWN_LAUNCH } from '../init-system.js';
import { json, withoutOthers } from '../../shared/checks.js';
import { identify, isAlive } from '../../shared/processes/identity.js';
import { readRecord } from '../../shared/processes/primary-record.js';
import { primaryNotifications, primaryResults } from '../checks.js';

/**
 * @import { PrimaryClient, PrimaryMethods } from '../../protocol/methods.js'
 * @import { NotificationListener } from '../../protocol/wire.js'
 * @import { PrimaryPaths } from '../../shared/home.js'
 * @import { PrimaryRecord } from '../../shared/processes/records.js'
 *
 * @typedef {PrimaryMethods['subscribe']['notifications']} Reports
 */

const REPLY_MS = 5000;
/** A thousand workers that report all at once are within the burst. */
const RATE = { bytesPerSecond: 256 * 1024, burst: 16 * 1024 * 1024 };
const HELLO = { role: 'daemon' };
/** Hundreds of events are kept. What a program sends may be half as large, and all else is some kilobytes. */
const isShort = json(256 * 1024);

/**
 * One that an earlier daemon has started: by its record or, as on a full disk, by its socket.
 * @param {Pick<PrimaryPaths, 'identity' | 'socket' | 'user'>} paths
 * @param {boolean} hasHealed whether a running primary has had the time to restore its socket
 * @returns {Promise<PrimaryRecord | null>} null: none runs
 * @throws {NodeclusterError} there may be one, and it may be serving: why that is not clear
 */
export async function findPrimary(paths, hasHealed) {
  const { identity, socket } = paths;
  const found = readRecord(identity);
  if (found.kind === 'sound' && isAlive(found.record)) return found.record;
  try {
    return await findListener(paths);
  } catch (thrown) {
    if (!isAbsence(thrown)) throw thrown;
    if (found.kind !== 'unsound' || hasHealed) return null;
    throw unreachable(socket, found.reason);
  }
}

/** @param {Pick<PrimaryPaths, 'socket' | 'user'>} paths */
async function findListener({ socket, user }) {
  const options = { hello: { role: 'ping' }, timeoutMs: REPLY_MS };
  const client = await connect(socket, options).catch((thrown) => {
    if (NodeclusterError.from(thrown).code !== 'E_PROTOCOL_TIMEOUT') throw thrown;
    throw unreachable(socket, 'a process listens there and does not answer');
  });
  client.close();
  if (checkHello(client.peer) !== null) throw unreachable(socket, 'its hello is not valid');
  const { role, pid, version } = client.peer;
  const identity = role === 'primary' ? identify(pid) : null;
  const record = identity && { ...identity, socket, version, ...(user && { uid: user.uid }) };
  if (record && isAlive(record)) return record;
  throw unreachable(socket, `another process, ${pid}, listens there`);
}

/** @param {string} socket @param {string} reason */
function unreachable(socket, reason) {
  return new NodeclusterError('E_PROTOCOL_UNREACHABLE', { socket, reason });
}

/**
 * @param {PrimaryRecord} record
 * @param {Record<string, number>} after the `seq` of the last known event of each app
 * @param {{[K in keyof Reports]: (report: Reports[K]) => void}} on state: called for each app at once, and after each change
 * @returns {Promise<{client: PrimaryClient, apps: string[]}>} apps: their names
 */
export async function dialPrimary(record, after, on) {
  const rate = record.uid === undefined ? undefined : RATE;
  /** @type {PrimaryClient} */
  const client = await connect(record.socket, { hello: HELLO, timeoutMs: REPLY_MS, rate });
  try {
    const { pid } = client.peer;
    // A user may have put the socket of another process in its place, and no command must reach that.
    if (pid !== record.pid)
      throw unreachable(record.socket, `another process, ${pid}, listens there`);
    client.on('notification', guarded(client, on));
    const daemon = { after, isManaged, daemon: OWN_LAUNCH };
    const result = await client.request('subscribe', daemon, { timeoutMs: REPLY_MS });
    checkResult('subscribe', result);
    if (client.isClosed) refuse('', 'state');
    return { client, apps: result.apps };
  } catch (error) {
    client.close();
    throw error;
  }
}

/**
 * A primary that sends what is not valid loses its connection, and the daemon nothing else.
 * @param {PrimaryClient} client
 * @param {Record<string, (payload: any) => void>} on by kind
 * @returns {NotificationListener<any>}
 */
export function guarded(client, on) {
  return (kind, payload) => {
    // A newer version may send others.
    if (!Object.hasOwn(on, kind)) return;
    try {
      on[kind](checked(/** @type {keyof typeof primaryNotifications} */ (kind), payload));
    } catch (thrown) {
      if (NodeclusterError.from(thrown).code !== 'E_PRIMARY_REPORT') throw thrown;
      client.close();
    }
  };
}

/**
 * @template {object} T
 * @param {keyof typeof primaryNotifications} kind
 * @param {T} payload
 * @returns {T} without the keys that its type does not have: one could be taken for one of the daemon's
 */
export function checked(kind, payload) {
  const check = primaryNotifications[kind];
  refuse(check(payload) ?? (kind === 'event' ? isShort(payload) : null), kind);
  return withoutOthers(payload, check);
}

/** @param {string} method @param {unknown} result @param {string} [app] that it is about */
export function checkResult(method, result, app) {
  refuse(primaryResults[method]?.(result) ?? null, method, app);
}

/** @param {string | null} fault the path to it @param {string} message that has it @param {string} [app] that it is about */
export function refuse(fault, message, app) {
  if (fault === null) return;
  const what = fault === '' ? message : `${fault} of ${message}`;
  throw new NodeclusterError('E_PRIMARY_REPORT', { what, app });
}
