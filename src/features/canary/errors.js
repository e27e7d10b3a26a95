/** @import { ErrorEntry } from '../../errors/catalogue.js' */

/** @type {Record<string, ErrorEntry>} */
export const codes = {
  E_CANARY: {
    exitCode: 'refused',
    message: ({ app, needsPrimary }) =>
      `${app} was not reloaded, because a canary cannot be judged: ` +
      `${needsPrimary ? 'the new settings need another primary' : 'its workers cannot serve side by side'}.`,
    hint: () => 'Reload it without --canary.',
  },
};
