import { closeSync, openSync, readSync } from 'node:fs';

const NODE_SHEBANG = /^#!\S+(\/|[ \t]+)node(js)?\s*\n/;
const LINE_BYTES = 128;

/**
 * @param {string} path a file without an extension, as `bin/www` of Express, or a command
 * @returns {boolean} whether its first line names Node, without options
 */
export function isRunByNode(path) {
  if (!path.includes('/')) return false;
  const start = Buffer.alloc(LINE_BYTES);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, start);
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
  return NODE_SHEBANG.test(start.toString('latin1'));
}
