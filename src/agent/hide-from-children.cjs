'use strict';

/**
 * Processes that the program starts inherit execArgv, and must not load the agent.
 * @param {string} file that was loaded with --require
 */
module.exports = function hideFromChildren(file) {
  const index = process.execArgv.indexOf(file);
  if (index > 0) process.execArgv.splice(index - 1, 2);
};
