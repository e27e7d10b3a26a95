/** What the workers of an app did in the last hour, asked of its primary on demand. */

/** @import { MakeFeature } from '../../daemon/features.js' */

/** It answers from memory. */
const REPLY_MS = 1000;
/** Of all apps together, which are in one message to the client; those beyond have no past. */
const MAX_CHARACTERS = 2 * 1024 * 1024;

/** @type {MakeFeature} */
export const pastHour = () => ({
  async measure(apps, fields) {
    const asked = fields.includes('pastHour') ? apps : [];
    const requests = asked.map(({ link }) =>
      link.request('past-hour', {}, { timeoutMs: REPLY_MS }).catch(() => undefined),
    );
    const replies = await Promise.all(requests);
    let left = MAX_CHARACTERS;
    return (app, record) => {
      const reply = replies[asked.indexOf(app)];
      left -= reply ? JSON.stringify(reply).length : 0;
      if (left > 0) record.pastHour = reply;
    };
  },
});
