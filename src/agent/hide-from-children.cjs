'use strict';

/**
 * The program's own children inherit execArgv, and must not load the agent.
 * @param {string} file that was loaded with --require
 */
module.exports = function hideFromChildren(file) {
  const at = process.execArgv.indexOf(file);
  if (at > 0) process.execArgv.splice(at - 1, 2);
};
