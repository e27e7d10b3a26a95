#!/usr/bin/env node
const oldestNode = 20;

if (process.platform === 'win32') {
  refuse('nodecluster does not run on Windows. It does on Linux, macOS and WSL.');
} else if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  refuse(`nodecluster needs Node ${oldestNode} or newer; this is ${process.versions.node}.`);
} else {
  import('../src/cli/main.js').then(({ main }) => main(process.argv.slice(2)));
}

/** @param {string} reason */
function refuse(reason) {
  console.error(`error: ${reason}`);
  process.exitCode = 7;
}
