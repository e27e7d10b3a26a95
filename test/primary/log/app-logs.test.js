import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { PassThrough } from 'node:stream';
import t from 'tap';
import { AppLogs } from '../../../src/primary/log/app-logs.js';
import { homePaths } from '../../../src/shared/home.js';
import { specWith } from '../../support/spec.js';

/** @import { Test } from 'tap' */

/** @param {Test} t @returns what a worker writes to, and what is in its log */
async function logged(t) {
  const paths = homePaths(t.testdir());
  const logs = new AppLogs(specWith({ name: 'app', time: false }), paths);
  const stream = new PassThrough();
  logs.follow(stream, { slot: 0, name: 'out' });
  return { logs, stream, read: () => readFileSync(paths.logFile('app', 'out'), 'utf8') };
}

t.test('an unfinished line is logged, though a child holds its stream open', async (t) => {
  const { logs, stream, read } = await logged(t);
  stream.write('whole\nbegun');
  await logs.end();
  t.equal(read(), 'app:0 | whole\napp:0 | begun\n');
});

t.test('the log of a new app begins before it has written anything', async (t) => {
  const paths = homePaths(t.testdir());
  const files = /** @type {const} */ (['out', 'error']).map((name) => paths.logFile('app', name));
  mkdirSync(dirname(files[0]));
  for (const file of files) writeFileSync(file, 'app:0 | former\n');
  const spec = specWith({ name: 'app', time: false });
  const logs = new AppLogs(spec, paths, { createdAt: Date.now() + 60_000 });
  const stream = new PassThrough();
  logs.follow(stream, { slot: 0, name: 'out' });
  await logs.flushed();
  for (const file of files) {
    t.equal(readFileSync(file, 'utf8'), 'app:0 | former\napp | [nodecluster] — app created —\n');
  }
  stream.end();
  await logs.end();
});

t.test('a child that never stops writing does not delay the end forever', async (t) => {
  const { logs, stream, read } = await logged(t);
  const timer = setInterval(() => stream.write('on and on\n'), 20);
  t.teardown(() => clearInterval(timer));
  await logs.end();
  clearInterval(timer);
  t.match(read(), /^(app:0 \| on and on\n)+$/);
});
