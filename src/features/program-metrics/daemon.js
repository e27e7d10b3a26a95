/** What the programs count in registries of their own; requested from the primaries on demand. */
import { NodeclusterError } from '../../errors/error.js';
import { fitting, isFamily } from './families.js';

/**
 * @import { ProgramMetrics } from './record.js'
 * @import { App } from '../../daemon/apps/app.js'
 * @import { MakeFeature } from '../../daemon/features.js'
 * @import { Log } from '../../daemon/log.js'
 */

/** How long a primary may take to reply: longer than its workers may. */
const REPLY_MS = 3000;
/** Bytes of JSON of all apps together, which are in one message to the client. */
const MAX_BYTES = 2 * 1024 * 1024;

/** The last failure of each app, which is logged once. @type {WeakMap<App, string | null>} */
const failures = new WeakMap();

/** @type {MakeFeature} */
export const programMetrics = ({ log }) => ({
  async measure(apps, fields) {
    const asked = fields.includes('programMetrics') ? apps : [];
    const replies = await Promise.all(asked.map((app) => requestOne(app, log)));
    const known = withinLimit(replies.filter((found) => found !== null));
    const metrics = new Map(known.map(({ app, reply }) => [app, reply]));
    return (app, record) => {
      record.programMetrics = metrics.get(app);
    };
  },
});

/** Null: it does not reply, or its programs have none. @param {App} app @param {Log} log */
async function requestOne(app, log) {
  const { link } = app;
  if (link.state !== 'connected') return null;
  try {
    const reply = await link.request('program-metrics', {}, { timeoutMs: REPLY_MS });
    if (!reply.families.every(isFamily)) {
      throw new NodeclusterError('E_PRIMARY_REPORT', { app: app.name, what: 'families' });
    }
    noteFailure(app, reply.failure, log);
    const isEmpty = reply.families.length === 0 && reply.dropped === 0;
    return isEmpty && reply.late === 0 && reply.failure === null ? null : { app, reply };
  } catch (thrown) {
    const { code, message } = NodeclusterError.from(thrown);
    // One that is busy does not reply.
    if (code === 'E_PRIMARY_REPORT') noteFailure(app, message, log);
    return null;
  }
}

/** @param {App} app @param {string | null} failure @param {Log} log */
function noteFailure(app, failure, log) {
  if (failure !== null && failures.get(app) !== failure) {
    log.warn('program-metrics.failed', { app: app.name, reason: failure });
  }
  failures.set(app, failure);
}

/** @param {{app: App, reply: ProgramMetrics}[]} known */
function withinLimit(known) {
  const all = known.flatMap(({ reply }) => reply.families);
  const kept = new Set(fitting(all, MAX_BYTES, (one) => Buffer.byteLength(JSON.stringify(one))));
  return known.map(({ app, reply }) => {
    const families = reply.families.filter((family) => kept.has(family));
    const dropped = reply.dropped + reply.families.length - families.length;
    return { app, reply: { ...reply, families, dropped } };
  });
}
