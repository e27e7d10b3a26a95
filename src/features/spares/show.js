/** Why an app has no spare. */

import { escapeLine } from '../../show/escape.js';

/** @import { ShowFeature } from '../../show/features.js' */

const WHY = {
  silent: 'it listens on nothing, and would run twice',
  udp: 'datagrams cannot be kept from it',
  below: 'a child, a thread or a socket of its own listens',
};

/** @type {ShowFeature} */
export const spares = {
  troubles({ spares }, worker) {
    const refused = worker === null && spares?.refused;
    return refused ? { verdict: 'degraded', texts: [`no spare: ${WHY[refused]}`] } : null;
  },
  commands: ({ name, spares }) => [
    [
      spares?.refused !== undefined,
      `nodecluster reload ${escapeLine(name)} --spares 0`,
      'without a spare',
    ],
  ],
};
