/** Every error code with its wording and hint; the exit code is that of the file in which it stands. */
import { appFailedCodes } from './codes/app-failed.js';
import { badFileCodes } from './codes/bad-file.js';
import { clientCodes } from '../clients/errors.js';
import { connectionCodes } from './codes/connection.js';
import { environmentCodes } from './codes/environment.js';
import { featureCodes } from '../features/errors.js';
import { notFoundCodes } from './codes/not-found.js';
import { refusedCodes } from './codes/refused.js';
import { usageCodes } from './codes/usage.js';

/** @import { ErrorEntry } from './exit-codes.js' */

/** @type {Record<string, ErrorEntry>} */
export const catalogue = Object.freeze({
  E_INTERNAL: {
    exitCode: 'internal',
    message: ({ detail }) => `nodecluster failed unexpectedly: ${detail}`,
    hint: () => 'This is a bug in nodecluster. Please report it with the text above.',
  },
  ...usageCodes,
  ...badFileCodes,
  ...notFoundCodes,
  ...appFailedCodes,
  ...refusedCodes,
  ...environmentCodes,
  ...connectionCodes,
  ...featureCodes,
  ...clientCodes,
});
