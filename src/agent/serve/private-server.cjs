'use strict';
/**
 * A unix socket with this process's pid in its path is made for its own children, as by tsx: clients could
 * not know the path. No other worker serves it, and a drain would wait for children that live as long as
 * the worker.
 */

/** @import { Server } from 'node:net' */

const OWN_PID = new RegExp(`(^|\\D)${process.pid}(\\D|$)`);

module.exports = { isPrivate };

/**
 * @param {Server} server that listens
 * @returns {boolean}
 */
function isPrivate(server) {
  const address = server.address();
  return typeof address === 'string' && OWN_PID.test(address);
}
