'use strict';
/** What processes that the program starts get from this one: no agent, and a Node that exists. */

const { join } = require('node:path');

module.exports = { hideFromChildren, nameNode };

/** What the primary adds for its own use of the inspector: src/primary/pool/launch.js. */
const INSPECTOR = ['--inspect-publish-uid=stderr', '--inspect-port=0'];

/** Its processes inherit execArgv, and must not load the agent. @param {string} file that was loaded with --require */
function hideFromChildren(file) {
  const { execArgv } = process;
  const index = execArgv.indexOf(file);
  if (index <= 0) return;
  const isAllowed = execArgv[index + 1] === `--allow-fs-read=${join(file, '../..')}`;
  execArgv.splice(index - 1, isAllowed ? 3 : 2);
  if (execArgv[index - 1] !== INSPECTOR[0]) return;
  // node:cluster adds the port once more.
  const others = execArgv.filter((argument) => !INSPECTOR.includes(argument));
  execArgv.splice(0, execArgv.length, ...others);
}

/** Linux adds it to the path of a running program whose file was replaced or removed. */
const MARK = ' (deleted)';

/** So that the program can start others on Node by its path, which an upgrade has given to the next version. */
function nameNode() {
  if (!process.execPath.endsWith(MARK)) return;
  process.execPath = process.execPath.slice(0, -MARK.length);
  process.argv[0] = process.execPath;
}
