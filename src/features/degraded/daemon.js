/** What the workers are doing now, asked of their primaries for each list of apps. */

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
      const silent = loads === null ? workers.filter(({ status }) => status === 'online') : [];
      for (const worker of silent) worker.degraded = 'unknown';
      const byPid = new Map(loads?.map((load) => [load.pid, load]));
      const all = workers.flatMap((worker) => [worker, ...(worker.beside ?? [])]);
      for (const each of all) Object.assign(each, byPid.get(each.pid ?? 0));
    };
  },
  worker: crashOf,
  levels: { 'worker.degraded': 'warn', 'worker.failing': 'error', 'worker.recovered': 'info' },
});

/** @param {SeenApp} app @returns {Promise<WorkerLoad[] | null>} null: its primary has not answered in time */
async function loadsOf({ link }) {
  if (link.state !== 'connected') return [];
  const reply = await link.request('loads', {}, { timeoutMs: REPLY_MS }).catch(() => null);
  return reply?.workers ?? null;
}

const MINUTE_MS = 60_000;

/**
 * A replacement that crashed beside the worker does not count: it says nothing about that worker.
 * @param {Pick<SlotState, 'status' | 'lastExit' | 'earlierExits'>} state
 * @param {number} [now] epoch ms
 * @returns {DegradedFields}
 */
export function crashOf({ status, lastExit, earlierExits }, now = Date.now()) {
  const exits = status === 'exited' || !lastExit ? [] : [lastExit, ...earlierExits];
  const crashes = exits.filter(({ isExcused }) => !isExcused);
  const crash = crashes.find(({ at }) => now - at < MINUTE_MS);
  if (!crash && !['backoff', 'errored'].includes(status)) return {};
  const troubleSince = crashes.at(-1)?.at;
  const { at = 0, reason, cause } = crash ?? {};
  return { ...(crash && { crash: { at, reason, ...(cause && { cause }) } }), troubleSince };
}
