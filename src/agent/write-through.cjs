'use strict';

/**
 * Makes writes to stdout and stderr wait for room in the pipe, as writes to a file do. Under plain
 * `node` they are buffered in the process, and lost when it crashes or calls process.exit().
 */
module.exports = function writeThrough() {
  for (const stream of [process.stdout, process.stderr]) {
    const handle = /** @type {any} */ (stream)._handle;
    if (typeof handle?.setBlocking === 'function') handle.setBlocking(true);
  }
};
