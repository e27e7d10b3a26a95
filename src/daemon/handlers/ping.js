import { VERSION } from '../../shared/version.js';

/** @import { Handler } from './methods.js' */

/** @type {Handler<'ping'>} */
export function ping() {
  const uptimeMs = Math.round(performance.now());
  return { pid: process.pid, version: VERSION, node: process.version, uptimeMs };
}
