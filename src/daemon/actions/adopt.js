/** Links apps with the primaries that an earlier daemon has started. */
import { checkSpec } from '../../config/check-spec.js';
import { NodeclusterError } from '../../errors/error.js';
import { poll } from '../../shared/deadline.js';
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

/** Finds those that run, and which apps they have. @param {Daemon} daemon that has just been started */
export async function findPrimaries(daemon) {
  const { table } = daemon;
  const { primaries } = table;
  /** @type {[Primary, Snapshot][]} */
  const strangers = [];
  primaries.onStranger = (...found) => void strangers.push(found);
  await lookForPrimaries(daemon);
  for (const app of table.all()) {
    suspect(daemon, app);
    if (app.second?.state === 'none') app.second = null;
  }
  let isUnsaved = table.notes.length > 0;
  for (const found of strangers) isUnsaved = (await adopt(daemon, ...found)) || isUnsaved;
  primaries.onStranger = async (primary, snapshot) => {
    // It says so before it can be asked, and before those that it should have are attached.
    await poll(() => primary.state !== 'unknown', { timeoutMs: REPLY_MS });
    if (await adopt(daemon, primary, snapshot)) await table.saveOrRetry();
  };
  for (const primary of primaries.all()) {
    // The daemon that started it was killed before it had an app.
    if (primary.state === 'connected' && primary.size === 0) primary.end();
  }
  // At once: if their primaries exit too, nothing else knows these apps, and a damaged file is gone.
  if (isUnsaved) await table.saveOrRetry();
}

/** Those whose files are there, perhaps again, after a home was removed. @param {Daemon} daemon */
export async function lookForPrimaries({ table, paths }) {
  await table.primaries.find((id) =>
    table.all().flatMap(({ name, spec, link, second }) => {
      const expected = [link, second].find((each) => each?.id === id && each.state === 'none');
      return expected ? [{ name, link: expected, user: paths.app(name, spec.uid).user }] : [];
    }),
  );
}

/** If it could not be saved where the app is. @param {Daemon} daemon @param {App} app */
function suspect({ table: { primaries } }, app) {
  if (app.link.state !== 'none') return;
  const mayHave = (/** @type {Primary} */ { id, state, record }) =>
    state === 'unknown' && id !== app.second?.id && record && workersIn(record).has(app.name);
  const primary = primaries.all().find(mayHave);
  if (primary) app.link.adopt(primary);
}

/**
 * @param {Daemon} daemon
 * @param {Primary} primary
 * @param {Snapshot} snapshot of an app that it has
 * @returns {Promise<boolean>} whether it is to be saved that the app is there
 */
async function adopt(daemon, primary, snapshot) {
  const { table, log } = daemon;
  const { name } = snapshot;
  const app = table.get(name);
  // It should be there, and is attached already.
  if (primary.links.get(name)) return false;
  // Its next report is tried again.
  const forget = () => primary.strangers.delete(name);
  if (app && (app.link.state !== 'none' || app.link.isLaunching)) {
    log.error('primary.twice', { app: name, primary: primary.pid });
    // The one that it was saved to be in has it.
    void primary.request(name, 'shutdown', {}).catch(forget);
    return false;
  }
  try {
    const adopted = app ?? (await insert(daemon, primary, snapshot));
    const isSaved = app?.link.id === primary.id;
    adopted.link.adopt(primary);
    primary.holdSockets();
    return !isSaved;
  } catch (thrown) {
    const { message: reason } = NodeclusterError.from(thrown);
    log.error('state.incomplete', { app: name, reason });
    forget();
    return false;
  }
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
    spec,
    generation,
    slots: numbers,
    stoppedSlots: stopped.map(({ slot }) => slot),
    primary: primary.id,
  });
  if (isFixed) app.spec = withCount(spec, app.count);
  supervise(daemon, app);
  return app;
}
