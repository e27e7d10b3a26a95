/** Every error code with its wording, exit code and hint. */
import { cliCodes } from './codes/cli.js';
import { clientCodes } from './codes/clients.js';
import { configCodes } from './codes/config.js';
import { daemonCodes } from './codes/daemon.js';
import { homeCodes } from './codes/home.js';
import { featureCodes } from '../features/errors.js';
import { protocolCodes } from './codes/protocol.js';
import { serviceCodes } from './codes/service.js';

/** @import { ErrorEntry } from './exit-codes.js' */

/** @type {Record<string, ErrorEntry>} */
export const catalogue = Object.freeze({
  E_INTERNAL: {
    exitCode: 'internal',
    message: ({ detail }) => `nodecluster failed unexpectedly: ${detail}`,
    hint: () => 'This is a bug in nodecluster. Please report it with the text above.',
  },
  ...protocolCodes,
  ...configCodes,
  ...daemonCodes,
  ...featureCodes,
  ...homeCodes,
  ...cliCodes,
  ...clientCodes,
  ...serviceCodes,
});
