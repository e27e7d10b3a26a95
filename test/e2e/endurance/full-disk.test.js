/**
 * A home on a disk that is full for a while: a small tmpfs, mounted in a mount namespace of its own, in
 * which this file starts itself again.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { homePaths } from '../../../src/shared/home.js';
import { readRecord, recordStarting } from '../../../src/shared/processes/primary-record.js';
import { testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { until } from '../../support/until.js';

const FILE = fileURLToPath(import.meta.url);
const LINES = 2000;
const LOSS = / (\d+) lines \(\d+ bytes\) were lost here \((.*)\)$/;
const { FULL_DISK: disk } = process.env;

if (disk === undefined) {
  const isPermitted = spawnSync('unshare', ['-m', 'true']).status === 0;
  const directory = temporaryDirectory(t);
  const mount = 'mount -t tmpfs -o size=16m tmpfs "$0" && exec "$@"';
  const args = ['-m', 'sh', '-c', mount, directory, process.execPath, FILE];
  const env = { ...process.env, FULL_DISK: directory, TMPDIR: directory };
  if (isPermitted) t.spawn('unshare', args, { env }, 'on a tmpfs');
  else t.pass('a mount is not permitted here', { skip: 'it needs a mount namespace' });
} else {
  t.test('a record that does not fit is none', async (t) => {
    const home = testHome(t);
    const record = path.join(home.root, 'record.json');
    const ballast = fill(disk);
    const starting = { pid: 1, startTime: '1', bootId: 'x', socket: '/h/primary.sock' };
    recordStarting(record, starting);
    t.same(readRecord(record), { kind: 'none' });
    rmSync(ballast);
  });
  t.test('the log says how many lines it lost', (t) => losesLines(t, disk));
}

async function losesLines(t, directory) {
  const home = testHome(t);
  const port = await home.startApi(['--no-time'], { program: 'writes-on-demand.cjs' });
  const linesInLog = () =>
    readFileSync(homePaths(home.home).logFile('api', 'out'), 'utf8').split('\n');
  await ask(port, `/lines/${LINES}`);
  await until(() => linesInLog().length > LINES, 'all lines');
  const ballast = fill(directory);
  await ask(port, `/lines/${LINES}`);
  await until(async () => (await home.appNamed('api')).logDroppedBytes > 0, 'a loss');
  rmSync(ballast);
  const loss = () =>
    linesInLog()
      .map((line) => LOSS.exec(line))
      .find(Boolean);
  const [, lost, reason] = await until(loss, 'the loss in the log');
  t.equal(reason, 'disk full');
  const whole = linesInLog().filter((line) => / \d+ x{90}$/.test(line));
  t.equal(whole.length + Number(lost), 2 * LINES);
  t.ok(Number(lost) > LINES / 2);
}

function fill(directory) {
  const ballast = path.join(directory, 'ballast');
  const descriptor = openSync(ballast, 'w');
  try {
    for (;;) writeSync(descriptor, Buffer.alloc(4096));
  } catch {
    return ballast;
  } finally {
    closeSync(descriptor);
  }
}
