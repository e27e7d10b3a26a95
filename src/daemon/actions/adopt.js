/** Links apps with the primaries that an earlier daemon has started. */
import { checkSpec } from '../../config/check-spec.js';
import { NodeclusterError } from '../../errors/error.js';
import { workersIn } from '../../shared/processes/primary-record.js';
import { withCount } from '../apps/slots.js';
import { NEW_APP } from '../apps/store.js';
import { supervise } from './recovery.js';

/**
 * @import { Snapshot } from '../../protocol/methods.js'
 * @import { App } from '../apps/app.js'
 * @import { Daemon } from '../daemon.js'
 * @import { Primary } from '../primaries/primary.js'
 */

const REPLY_MS = 5000;

/**
 * Finds those that run, and which apps they have.
 * @param {Daemon} daemon that has just been started
 * @returns {Promise<App[]>} those that desired.json has lost
 */
export async function findPrimaries(daemon) {
  const { table } = daemon;
  const { primaries } = table;
  /** @type {[Primary, Snapshot][]} */
  const hosted = [];
  primaries.onUnknownApp = (...found) => void hosted.push(found);
  await primaries.find((id) => {
    const app = table.all().find((each) => each.primary === id);
    return app ? daemon.paths.app(app.name, app.spec.uid).user : null;
  });
  for (const app of table.all()) suspect(daemon, app);
  const unrecorded = [];
  const isWhereSaved = (/** @type {[Primary, Snapshot]} */ [{ id }, { name }]) =>
    table.get(name)?.primary === id;
  hosted.sort((one, other) => Number(isWhereSaved(other)) - Number(isWhereSaved(one)));
  for (const found of hosted) unrecorded.push(...(await adopt(daemon, ...found)));
  primaries.onUnknownApp = (...found) => void adopt(daemon, ...found);
  for (const primary of primaries.all()) {
    void primary.holdSockets();
    // The daemon that started it was killed before it had an app.
    if (primary.state === 'connected' && primary.size === 0) primary.end();
  }
  return unrecorded;
}

/** Those whose files are there again, after a home was removed. @param {Daemon} daemon */
export async function lookForPrimaries({ table }) {
  await table.primaries.find(() => null);
}

/** Where it was saved to be, it may be. @param {Daemon} daemon @param {App} app */
function suspect({ table: { primaries } }, app) {
  const silent = primaries.all().filter(({ state }) => state === 'unknown');
  const mayHave = (/** @type {Primary} */ { id, record }) =>
    id !== app.successor && record !== null && workersIn(record).has(app.name);
  const first = silent.find(({ id }) => id === app.primary) ?? silent.find(mayHave);
  if (first) app.link.adopt(first);
  const second = silent.find(({ id }) => id === app.successor);
  if (second) app.linkSecond().adopt(second);
}

/**
 * @param {Daemon} daemon @param {Primary} primary @param {Snapshot} snapshot of an app that it has
 * @returns {Promise<App[]>} that app, if the daemon did not know it
 */
async function adopt(daemon, primary, snapshot) {
  const { table, log } = daemon;
  const { name } = snapshot;
  const app = table.get(name);
  // Another user could name any app, or make one of root.
  if (primary.record?.uid !== undefined && app?.primary !== primary.id) return [];
  if (app && app.successor === primary.id) {
    app.linkSecond().adopt(primary, snapshot);
  } else if (app && app.link.state === 'none') {
    app.link.adopt(primary, snapshot);
  } else if (app) {
    log.error('primary.twice', { app: name, primary: primary.pid });
    // The one that it was saved to be in has it.
    void primary.request(name, 'shutdown', {}).catch(() => {});
  } else {
    return insert(daemon, primary, snapshot).catch(({ message: reason }) => {
      log.error('state.incomplete', { app: name, reason });
      return [];
    });
  }
  return [];
}

/** Its primary is the only one that knows its settings. @param {Daemon} daemon @param {Primary} primary @param {Snapshot} snapshot */
async function insert(daemon, primary, snapshot) {
  const { name, slots, generation } = snapshot;
  const { spec: given } = await primary.request(name, 'spec', {}, { timeoutMs: REPLY_MS });
  const spec = checkSpec(given);
  if (spec.name !== name || daemon.table.get(name))
    throw new NodeclusterError('E_PRIMARY_REPORT', { app: name, what: 'name' });
  const numbers = slots.map(({ slot }) => slot).sort((one, other) => one - other);
  const isFixed = typeof spec.instances === 'number' && spec.instances > 0;
  const stopped = slots.filter(({ status }) => status === 'stopped');
  const app = daemon.table.insert({
    ...NEW_APP,
    spec: isFixed ? withCount(spec, numbers.length) : spec,
    generation,
    slots: numbers,
    stoppedSlots: stopped.map(({ slot }) => slot),
    primary: primary.id,
  });
  supervise(daemon, app);
  app.link.adopt(primary, snapshot);
  return [app];
}
