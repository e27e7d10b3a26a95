import { exitCodes } from '../exit-codes.js';

/** @type {Record<string, import('../catalogue.js').ErrorEntry>} */
export const primaryCodes = {
  E_LOG_FILE: {
    exitCode: exitCodes.environment,
    message: ({ file, reason }) => `Could not open the log file ${file} (${reason}).`,
    hint: () => 'The app runs on. Give yourself the right to write there, or name another file.',
  },
};
