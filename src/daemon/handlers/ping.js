import { VERSION } from '../../shared/version.js';

/** @type {import('./methods.js').Handler} */
export function ping() {
  const uptimeMs = Math.round(performance.now());
  return { pid: process.pid, version: VERSION, node: process.version, uptimeMs };
}
