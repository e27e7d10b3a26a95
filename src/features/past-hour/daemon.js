/** What the workers of an app did in the last hour, asked of its primary on demand. */

/** @import { MakeFeature } from '../../daemon/features.js' */

/** It answers from memory. */
const REPLY_MS = 1000;
/** Of more, each has fewer steps: a primary must not block, and a message has a limit. */
const MAX_WORKERS = 50;

/** @type {MakeFeature} */
export const pastHour = () => ({
  async measure(apps, fields) {
    const asked = fields.includes('pastHour') ? apps : [];
    const count = asked.flatMap(({ slots }) => slots).length;
    const every = Math.max(1, Math.ceil(count / MAX_WORKERS));
    const requests = asked.map(({ link }) =>
      link.request('past-hour', { every }, { timeoutMs: REPLY_MS }).catch(() => undefined),
    );
    const replies = await Promise.all(requests);
    return (app, record) => (record.pastHour = replies[asked.indexOf(app)]);
  },
});
