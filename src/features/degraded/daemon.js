/** What the workers are doing now, asked of their primaries for each list of apps. */
import { reasonText } from '../../show/reason.js';
import { recentCrashes } from './decide.js';

/**
 * @import { SlotState } from '../../protocol/shapes.js'
 * @import { SeenApp } from '../../daemon/control/door.js'
 * @import { MakeFeature } from '../../daemon/features.js'
 * @import { DegradedFields, WorkerLoad } from './record.js'
 */

/** How long a primary may take: it answers from memory, and a list must not wait for one that is frozen. */
const REPLY_MS = 1000;

/** @type {MakeFeature} */
export const degraded = () => ({
  async measure(apps, fields) {
    const isAsked = fields.includes('usage') || fields.includes('counters');
    const replies = await Promise.all(isAsked ? apps.map(loadsOf) : []);
    return (app, { workers }) => {
      const loads = replies[apps.indexOf(app)];
      if (loads === null) {
        for (const worker of workers) if (worker.status === 'online') worker.degraded = 'unknown';
      }
      const all = workers.flatMap((worker) => [worker, ...(worker.beside ?? [])]);
      for (const worker of all)
        Object.assign(
          worker,
          loads?.find(({ pid }) => pid === worker.pid),
        );
    };
  },
  worker: crashesIn,
  levels: { 'worker.degraded': 'warn', 'worker.failing': 'error', 'worker.recovered': 'info' },
});

/** @param {SeenApp} app @returns {Promise<WorkerLoad[] | null>} null: its primary has not answered in time */
async function loadsOf({ link }) {
  if (link.state !== 'connected') return [];
  const reply = await link.request('loads', {}, { timeoutMs: REPLY_MS }).catch(() => null);
  return reply?.workers ?? null;
}

/** @param {SlotState} state @returns {DegradedFields} */
function crashesIn({ status, lastExit, earlierExits }) {
  if (status === 'exited') return {};
  const all = [...(lastExit ? [lastExit] : []), ...earlierExits];
  const [latest, ...others] = recentCrashes(all, Date.now());
  if (latest === undefined) return {};
  return {
    recentCrashes: 1 + others.length,
    crashCause: (latest.reason.kind === 'exit' && latest.cause) || reasonText(latest.reason),
  };
}
