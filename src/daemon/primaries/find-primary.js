/** Finds the primary of an app that an earlier daemon started: by its record, or by its socket. */
import { NodeclusterError } from '../../errors/error.js';
import { connect } from '../../protocol/client.js';
import { identify, isAlive } from '../../shared/processes/identity.js';
import { readRecord } from '../../shared/processes/primary-record.js';
import { VERSION } from '../../shared/version.js';

/**
 * @import { AppPaths } from '../../shared/home.js'
 * @import { FoundRecord } from '../../shared/processes/primary-record.js'
 * @import { PrimaryRecord } from '../../shared/processes/records.js'
 */

/**
 * @typedef {Pick<AppPaths, 'record' | 'socket' | 'user'>} ListenerPaths
 *
 * @typedef {{kind: 'none'} | {kind: 'found', record: PrimaryRecord} | {kind: 'unclear', reason: string}
 * } Finding unclear: there may be one, and it may be serving
 *
 * @typedef {object} Answer
 * @property {SocketKind} kind
 * @property {PrimaryRecord | null} record of a primary that answered
 * @property {string} reason why nobody else may listen there
 */

const REPLY_MS = 5000;
const HELLO = { role: 'ping', version: VERSION };

/**
 * @param {ListenerPaths} paths of an app
 * @param {boolean} hasHealed whether a running primary has had the time to restore its socket
 * @returns {Promise<Finding>}
 */
export async function findPrimary(paths, hasHealed) {
  const found = readRecord(paths.record);
  const kind = kindOf(found);
  const answer = kind === 'alive' ? null : await probe(paths);
  const verdict = judgePrimary(kind, answer?.kind ?? 'none', hasHealed);
  const record = found.kind === 'sound' && verdict === 'recorded' ? found.record : answer?.record;
  if (record) return { kind: 'found', record };
  if (verdict === 'none') return { kind: 'none' };
  return {
    kind: 'unclear',
    reason: answer?.reason || (found.kind === 'unsound' ? found.reason : ''),
  };
}

/** @param {FoundRecord} record @returns {RecordKind} */
function kindOf(record) {
  if (record.kind !== 'sound') return record.kind;
  if (!isAlive(record.record)) return 'dead';
  return record.record.isShared ? 'shared' : 'alive';
}

/** @param {ListenerPaths} paths @returns {Promise<Answer>} who listens there */
async function probe({ socket, user }) {
  try {
    const client = await connect(socket, { hello: HELLO, timeoutMs: REPLY_MS });
    client.close();
    const identity = client.peer.role === 'primary' ? identify(client.peer.pid) : null;
    const { version } = client.peer;
    const record = identity && { ...identity, socket, version, ...(user && { uid: user.uid }) };
    if (record && isAlive(record)) return { kind: 'primary', record, reason: '' };
    return { kind: 'stranger', record: null, reason: `another program listens on ${socket}` };
  } catch (thrown) {
    return judgeFailure(NodeclusterError.from(thrown), socket);
  }
}

/** @param {NodeclusterError} error of connecting @param {string} socket */
function judgeFailure({ code, data, message }, socket) {
  if (code === 'E_PROTOCOL_TIMEOUT') {
    return noAnswer('silent', `a process listens on ${socket} and does not answer`);
  }
  if (code !== 'E_PROTOCOL_UNREACHABLE') return noAnswer('stranger', message);
  if (data.reason === 'ENOENT') return noAnswer('none');
  if (data.reason === 'ECONNREFUSED') return noAnswer('refuses');
  return noAnswer('unreachable', `could not connect to ${socket} (${data.reason})`);
}

/** @param {SocketKind} kind @param {string} [reason] @returns {Answer} */
function noAnswer(kind, reason = '') {
  return { kind, record: null, reason };
}

/**
 * @typedef {'none' | 'alive' | 'shared' | 'dead' | 'unsound'} RecordKind shared: its process runs, perhaps
 *   for other apps only; unsound: damaged, or cannot be read
 * @typedef {'none' | 'primary' | 'stranger' | 'refuses' | 'silent' | 'unreachable'} SocketKind
 *   refuses: no process listens; silent: one listens and does not answer; unreachable: this daemon
 *   could not connect, as when it has no descriptors left
 */

/**
 * @param {RecordKind} record
 * @param {SocketKind} socket
 * @param {boolean} hasHealed whether a running primary has had the time to restore its socket
 * @returns {'none' | 'recorded' | 'listener' | 'unclear'} the process in the record, or the one that
 *   listens; unclear: ask again later
 */
export function judgePrimary(record, socket, hasHealed) {
  if (record === 'alive') return 'recorded';
  // One that is silent may be frozen, and then it is replaced.
  if (record === 'shared' && ['primary', 'silent', 'unreachable'].includes(socket))
    return 'recorded';
  if (socket === 'primary') return 'listener';
  if (socket !== 'none' && socket !== 'refuses') return 'unclear';
  const isInDoubt = record === 'unsound' || record === 'shared';
  return isInDoubt && !hasHealed ? 'unclear' : 'none';
}
