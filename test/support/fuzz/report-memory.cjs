// Preloaded into the daemon or a primary with --expose-gc: on SIGUSR1 it collects garbage, and writes
// what is left to a file of its home directory.
const { renameSync, writeFileSync } = require('node:fs');

// The primary of an app empties its environment later.
const directory = process.env.NODECLUSTER_HOME ?? process.argv[2];

if (!process.env.NODE_UNIQUE_ID) {
  process.on('SIGUSR1', () => {
    global.gc?.();
    global.gc?.();
    const file = `${directory}/memory-${process.pid}.json`;
    writeFileSync(`${file}.new`, JSON.stringify(process.memoryUsage()));
    renameSync(`${file}.new`, file);
  });
}
