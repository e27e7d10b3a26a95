/**
 * Runs the test files of some directories in this process, one after another: most of them test for milliseconds, and a
 * process of its own takes ten times that. `npx tap <file>` runs one alone.
 */
import t from 'tap';
import { openSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './support/sources.js';

/** @param names of directories in test/ */
export async function runRooms(...names) {
  if (t.writeSnapshot) throw new Error('Name the file whose snapshot is to be written.');
  let isDone = false;
  process.once('exit', () => {
    if (!isDone) process.exitCode = 1;
  });
  t.setTimeout(0); // tap has one for the process
  const alive = setInterval(() => {}, 2 ** 30); // a test may wait for what keeps no process alive
  keepProvoked();
  const { test } = t;
  for (const file of names.flatMap(filesIn)) {
    process.argv[1] = path.join(ROOT, file); // tap names the entries of snapshots after it
    const snapshotFile = path.join(ROOT, 'tap-snapshots', `${file}.test.cjs`);
    t.test = (title, ...rest) => test.call(t, title, { snapshotFile, ...rest.at(-2) }, rest.at(-1));
    const teardowns = [];
    t.teardown = (teardown) => teardowns.unshift(teardown);
    await import(pathToFileURL(process.argv[1]).href);
    // Its turn comes when every test of the file has ended.
    await test.call(t, file, async () => {
      for (const teardown of teardowns) await teardown();
    });
    t.jobs = 1;
  }
  clearInterval(alive);
  isDone = true;
}

const PROVOKED = /MockTimers|NODE_TLS_REJECT_UNAUTHORIZED/;

/** What a primary logs in this process, and what Node warns of, was provoked by tests. */
function keepProvoked() {
  Object.defineProperty(process.stderr, 'fd', { value: openSync('/dev/null', 'w') });
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (!PROVOKED.test(warning.message)) console.error(warning);
  });
}

function filesIn(name) {
  const directory = path.join('test', name);
  return readdirSync(path.join(ROOT, directory), { recursive: true })
    .filter((each) => each.endsWith('.test.js'))
    .sort()
    .map((each) => path.join(directory, each));
}
