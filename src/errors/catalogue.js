/** Every error code with its wording, exit code and hint. */
import { cliCodes } from './codes/cli.js';
import { configCodes } from './codes/config.js';
import { daemonCodes } from './codes/daemon.js';
import { homeCodes } from './codes/home.js';
import { inspectCodes } from './codes/inspect.js';
import { featureCodes } from '../features/errors.js';
import { protocolCodes } from './codes/protocol.js';
import { proveCodes } from './codes/prove.js';
import { reloadCodes } from './codes/reload.js';
import { scaleCodes } from './codes/scale.js';
import { serviceCodes } from './codes/service.js';
import { updateCodes } from './codes/update.js';
import { webCodes } from './codes/web.js';
import { exitCodes } from './exit-codes.js';

/** @typedef {Record<string, any>} ErrorData what an error adds to its code; must survive JSON */

/**
 * @typedef {object} ErrorEntry
 * @property {number} exitCode one of `exitCodes`
 * @property {(data: ErrorData) => string} message what failed, and why
 * @property {(data: ErrorData) => string | null} [hint] what to do next
 */

/** @type {Record<string, ErrorEntry>} */
export const catalogue = Object.freeze({
  E_INTERNAL: {
    exitCode: exitCodes.internal,
    message: ({ detail }) => `nodecluster failed unexpectedly: ${detail}`,
    hint: () => 'This is a bug in nodecluster. Please report it with the text above.',
  },
  ...protocolCodes,
  ...configCodes,
  ...daemonCodes,
  ...scaleCodes,
  ...featureCodes,
  ...homeCodes,
  ...inspectCodes,
  ...cliCodes,
  ...proveCodes,
  ...reloadCodes,
  ...serviceCodes,
  ...updateCodes,
  ...webCodes,
});
