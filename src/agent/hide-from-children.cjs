'use strict';

/** What the primary adds for its own use of the inspector: src/primary/launchers/node-args.js. */
const INSPECTOR = ['--inspect-publish-uid=stderr', '--inspect-port=0'];

/**
 * Processes that the program starts inherit execArgv, and must not load the agent.
 * @param {string} file that was loaded with --require
 */
module.exports = function hideFromChildren(file) {
  const { execArgv } = process;
  const index = execArgv.indexOf(file);
  if (index <= 0) return;
  execArgv.splice(index - 1, 2);
  if (execArgv[index - 1] !== INSPECTOR[0]) return;
  // node:cluster adds the port once more.
  const others = execArgv.filter((argument) => !INSPECTOR.includes(argument));
  execArgv.splice(0, execArgv.length, ...others);
};
