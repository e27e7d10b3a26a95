/** What the programs count in registries of their own; requested from the primaries on demand. */
import { NodeclusterError } from '../../errors/error.js';

/**
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
    let left = MAX_BYTES;
    const metrics = new Map(
      replies.map((reply, index) => {
        const size = Buffer.byteLength(JSON.stringify(reply?.families ?? []));
        if (size <= left) left -= size;
        else if (reply)
          Object.assign(reply, { families: [], dropped: reply.dropped + reply.families.length });
        return [asked[index], reply];
      }),
    );
    return (app, record) => {
      record.programMetrics = metrics.get(app);
    };
  },
});

/** Undefined: it does not reply, or its programs have none. @param {App} app @param {Log} log */
async function requestOne(app, log) {
  const { link } = app;
  if (link.state !== 'connected') return undefined;
  try {
    const reply = await link.request('program-metrics', {}, { timeoutMs: REPLY_MS });
    noteFailure(app, reply.failure, log);
    const { families, dropped, late, failure } = reply;
    const isEmpty = families.length + dropped + late === 0 && failure === null;
    return isEmpty ? undefined : reply;
  } catch (thrown) {
    const { code, message } = NodeclusterError.from(thrown);
    // One that is busy does not reply.
    if (code === 'E_PRIMARY_REPORT') noteFailure(app, message, log);
    return undefined;
  }
}

/** @param {App} app @param {string | null} failure @param {Log} log */
function noteFailure(app, failure, log) {
  if (failure !== null && failures.get(app) !== failure) {
    log.warn('program-metrics.failed', { app: app.name, reason: failure });
  }
  failures.set(app, failure);
}
