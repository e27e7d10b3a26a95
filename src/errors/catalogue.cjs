/** Every error code with its wording, exit code and hint. */
const { cliCodes } = require('./codes/cli.cjs');
const { configCodes } = require('./codes/config.cjs');
const { daemonCodes } = require('./codes/daemon.cjs');
const { homeCodes } = require('./codes/home.cjs');
const { protocolCodes } = require('./codes/protocol.cjs');
const { serviceCodes } = require('./codes/service.cjs');
const { updateCodes } = require('./codes/update.cjs');
const { exitCodes } = require('./exit-codes.cjs');

/** @typedef {Record<string, any>} ErrorData what an error adds to its code; must survive JSON */

/**
 * @typedef {object} ErrorEntry
 * @property {number} exitCode one of `exitCodes`
 * @property {(data: ErrorData) => string} message what failed, and why
 * @property {(data: ErrorData) => string | null} [hint] what to do next
 */

/** @type {Record<string, ErrorEntry>} */
const catalogue = Object.freeze({
  E_INTERNAL: {
    exitCode: exitCodes.internal,
    message: ({ detail }) => `nodecluster failed unexpectedly: ${detail}`,
    hint: () => 'This is a bug in nodecluster. Please report it with the text above.',
  },
  ...protocolCodes,
  ...configCodes,
  ...daemonCodes,
  ...homeCodes,
  ...cliCodes,
  ...serviceCodes,
  ...updateCodes,
});

module.exports = { catalogue };
