/**
 * Every error code with its wording, exit code and hint. One file of codes for each room of the
 * house; this page only adds them up.
 */
import { cliCodes } from './codes/cli.js';
import { configCodes } from './codes/config.js';
import { daemonCodes } from './codes/daemon.js';
import { internalCodes } from './codes/internal.js';
import { primaryCodes } from './codes/primary.js';
import { protocolCodes } from './codes/protocol.js';

/** @typedef {Record<string, any>} ErrorData */

/**
 * @typedef {object} ErrorEntry
 * @property {number} exitCode one of `exitCodes`
 * @property {(data: ErrorData) => string} message what could not be done, and why
 * @property {(data: ErrorData) => string} [hint] what to do about it
 */

/** @type {Record<string, ErrorEntry>} */
export const catalogue = Object.freeze({
  ...internalCodes,
  ...protocolCodes,
  ...configCodes,
  ...primaryCodes,
  ...daemonCodes,
  ...cliCodes,
});
