/** The version of this package, and of the protocol that its processes speak with each other. */
import { readFileSync } from 'node:fs';

const packageFile = new URL('../../package.json', import.meta.url);

/** @type {string} */
export const VERSION = JSON.parse(readFileSync(packageFile, 'utf8')).version;

/** Grows whenever two processes that differ in it would misunderstand each other. */
export const PROTOCOL_VERSION = 2;
