import { exitCodes } from '../exit-codes.js';

/** @import { ErrorEntry } from '../catalogue.js' */

/** @type {Record<string, ErrorEntry>} */
export const internalCodes = {
  E_INTERNAL: {
    exitCode: exitCodes.internal,
    message: ({ detail }) => `Something unforeseen happened in nodecluster: ${detail}`,
    hint: () => 'This is a defect of nodecluster. Please report it with the text above.',
  },
};
