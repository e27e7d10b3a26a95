/** Paths of unix sockets, which the system limits to about 100 bytes. */
import { closeSync, constants, openSync } from 'node:fs';
import path from 'node:path';

/** In bytes; the limit of macOS, which Linux exceeds by 4. Node 20 silently truncates a longer path. */
export const MAX_PATH = 103;

/**
 * Linux reaches a longer path through a descriptor of its directory.
 * @template T
 * @param {string} socketPath
 * @param {(reachable: string) => T} use binds or connects before it returns
 * @throws {Error} ENAMETOOLONG elsewhere, and what opening the directory throws
 */
export function withShortPath(socketPath, use) {
  if (Buffer.byteLength(socketPath) <= MAX_PATH) return use(socketPath);
  if (process.platform !== 'linux') {
    throw Object.assign(new Error('the path is too long'), { code: 'ENAMETOOLONG' });
  }
  const { dir, base } = path.parse(socketPath);
  const directory = openSync(dir, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    return use(`/proc/self/fd/${directory}/${base}`);
  } finally {
    closeSync(directory);
  }
}
