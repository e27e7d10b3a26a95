/** The version of this package, and of the protocol between its processes. */
import { readFileSync } from 'node:fs';

const packageFile = new URL('../../package.json', import.meta.url);

/** @type {string} */
export const VERSION = JSON.parse(readFileSync(packageFile, 'utf8')).version;

/** Processes connect only if they have the same one. */
export const PROTOCOL_VERSION = 3;
