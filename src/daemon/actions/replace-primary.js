/** An app moves to another primary, which serves the same sockets; `update --apps`. */
import { isDeepStrictEqual } from 'node:util';
import { NodeclusterError } from '../../errors/error.js';
import { placeAt } from '../../lifecycle/listening.js';
import { isOtherUser } from '../../shared/home.js';
import { failedOutcome, isRefused } from '../apps/outcome.js';
import { retireTimeout } from '../delays.js';
import { isMoving, letServe, startSlots, takeSecond } from './start.js';
import { shutDownPrimary } from './stop.js';
import { PACKAGE_ROOT } from '../../shared/package/root.js';
import { progressTo, refuse, runInTurn } from '../control/run-command.js';
import { removeUnusedCopies } from '../copies.js';
import { chosenNode } from '../primaries/launch.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { App } from '../apps/app.js'
 * @import { PrimaryLink } from '../primaries/link.js'
 * @import { Action, ReportProgress } from '../control/run-command.js'
 * @import { Daemon } from '../daemon.js'
 * @import { Handler } from '../control/methods.js'
 */

/** @typedef {{spec: Spec, generation: number, parallel?: number}} Next */

const SECOND_FAILED = ['E_PRIMARY_START', 'E_PRIMARY_GONE', 'E_PRIMARY_LOST', 'E_PRIMARY_SILENT'];

/**
 * The new primary serves beside the old one before that stops accepting. If its workers do not come online, it exits and
 * nothing has changed. If an earlier daemon was killed meanwhile, this goes on with what it has begun.
 * @type {Action<{next?: Next, onServing?: () => void}>} next: what it runs; default: the same as the old one
 */
export async function replacePrimary(daemon, app, { next, onServing = () => {} }, report) {
  const { link, spec } = app;
  const beganMs = performance.now();
  const elapsed = () => Math.round(performance.now() - beganMs);
  // The files of another user have one place.
  if (emptiesFirst(app) || isOtherUser(spec.uid)) return restartPrimary(daemon, app, spec, report);
  link.refuseUnknown();
  // One that an earlier daemon has launched has its sockets already.
  if (!isMoving(app)) refuseUnheldSockets(daemon, app);
  const minReady = (link.snapshot?.slots ?? []).filter(({ isReady }) => isReady).length;
  const started = await startSecond(daemon, app, report, next);
  if (!started.ok) {
    if (isMoving(app)) await takeSecond(daemon, app);
    return { ...started, durationMs: elapsed() };
  }
  onServing();
  const timeoutMs = retireTimeout(spec);
  const retired = await link.shutdown({ timeoutMs, report, goesOn: 'elsewhere' });
  await takeSecond(daemon, app);
  // If the new one has been killed meanwhile, this starts another.
  await startSlots(daemon, app, app.desiredSlots, () => {});
  const { longLivedCut = 0, killed } = retired ?? {};
  return { ...started, minReady, longLivedCut, killed, durationMs: elapsed() };
}

/**
 * The outcome is that of its workers; if they fail, it has ended.
 * @param {Daemon} daemon @param {App} app @param {ReportProgress} report @param {Next} [next]
 */
async function startSecond(daemon, app, report, next) {
  const { link, slots, stoppedSlots, listeningRecord } = app;
  const { spec = app.spec, generation = link.snapshot?.generation ?? app.generation } = next ?? {};
  const second = app.linkSecond();
  const order = { spec, generation, slots, stoppedSlots, listeningRecord, isSecond: true };
  const end = async () => {
    await second.shutdown({ timeoutMs: retireTimeout(spec), goesOn: 'elsewhere' });
    app.second = null;
  };
  // Its clients wait in sockets that both have.
  const onLost = () => void letServe(daemon, app, second);
  app.once('lost', onLost);
  try {
    await second.launch(order, link);
    if (app.isDown) onLost();
    const outcome = await rollSecond(app, second, next, report);
    if (!outcome.ok && !app.isDown) await end();
    return outcome;
  } catch (thrown) {
    await end();
    const error = NodeclusterError.from(thrown);
    if (!SECOND_FAILED.includes(error.code)) throw error;
    // The first one has exited too, and the daemon starts another.
    if (app.isDown) return failedOutcome(error);
    const data = { ...error.data, app: app.name, reason: error.message };
    return failedOutcome(new NodeclusterError('E_SECOND_PRIMARY', data, error));
  } finally {
    app.off('lost', onLost);
  }
}

/**
 * As in a reload: one worker proves itself for `min_uptime` without connections, the others follow in waves. Only then
 * does the second primary accept.
 * @param {App} app @param {PrimaryLink} second @param {Next | undefined} next @param {ReportProgress} report
 */
