import { exitCodes } from '../exit-codes.js';

/** @type {Record<string, import('../catalogue.js').ErrorEntry>} */
export const primaryCodes = {
  E_APP_BUSY: {
    exitCode: exitCodes.refused,
    message: ({ app, doing }) => `Could not change ${app}: a ${doing} of it is under way.`,
    hint: () => 'Wait until it has ended; `nodecluster ls` shows it.',
  },
};
