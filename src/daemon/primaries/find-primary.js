/** Finds the primary of an app that an earlier daemon started: by its record, or by its socket. */
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeclusterError } from '../../errors/error.js';
import { connect } from '../../protocol/client.js';
import { HEALED_MS } from '../../shared/presence.js';
import { identify, isAlive } from '../../shared/processes/identity.js';
import { readRecord } from '../../shared/processes/primary-record.js';
import { VERSION } from '../../shared/version.js';
import { judgePrimary } from './judge-primary.js';

/**
 * @import { AppPaths } from '../../shared/home.js'
 * @import { ProcessIdentity } from '../../shared/processes/identity.js'
 * @import { FoundRecord } from '../../shared/processes/primary-record.js'
 * @import { RecordKind, SocketKind } from './judge-primary.js'
 */

/**
 * @typedef {ProcessIdentity & {socket: string}} PrimaryRecord a primary, and where it listens
 *
 * @typedef {{kind: 'none'} | {kind: 'found', record: PrimaryRecord} | {kind: 'unclear', reason: string}
 * } Finding unclear: there may be one, and it may be serving
 *
 * @typedef {object} Answer
 * @property {SocketKind} kind
 * @property {ProcessIdentity | null} identity of a primary that answered
 * @property {string} reason why nobody else may listen there
 */

const REPLY_MS = 5000;
const RETRY_MS = 1000;
const HELLO = { role: 'ping', version: VERSION };

/**
 * @param {Pick<AppPaths, 'record' | 'socket'>} paths of an app
 * @param {boolean} hasHealed whether a running primary has had the time to restore its socket
 * @returns {Promise<Finding>}
 */
export async function findPrimary({ record: file, socket }, hasHealed) {
  const record = readRecord(file);
  const kind = kindOf(record);
  const answer = kind === 'alive' ? null : await probe(socket);
  const verdict = judgePrimary(kind, answer?.kind ?? 'none', hasHealed);
  if (verdict === 'recorded' && record.kind === 'sound') {
    return { kind: 'found', record: { ...record.identity, socket } };
  }
  if (verdict === 'listener' && answer?.identity) {
    return { kind: 'found', record: { ...answer.identity, socket } };
  }
  if (verdict === 'none') return { kind: 'none' };
  return { kind: 'unclear', reason: answer?.reason || reasonOf(record) };
}

/**
 * Asks again until it is clear whether there is a primary.
 * @param {Pick<AppPaths, 'record' | 'socket'>} paths of an app
 * @param {(reason: string) => void} onUnclear
 * @returns {Promise<Exclude<Finding, {kind: 'unclear'}>>}
 */
export async function clarifyPrimary(paths, onUnclear) {
  const healedAt = performance.now() + HEALED_MS;
  for (;;) {
    await sleep(RETRY_MS);
    const found = await findPrimary(paths, performance.now() > healedAt);
    if (found.kind !== 'unclear') return found;
    onUnclear(found.reason);
  }
}

/** @param {FoundRecord} record @returns {RecordKind} */
function kindOf(record) {
  if (record.kind !== 'sound') return record.kind;
  return isAlive(record.identity) ? 'alive' : 'dead';
}

/** @param {FoundRecord} record */
function reasonOf(record) {
  return record.kind === 'unsound' ? record.reason : '';
}

/** @param {string} socket @returns {Promise<Answer>} who listens there */
async function probe(socket) {
  try {
    const client = await connect(socket, { hello: HELLO, timeoutMs: REPLY_MS });
    client.close();
    const identity = client.peer.role === 'primary' ? identify(client.peer.pid) : null;
    if (identity) return { kind: 'primary', identity, reason: '' };
    return { kind: 'stranger', identity, reason: `another program listens on ${socket}` };
  } catch (thrown) {
    const { code, data, message } = NodeclusterError.from(thrown);
    const isUnreachable = code === 'E_PROTOCOL_UNREACHABLE';
    if (isUnreachable && data.reason === 'ENOENT') return noAnswer('none');
    if (isUnreachable && data.reason === 'ECONNREFUSED') return noAnswer('refuses');
    if (code === 'E_PROTOCOL_TIMEOUT') {
      return noAnswer('silent', `a process listens on ${socket} and does not answer`);
    }
    return isUnreachable
      ? noAnswer('unreachable', `could not connect to ${socket} (${data.reason})`)
      : noAnswer('stranger', message);
  }
}

/** @param {SocketKind} kind @param {string} [reason] @returns {Answer} */
function noAnswer(kind, reason = '') {
  return { kind, identity: null, reason };
}
