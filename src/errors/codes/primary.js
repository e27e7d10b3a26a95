import { exitCodes } from '../exit-codes.js';

/** @import { ErrorEntry } from '../catalogue.js' */

/** @type {Record<string, ErrorEntry>} */
export const primaryCodes = {
  E_LOG_FILE: {
    exitCode: exitCodes.environment,
    message: ({ file, reason }) => `Could not open the log file ${file} (${reason}).`,
    hint: () => 'The app runs on. Give yourself the right to write there, or name another file.',
  },
};
