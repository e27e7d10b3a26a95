import { existsSync } from 'node:fs';

/**
 * spawn would blame the program: `spawn node ENOENT`.
 * @param {string} cwd
 * @throws {Error} when there is no such folder
 */
export function assertFolder(cwd) {
  if (!existsSync(cwd)) throw new Error(`its working folder ${cwd} does not exist`);
}
