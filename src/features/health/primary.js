/** Health checks of workers (`health`), and what becomes of those that fail. */
import { machineMs } from '../../shared/monotonic.js';
import { reportEvent } from '../../primary/worker/report.js';
import { HealthWatch } from './primary/health-watch.js';
import { WorkerHealth } from './primary/worker-health.js';

/**
 * @import { SlotState } from '../../protocol/shapes.js'
 * @import { MakeFeature } from '../../primary/features.js'
 * @import { WorkerHandle } from '../../primary/worker/handle.js'
 */

/** @type {MakeFeature} */
export function health({ pool, replacements }) {
  /** @type {WeakMap<WorkerHandle, WorkerHealth>} */
  const all = new WeakMap();
  const watch = new HealthWatch(pool, replacements, all);
  return {
    worker(worker) {
      const own = new WorkerHealth(worker, {
        checked: () => worker.noteCheck(),
        turned: (type, reason) => reportEvent(worker, type, reason),
      });
      all.set(worker, own);
      return {
        trouble: () => (own.isUnhealthy ? `is unhealthy: ${own.current?.reason}` : null),
        firstCheck: () => own.firstCheck,
        started: () => own.look(),
        listens: () => own.listens(),
        held: (isHeld) => own.hold(isHeld),
        ended: () => own.end(),
      };
    },
    snapshot: () => ({ healthFailsEverywhere: watch.failsEverywhere }),
    slot: (worker) => ({ health: worker ? stateOf(all.get(worker)) : null }),
  };
}

/** @param {WorkerHealth} [health] @returns {SlotState['health']} */
function stateOf(health) {
  if (!health?.current) return null;
  const { status, failures, reason, failingSinceMs } = health.current;
  const sinceMs = failingSinceMs === null ? null : machineMs(failingSinceMs);
  return { status, failures, reason, failingSinceMs: sinceMs };
}