async function rollSecond(app, second, next, report) {
  // An earlier daemon may have asked it already.
  await second.whenIdle();
  const { generation, lastReload } = second.snapshot ?? {};
  const slots = app.desiredSlots;
  const options = { report, link: second };
  if (lastReload?.ok) return app.request('start', { slots }, options);
  return app.request('reload', { slots, generation, parallel: next?.parallel }, options);
}

/** The new primary could not listen on them while the old one does. @param {Daemon} daemon @param {App} app */
function refuseUnheldSockets({ table }, { name, link }) {
  const inherited = [...link.heldSockets.all, ...table.primaries.sockets];
  const ports = new Set(inherited.map(({ name: address }) => placeAt(address).port));
  const listeners = (link.snapshot?.slots ?? []).flatMap(({ listening }) => listening);
  const missing = listeners.find(({ address }) => !ports.has(placeAt(address).port));
  if (!missing) return;
  throw new NodeclusterError('E_PRIMARY_STAYS', { app: name, address: missing.address });
}

/**
 * @param {Daemon} daemon @param {App} app with its new spec, which is already saved
 * @param {Fixed} old what the current primary runs @param {ReportProgress} report
 */
export async function restartPrimary(daemon, app, old, report) {
  // Programs in fork mode bind their ports themselves.
  const areSocketsHeld = [old, app.spec].every(({ execMode }) => execMode === 'cluster');
  const stopped = await shutDownPrimary(app, report, areSocketsHeld ? 'later' : undefined);
  const started = await startSlots(daemon, app, app.desiredSlots, report);
  const durationMs = (stopped?.durationMs ?? 0) + (started.durationMs ?? 0);
  const { longLivedCut, killed } = stopped ?? {};
  return { ...started, longLivedCut, killed, durationMs };
}

/** Keys of a spec that a primary cannot change while it runs. */
const FIXED = /** @type {const} */ (['execMode', 'uid', 'gid', 'privilegedPorts']);
/** Likewise, but a second primary may have others while the first one still serves the same sockets. */
const MOVABLE = /** @type {const} */ (['interpreter', 'scheduling']);

/** @typedef {Pick<Spec, typeof FIXED[number] | typeof MOVABLE[number]>} Fixed */

/** @param {Fixed} old of a primary, perhaps of another version, which does not know every key @param {Fixed} spec */
export function needsNewPrimary(old, spec) {
  // In fork mode the others concern only the workers.
  const isFork = old.execMode === 'fork' && spec.execMode === 'fork';
  const keys = isFork ? FIXED : [...FIXED, ...MOVABLE];
  return keys.some((key) => key in old && !isDeepStrictEqual(spec[key], old[key]));
}

/** @param {App} app @returns {boolean} whether any of its workers must have exited before another one starts */
export function emptiesFirst({ spec, link }) {
  const slots = link.snapshot?.slots ?? [];
  return spec.execMode === 'fork' || slots.some((slot) => slot.emptiesFirst);
}

/** See replacePrimary(). @param {App} app @param {Fixed} spec */
export function canMove(app, spec) {
  const isSame = FIXED.every((key) => isDeepStrictEqual(spec[key], app.spec[key]));
  return isSame && !emptiesFirst(app) && !isOtherUser(spec.uid);
}

/**
 * Replaces primaries that another version of nodecluster, or of Node, started: one by one, so that a version that does
 * not work out is noticed at the first app.
 * @type {Handler<'update-apps'>}
 */
export async function updateApps(daemon, _params, ctx) {
  const apps = [];
  /** @type {string | null} */
  let failed = null;
  for (const app of daemon.table.all()) {
    if (app.isDown || !isOutdated(app)) continue;
    const didRun = (app.link.snapshot?.slots ?? []).some(({ status }) => status === 'online');
    const run = async (/** @type {ReportProgress} */ report) => {
      if (failed !== null) throw new NodeclusterError('E_UPDATE_ENDED', { app: app.name, failed });
      daemon.features.check(app, 'update', {});
      return replacePrimary(daemon, app, {}, report);
    };
    const step = { name: app.name, action: 'update', run, report: progressTo(ctx) };
    const outcome = await runInTurn(daemon, app, step).catch((error) =>
      refuse(daemon, step, error),
    );
    apps.push(outcome);
    const isTried = !outcome.failed.some(({ reason }) => isRefused(reason));
    // What did not run before, and sockets that cannot be handed over, say nothing about the new version.
    if (!outcome.ok && didRun && isTried) failed ??= app.name;
  }
  removeUnusedCopies(daemon);
  return { apps };
}

/** Whether its primary runs other files than this daemon, or another Node without being told to. @param {App} app */
function isOutdated({ link: { state, record, snapshot }, spec }) {
  const node = chosenNode(spec) ? undefined : snapshot?.node;
  const isOtherNode = node !== undefined && node !== process.versions.node;
  return state !== 'none' && (record?.root !== PACKAGE_ROOT || isOtherNode);
}
