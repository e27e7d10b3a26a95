/** Health checks: what the daemon says of them. */
import { withoutNulls } from '../../shared/merge-patch.js';
import { epochMs } from '../../shared/monotonic.js';

/**
 * @import { LogEntry } from '../../daemon/events.js'
 * @import { Feature } from '../../daemon/features.js'
 * @import { Snapshot } from '../../protocol/methods.js'
 * @import { SlotState } from '../../protocol/shapes.js'
 */

/** @returns {Feature} */
export const health = () => ({
  note({ link }) {
    const { healthFailsEverywhere, slots = [] } = link.snapshot ?? {};
    if (!healthFailsEverywhere) return null;
    const sick = slots.find((slot) => slot.health?.status === 'unhealthy');
    return `health check fails on every worker, so none is replaced: ${sick?.health?.reason}`;
  },
  worker({ health: reported }) {
    if (!reported) return {};
    const { failingSinceMs, ...known } = reported;
    const failingSince = failingSinceMs === null ? null : epochMs(failingSinceMs);
    return { health: withoutNulls({ ...known, failingSince }) };
  },
  logged(before, after) {
    const ofWorkers = after.slots.flatMap((state) =>
      workerEntries(
        state,
        before.slots.find(({ slot }) => slot === state.slot),
      ),
    );
    return [...ofWorkers, ...appEntries(before, after)];
  },
  words: {
    'worker.unhealthy': ({ slot, reason }) => `worker ${slot} is unhealthy: ${reason}`,
    'worker.healthy': ({ slot }) => `worker ${slot} is healthy again`,
    'app.unhealthy': ({ reason }) =>
      `the health check fails on every worker, so none is replaced: ${reason}`,
    'app.healthy': () => 'the health check succeeds again',
  },
});

/** @param {Partial<Snapshot> & Pick<Snapshot, 'slots'>} before @param {Snapshot} after @returns {LogEntry[]} once per change */
function appEntries(before, after) {
  const fails = after.healthFailsEverywhere;
  if (fails === (before.healthFailsEverywhere ?? false)) return [];
  const find = (/** @type {string} */ status) =>
    after.slots.find(({ health }) => health?.status === status);
  if (!fails) return find('healthy') ? [{ level: 'info', event: 'app.healthy', fields: {} }] : [];
  const fields = { reason: find('unhealthy')?.health?.reason, effect: 'no worker is replaced' };
  return [{ level: 'error', event: 'app.unhealthy', fields }];
}

/** @param {SlotState} state @param {SlotState | undefined} previous @returns {LogEntry[]} */
function workerEntries({ slot, pid, health }, previous) {
  const before = previous?.pid === pid ? previous.health?.status : undefined;
  if (health?.status === 'unhealthy' && before !== 'unhealthy') {
    const fields = { slot, pid, reason: health.reason };
    return [{ level: 'warn', event: 'worker.unhealthy', fields }];
  }
  if (health?.status !== 'healthy' || before !== 'unhealthy') return [];
  return [{ level: 'info', event: 'worker.healthy', fields: { slot, pid } }];
}
