/** Finds what runs already when a daemon starts: the primary of an app, and apps that desired.json has lost. */
import { readdirSync } from 'node:fs';
import { checkSpec } from '../../config/check-spec.js';
import { NodeclusterError, attempt } from '../../errors/error.js';
import { connect, isAbsence } from '../../protocol/client.js';
import { readSmallFile } from '../../shared/files/small-file.js';
import { identify, isAlive } from '../../shared/processes/identity.js';
import { readLiveRecord, readRecord } from '../../shared/processes/primary-record.js';
import { withCount } from '../apps/slots.js';
import { NEW_APP, readDesired } from '../apps/store.js';

/**
 * @import { AppPaths, HomePaths } from '../../shared/home.js'
 * @import { PrimaryRecord } from '../../shared/processes/records.js'
 * @import { App } from '../apps/app.js'
 * @import { DesiredApp } from '../apps/desired.js'
 * @import { AppTable } from '../apps/table.js'
 */

const REPLY_MS = 5000;

/**
 * @typedef {Pick<AppPaths, 'record' | 'socket' | 'user'>} ListenerPaths
 *
 * @typedef {{kind: 'none'} | {kind: 'found', record: PrimaryRecord} | {kind: 'unclear', reason: string}
 * } Finding unclear: there may be one, and it may be serving; ask again later
 */

/**
 * Finds the primary of an app that an earlier daemon started: by its record, or by its socket.
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

/** Bytes; one app with a long environment takes some 100 KB. */
const MAX_LAUNCH_BYTES = 16 * 1024 * 1024;

/**
 * @param {HomePaths} paths
 * @param {AppTable} table
 * @returns {DesiredApp[]} with the settings that their primaries were started with
 */
export function findUnrecordedApps(paths, table) {
  return readdirSync(paths.appsDir).flatMap((name) => {
    if (table.get(name)) return [];
    const { record: recordFile, launch } = paths.app(name);
    return readLiveRecord(recordFile) === null ? [] : readLaunch(launch);
  });
}

/**
 * Recovers what has changed since the primary was started; it is the only one that knows.
 * @param {AppTable} table
 * @param {App} app that findUnrecordedApps found
 * @throws {NodeclusterError} what `request` of a link throws, E_REQUEST_INVALID
 */
export async function recoverChanges(table, app) {
  const { snapshot } = app.link;
  if (app.link.state !== 'connected' || snapshot === null) return;
  // Another user could make it an app of root; what its daemon started it with is certain.
  if (app.link.record?.uid !== undefined) return;
  const spec = checkSpec((await app.request('spec', {})).spec);
  const slots = snapshot.slots.map(({ slot }) => slot);
  const isFixed = typeof spec.instances === 'number' && spec.instances > 0;
  app.spec = isFixed ? withCount(spec, slots.length) : spec;
  app.generation = snapshot.generation;
  table.setSlots(app, slots);
  const stopped = snapshot.slots.filter(({ status }) => status === 'stopped');
  app.stoppedSlots = stopped.map(({ slot }) => slot);
}

/** @param {string} file @returns {DesiredApp[]} one, or none when the file is not valid */
function readLaunch(file) {
  const launch = attempt(() => JSON.parse(readSmallFile(file, MAX_LAUNCH_BYTES)), null);
  const { spec, generation, slots, stoppedSlots } = launch ?? {};
  const { app } = readDesired({ ...NEW_APP, spec, generation, slots, stoppedSlots });
  return app === null ? [] : [app];
}
