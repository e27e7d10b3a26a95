/** Which worker is spare, what it does, and why an app has none. */

import { escapeLine } from '../../show/escape.js';
import { shortCauseOf } from '../../show/reason.js';

/** @import { Worker } from '../../protocol/shapes.js' */
/** @import { ShowFeature } from '../../show/features.js' */

const WHY = {
  silent: 'it listens on nothing, and would run twice',
  udp: 'datagrams cannot be kept from it',
  below: 'a child, a thread or a socket of its own listens',
};

/** @type {ShowFeature} */
export const spares = {
  worker({ spares }, one) {
    if (one.status !== 'spare') return null;
    if (spares?.refused) return 'no spare';
    if (one.blockedSince) return 'spare, blocked';
    if (!isFailing(one)) return spares?.ready.includes(one.slot) ? 'spare' : 'spare, starting';
    return `spare, ${one.reason?.final ? 'errored' : 'backoff'}: ${shortCauseOf(one)}`;
  },
  troubles({ spares, workers }, worker) {
    const refused = spares?.refused && `no spare: ${WHY[spares.refused]}`;
    const text = refused ?? (workers.some(isFailing) && 'spare failing');
    return worker === null && text ? { verdict: 'degraded', texts: [text] } : null;
  },
  commands({ name, spares, workers }) {
    const app = escapeLine(name);
    const [failing] = workers.filter(isFailing);
    return [
      [spares?.refused !== undefined, `nodecluster reload ${app} --spares 0`, 'without a spare'],
      [failing !== undefined, `nodecluster logs ${app}:${failing?.slot}`, 'read what it wrote'],
    ];
  },
};

/** Whether it is not just started again. @param {Worker} worker */
function isFailing({ status, pid, reason, retryAt }) {
  const isLasting = pid !== undefined || retryAt !== undefined || reason?.final !== undefined;
  return status === 'spare' && reason !== undefined && isLasting;
}
