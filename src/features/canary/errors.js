/** @import { ErrorEntry } from '../../errors/exit-codes.js' */

/** @type {Record<string, ErrorEntry>} */
export const codes = {
  E_CANARY: {
    exitCode: 'refused',
    message: ({ app }) =>
      `${app} was not reloaded, because a canary cannot be judged: its new workers cannot serve beside the old ones.`,
    hint: 'Reload it without --canary.',
  },
};
