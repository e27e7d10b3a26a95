#!/usr/bin/env node
import { writeSync } from 'node:fs';

/** @import { RunOrder } from '../src/features/run/daemon/run-apps.js' */

const oldestNode = [20, 12];
const [major, minor] = process.versions.node.split('.').map(Number);

if (process.platform === 'win32') {
  refuse('nodecluster does not run on Windows. It runs on Linux, macOS and WSL.');
} else if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
  refuse(
    `nodecluster needs Node ${oldestNode.join('.')} or newer; this is ${process.versions.node}.`,
  );
} else {
  start(process.argv.slice(2));
}

/** @param {string[]} argv without node and the script */
async function start(argv) {
  const asksVersion = argv.length === 1 && ['-v', '--version'].includes(argv[0]);
  if (!asksVersion || !(await printVersion())) await runCommand(argv);
}

/**
 * Without the rest of the command, which takes longer to load than Node itself.
 * @returns {Promise<boolean>} false: stdout does not take it, which the command reports
 */
async function printVersion() {
  const { VERSION } = await import('../src/shared/version.js');
  try {
    writeSync(1, `${VERSION}\n`);
    return true;
  } catch {
    return false;
  }
}

/**
 * What is imported before the cache is enabled is not in it.
 * @param {string[]} argv
 */
async function runCommand(argv) {
  const { enableCompileCache } = await import('../src/cli/compile-cache.js');
  enableCompileCache(process.env);
  const { main } = await import('../src/cli/main.js');
  await main(argv, { becomeDaemon, runApps });
}

/** @param {string} home @param {string} script */
async function becomeDaemon(home, script) {
  const { runDaemon } = await import(script);
  process.removeAllListeners('SIGINT'); // the daemon has its own
  await runDaemon(home, 'foreground', (/** @type {number} */ code) => process.exit(code));
}

/** @param {RunOrder} order */
async function runApps(order) {
  const run = await import('../src/features/run/daemon/run-apps.js');
  process.removeAllListeners('SIGINT');
  await run.runApps(order, (code) => process.exit(code));
}

/** @param {string} reason */
function refuse(reason) {
  console.error(`error: ${reason}`);
  process.exitCode = 7;
}
