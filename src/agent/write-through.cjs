'use strict';
/**
 * Makes the program's stdout and stderr write through to the pipe. Under plain `node` a pipe is
 * written to asynchronously: what it has no room for waits in the process, and is lost when that
 * crashes or calls process.exit(). With this, writing waits for room, as it does to a file.
 */

module.exports = function writeThrough() {
  for (const stream of [process.stdout, process.stderr]) {
    const handle = /** @type {any} */ (stream)._handle;
    if (typeof handle?.setBlocking === 'function') handle.setBlocking(true);
  }
};
