/** Finds a primary that an earlier daemon started: by its record, or by its socket. */
import { NodeclusterError } from '../../errors/error.js';
import { connect, isAbsence } from '../../protocol/client.js';
import { identify, isAlive } from '../../shared/processes/identity.js';
import { readRecord } from '../../shared/processes/primary-record.js';

/**
 * @import { PrimaryPaths } from '../../shared/home.js'
 * @import { PrimaryRecord } from '../../shared/processes/records.js'
 */

const REPLY_MS = 5000;

/**
 * @typedef {Pick<PrimaryPaths, 'identity' | 'socket' | 'user'>} ListenerPaths
 *
 * @typedef {{kind: 'none'} | {kind: 'found', record: PrimaryRecord} | {kind: 'unclear', reason: string}
 * } Finding unclear: there may be one, and it may be serving; ask again later
 */

/**
 * @param {ListenerPaths} paths
 * @param {boolean} hasHealed whether a running primary has had the time to restore its socket
 * @param {number} [replyMs]
 * @returns {Promise<Finding>}
 */
export async function findPrimary(paths, hasHealed, replyMs = REPLY_MS) {
  const found = readRecord(paths.identity);
  if (found.kind === 'sound' && isAlive(found.record))
    return { kind: 'found', record: found.record };
  const listener = await findListener(paths, replyMs);
  if (listener) return listener;
  if (found.kind !== 'unsound' || hasHealed) return { kind: 'none' };
  return { kind: 'unclear', reason: found.reason };
}

/**
 * @param {ListenerPaths} paths
 * @param {number} timeoutMs
 * @returns {Promise<Finding | null>} null: nobody listens there
 */
async function findListener({ socket, user }, timeoutMs) {
  try {
    const client = await connect(socket, { hello: { role: 'ping' }, timeoutMs });
    client.close();
    const { role, pid, version } = client.peer;
    const identity = role === 'primary' ? identify(pid) : null;
    const record = identity && { ...identity, socket, version, ...(user && { uid: user.uid }) };
    if (record && isAlive(record)) return { kind: 'found', record };
    return { kind: 'unclear', reason: `another program listens on ${socket}` };
  } catch (thrown) {
    if (isAbsence(thrown)) return null;
    const { code, data, message } = NodeclusterError.from(thrown);
    /** @type {Record<string, string>} */
    const reasons = {
      E_PROTOCOL_TIMEOUT: `a process listens on ${socket} and does not answer`,
      E_PROTOCOL_UNREACHABLE: `could not connect to ${socket} (${data.reason})`,
    };
    return { kind: 'unclear', reason: reasons[code] ?? message };
  }
}
