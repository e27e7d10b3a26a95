import { VERSION } from '../../shared/version.js';

/** @type {import('./methods.js').Handler} */
export function ping(world) {
  const uptimeMs = Date.now() - world.startedAt;
  return { pid: process.pid, version: VERSION, node: process.version, uptimeMs };
}
