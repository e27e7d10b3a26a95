/** What the programs count in registries of their own; requested from the primaries on demand. */
import { NodeclusterError } from '../../errors/error.js';

/**
 * @import { SeenApp } from '../../daemon/control/door.js'
 * @import { MakeFeature } from '../../daemon/features.js'
 * @import { ProgramMetrics } from './record.js'
 */

/** How long a primary may take to reply: longer than its workers may. */
const REPLY_MS = 3000;
/** Bytes of JSON of all apps together, which are in one message to the client. */
const MAX_BYTES = 2 * 1024 * 1024;

/** @type {MakeFeature} */
export const programMetrics = ({ log }) => {
  /** Of each app, which is logged once. @type {WeakMap<SeenApp, string | null>} */
  const failures = new WeakMap();
  return {
    async measure(apps, fields) {
      const asked = fields.includes('programMetrics') ? apps : [];
      const replies = await Promise.all(asked.map(requestOne));
      let left = MAX_BYTES;
      for (const [index, reply] of replies.entries()) {
        const bytes = Buffer.byteLength(JSON.stringify(reply.families));
        if (bytes <= left) left -= bytes;
        else
          Object.assign(reply, { families: [], failure: 'the metrics of all apps exceed 2 MiB' });
        const { failure } = reply;
        const app = asked[index];
        if (failure !== null && failures.get(app) !== failure)
          log.warn('program-metrics.failed', { app: app.name, reason: failure });
        failures.set(app, failure);
      }
      return (app, record) => {
        record.programMetrics = replies[asked.indexOf(app)];
      };
    },
  };
};

/** @param {SeenApp} app @returns {Promise<ProgramMetrics>} */
async function requestOne({ link }) {
  if (link.state !== 'connected') return { families: [], failure: null };
  return link
    .request('program-metrics', {}, { timeoutMs: REPLY_MS })
    .catch((thrown) => ({ families: [], failure: NodeclusterError.from(thrown).message }));
}
