/** Finds the primary of an app that an earlier daemon started: by its record, or by its socket. */
import { NodeclusterError } from '../../errors/error.js';
import { connect, isAbsence } from '../../protocol/client.js';
import { identify, isAlive } from '../../shared/processes/identity.js';
import { readRecord } from '../../shared/processes/primary-record.js';

/**
 * @import { AppPaths } from '../../shared/home.js'
 * @import { PrimaryRecord } from '../../shared/processes/records.js'
 */

/**
 * @typedef {Pick<AppPaths, 'record' | 'socket' | 'user'>} ListenerPaths
 *
 * @typedef {{kind: 'none'} | {kind: 'found', record: PrimaryRecord} | {kind: 'unclear', reason: string}
 * } Finding unclear: there may be one, and it may be serving; ask again later
 */

const REPLY_MS = 5000;

/**
 * @param {ListenerPaths} paths of an app
 * @param {boolean} hasHealed whether a running primary has had the time to restore its socket
 * @param {number} [replyMs]
 * @returns {Promise<Finding>}
 */
export async function findPrimary(paths, hasHealed, replyMs = REPLY_MS) {
  const found = readRecord(paths.record);
  const recorded = found.kind === 'sound' && isAlive(found.record) ? found.record : null;
  if (recorded && !recorded.shares) return { kind: 'found', record: recorded };
  const listener = await findListener(paths, recorded, replyMs);
  if (listener) return listener;
  const isInDoubt = recorded !== null || found.kind === 'unsound';
  if (!isInDoubt || hasHealed) return { kind: 'none' };
  const silent = `its process runs, but does not listen on ${paths.socket}`;
  return { kind: 'unclear', reason: found.kind === 'unsound' ? found.reason : silent };
}

/**
 * @param {ListenerPaths} paths
 * @param {PrimaryRecord | null} recorded of a process that may run for other apps only
 * @param {number} timeoutMs
 * @returns {Promise<Finding | null>} null: nobody listens there
 */
async function findListener({ socket, user }, recorded, timeoutMs) {
  try {
    const client = await connect(socket, { hello: { role: 'ping' }, timeoutMs });
    client.close();
    const { role, pid, version } = client.peer;
    const identity = role === 'primary' ? identify(pid) : null;
    const record = identity && { ...identity, socket, version, ...(user && { uid: user.uid }) };
    if (record && isAlive(record)) return { kind: 'found', record: recorded ?? record };
    return { kind: 'unclear', reason: `another program listens on ${socket}` };
  } catch (thrown) {
    if (isAbsence(thrown)) return null;
    const { code, data, message } = NodeclusterError.from(thrown);
    /** @type {Record<string, string>} */
    const reasons = {
      E_PROTOCOL_TIMEOUT: `a process listens on ${socket} and does not answer`,
      E_PROTOCOL_UNREACHABLE: `could not connect to ${socket} (${data.reason})`,
    };
    // One that is silent may be frozen, and then it is replaced.
    if (recorded && code in reasons) return { kind: 'found', record: recorded };
    return { kind: 'unclear', reason: reasons[code] ?? message };
  }
}
