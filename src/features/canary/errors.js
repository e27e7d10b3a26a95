/** @import { ErrorEntry } from '../../errors/catalogue.js' */

/** @type {Record<string, ErrorEntry>} */
export const codes = {
  E_CANARY: {
    exitCode: 'refused',
    message: ({ app, obstacle }) => {
      /** @type {Record<string, string>} */
      const reasons = {
        fork: 'it runs in fork mode, where two workers cannot serve side by side',
        alone: 'its workers, or programs that they start, cannot run or serve side by side',
        primary: 'the new settings need another primary',
      };
      return `${app} was not reloaded, because a canary cannot be judged: ${reasons[obstacle]}.`;
    },
    hint: () => 'Reload it without --canary.',
  },
};
