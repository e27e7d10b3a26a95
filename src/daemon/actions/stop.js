/** Workers end and stay away, whoever starts again: a worker, the primary, the daemon. */
import { NodeclusterError } from '../../errors/error.js';

/**
 * @import { Spec } from '../../config/spec.js'
 * @import { App } from '../apps/app.js'
 * @import { PartialOutcome } from '../../protocol/shapes.js'
 * @import { Report, World } from '../control/world.js'
 */

/** ms that a worker may take beyond its drain timeout to say that it is drained. */
const AGENT_MS = 2000;
/** ms that a primary gets beyond what its workers may take. */
const GRACE_MS = 5000;

/**
 * @param {World} world
 * @param {App} app
 * @param {number[] | null} slots null: all, and with them the primary
 * @param {Report} report
 * @returns {Promise<PartialOutcome>}
 */
export async function stopApp(world, app, slots, report) {
  const stopping = slots ?? app.slots;
  const isLast = app.wantedSlots.every((slot) => stopping.includes(slot));
  if (isLast) app.stopped = true;
  else for (const slot of stopping) app.stoppedSlots.add(slot);
  return savedAndDone(world, async () => {
    const isDown = app.link.state === 'none';
    const order = { slots: stopping };
    const outcome = isDown ? { ok: true } : await app.link.request('stop', order, { report });
    if (isLast) await endPrimary(app, report);
    return outcome;
  });
}

/**
 * Stops all of an app, whatever it is doing: what does not end in time is killed.
 * @param {World} world
 * @param {App} app
 * @param {Report} [report]
 * @returns {Promise<PartialOutcome | null>} null: it had no primary
 * @throws {NodeclusterError} E_END_UNWRITTEN
 */
export function endApp(world, app, report) {
  app.stopped = true;
  return savedAndDone(world, () => endPrimary(app, report));
}

/**
 * A full disk keeps nothing from being ended; who asked for it hears afterwards.
 * @template T
 * @param {World} world
 * @param {() => Promise<T>} end
 * @returns {Promise<T>}
 * @throws {NodeclusterError} E_END_UNWRITTEN
 */
export async function savedAndDone({ table }, end) {
  const [saved] = await Promise.allSettled([table.save()]);
  const outcome = await end();
  if (saved.status === 'fulfilled') return outcome;
  throw new NodeclusterError('E_END_UNWRITTEN', saved.reason.data, saved.reason);
}

/**
 * The primary and its workers end, whatever is wanted of the app.
 * @param {App} app
 * @param {Report} [report]
 * @param {{hasSuccessor?: boolean}} [then] another primary follows, and clients shall wait for it
 * @returns {Promise<PartialOutcome | null>} null: there was none
 */
export function endPrimary({ link, spec }, report, { hasSuccessor = false } = {}) {
  return link.shutdown({ timeoutMs: longestEnd(spec), report, hasSuccessor });
}

/**
 * @param {Pick<Spec, 'drainTimeoutMs' | 'killTimeoutMs'>} spec
 * @returns {number} ms that all the workers together may take to drain and to end
 */
export function longestEnd({ drainTimeoutMs, killTimeoutMs }) {
  return drainTimeoutMs + AGENT_MS + killTimeoutMs + GRACE_MS;
}
