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
 *
 * @typedef {object} Listener
 * @property {PrimaryRecord | null} record of a primary that answered
 * @property {boolean} isStranger it is another program
 * @property {string} reason why nobody else may listen there
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
  if (recorded && !recorded.isShared) return { kind: 'found', record: recorded };
  const listener = await findListener(paths, replyMs);
  if (listener) return judgeListener(listener, recorded);
  const isInDoubt = recorded !== null || found.kind === 'unsound';
  if (!isInDoubt || hasHealed) return { kind: 'none' };
  return { kind: 'unclear', reason: found.kind === 'unsound' ? found.reason : '' };
}

/**
 * @param {Listener} listener
 * @param {PrimaryRecord | null} recorded of a process that may run for other apps only
 * @returns {Finding}
 */
function judgeListener({ record, isStranger, reason }, recorded) {
  // One that is silent may be frozen, and then it is replaced.
  const primary = recorded && !isStranger ? recorded : record;
  return primary ? { kind: 'found', record: primary } : { kind: 'unclear', reason };
}

/** @param {ListenerPaths} paths @param {number} timeoutMs @returns {Promise<Listener | null>} null: nobody listens there */
async function findListener({ socket, user }, timeoutMs) {
  try {
    const client = await connect(socket, { hello: { role: 'ping' }, timeoutMs });
    client.close();
    const { role, pid, version } = client.peer;
    const identity = role === 'primary' ? identify(pid) : null;
    const record = identity && { ...identity, socket, version, ...(user && { uid: user.uid }) };
    if (record && isAlive(record)) return { record, isStranger: false, reason: '' };
    return { record: null, isStranger: true, reason: `another program listens on ${socket}` };
  } catch (thrown) {
    if (isAbsence(thrown)) return null;
    const { code, data, message } = NodeclusterError.from(thrown);
    /** @type {Record<string, string>} */
    const reasons = {
      E_PROTOCOL_TIMEOUT: `a process listens on ${socket} and does not answer`,
      E_PROTOCOL_UNREACHABLE: `could not connect to ${socket} (${data.reason})`,
    };
    return { record: null, isStranger: !(code in reasons), reason: reasons[code] ?? message };
  }
}
