/** What the workers are doing now, asked of their primaries for each list of apps. */

/**
 * @import { SlotState } from '../../protocol/shapes.js'
 * @import { App } from '../../daemon/apps/app.js'
 * @import { MakeFeature } from '../../daemon/features.js'
 * @import { DegradedFields, WorkerLoad } from './record.js'
 */

/** How long a primary may take: it answers from memory, and a list must not wait for one that is frozen. */
const REPLY_MS = 300;
/** What one list of apps has asked for is not shown by a later one that has not. */
const RECENT_MS = 2000;
const MINUTE_MS = 60_000;

/** @type {MakeFeature} */
export function degraded() {
  /** By pid. @type {Map<number, WorkerLoad>} */
  let loads = new Map();
  let askedMs = -Infinity;
  return {
    async measure(apps, fields) {
      if (fields.includes('usage') || fields.includes('counters')) {
        const known = await Promise.all(apps.map(loadsOf));
        if (performance.now() - askedMs >= RECENT_MS) loads = new Map();
        for (const load of known.flat()) loads.set(load.pid, load);
        askedMs = performance.now();
      }
      return () => ({});
    },
    worker(state) {
      const isKnown = performance.now() - askedMs < RECENT_MS;
      return { ...(isKnown && loadIn(loads.get(state.pid ?? 0))), ...crashesIn(state) };
    },
  };
}

/** @param {App} app @returns {Promise<WorkerLoad[]>} none: not known */
async function loadsOf({ link }) {
  if (link.state !== 'connected') return [];
  const reply = await link.request('loads', {}, { timeoutMs: REPLY_MS }).catch(() => null);
  return reply?.workers ?? [];
}

/** @param {WorkerLoad} [load] @returns {DegradedFields} */
function loadIn(load) {
  const { requests = null, memoryGrowth = null } = load ?? {};
  /** @type {DegradedFields} */
  const fields = {};
  if (memoryGrowth !== null) fields.memoryGrowth = memoryGrowth;
  if (requests === null) return fields;
  const { oldestMs, ...counts } = requests;
  fields.requests = { ...counts, ...(oldestMs > 0 && { oldestSince: Date.now() - oldestMs }) };
  return fields;
}

/** @param {SlotState} state @returns {DegradedFields} */
function crashesIn({ lastExit, earlierExits }) {
  const all = [...(lastExit ? [lastExit] : []), ...earlierExits];
  const recentCrashes = all.filter(({ at }) => Date.now() - at < MINUTE_MS).length;
  return recentCrashes > 0 ? { recentCrashes } : {};
}
