import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { text } from 'node:stream/consumers';
import { RecordFile } from '../../src/primary/processes/record.js';
import { descendantsOf, signalProcesses } from '../../src/primary/processes/tree.js';
import { identify } from '../../src/shared/processes/identity.js';
import { readRecord, workersIn } from '../../src/shared/processes/primary-record.js';
import { isRunning } from '../support/processes.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { eventOf } from '../support/until.js';

const own = { ...identify(process.pid), socket: '/h/primary.sock', apps: {} };
const workersOf = (file) => workersIn(readRecord(file).record).get('web');

t.test('a primary that exits leaves no part of a file', async (t) => {
  const directory = temporaryDirectory(t);
  const record = new RecordFile(join(directory, 'record.json'), own);
  record.update('web', [], []);
  record.forget('web');
  await record.whenIdle();
  t.same(readdirSync(directory), ['record.json']);
});

t.test('each worker is identified once', async (t) => {
  const directory = temporaryDirectory(t);
  const record = new RecordFile(join(directory, 'record.json'), own);
  const child = spawn('sleep', ['60']);
  const worker = { pid: child.pid ?? null, mark: '0', ownsGroup: true };
  await record.update('web', [worker], []);
  child.kill('SIGKILL');
  await once(child, 'exit');
  t.equal(record.update('web', [worker], []), null, 'its process was not looked at again');
});

t.test('an update is on the disk when it says so, and a later one is not lost', async (t) => {
  const directory = temporaryDirectory(t);
  const file = join(directory, 'record.json');
  const record = new RecordFile(file, own);
  t.same(readRecord(file), { kind: 'none' }, 'there was no previous primary');
  await record.update('web', [], []);
  t.strictSame(workersOf(file), [], 'there was one, even if it recorded no worker');
  const shown = { pid: process.pid, ownsGroup: true };
  const workers = ['0', '1'].map((mark) => ({ ...shown, mark }));
  record.update('web', workers.slice(0, 1), []);
  await record.update('web', workers, []);
  const expected = workers.map((worker) => ({ ...worker, ...identify(process.pid) }));
  t.strictSame(workersOf(file), expected);
  t.equal(record.update('web', workers, []), null);
  record.forget('web');
  await record.whenIdle();
  t.equal(workersOf(file), undefined);
});

/** Its threads come and go, as those of a pool do, and its children end only when they are killed. */
const BUSY_THREADS = `
  const { spawn } = require('node:child_process');
  const { Worker } = require('node:worker_threads');
  const next = () => new Worker('', { eval: true }).once('exit', next);
  for (let i = 0; i < 6; i++) spawn('sleep', ['300'], { stdio: 'ignore' });
  for (let i = 0; i < 4; i++) next();
  console.log('ready');
`;

t.test('no child is hidden by a thread that ends', async (t) => {
  const stdio = ['ignore', 'pipe', 'inherit'];
  const busy = spawn(process.execPath, ['-e', BUSY_THREADS], { stdio });
  await eventOf(busy.stdout, 'data');
  const counts = new Set();
  for (let i = 0; i < 100; i++) {
    const begin = performance.now();
    const { length } = await descendantsOf(busy.pid);
    // A list that takes a second, as on a very busy machine, may be incomplete.
    if (performance.now() - begin < 1000) counts.add(length);
  }
  t.same(counts, new Set([6]));
  const tree = await descendantsOf(busy.pid);
  busy.kill('SIGKILL');
  await eventOf(busy, 'exit');
  t.equal(signalProcesses(tree, 'SIGKILL'), 6);
});

const urlOf = (file) => JSON.stringify(new URL(`../../${file}`, import.meta.url));

const SHORT_OF_DESCRIPTORS = `
  import { spawn } from 'node:child_process';
  import { descendantsOf } from ${urlOf('src/primary/processes/tree.js')};
  import { StrayProcesses } from ${urlOf('src/primary/processes/strays.js')};
  import { beginWithoutDescriptors } from ${urlOf('test/primary/processes/without-descriptors.js')};
  const strays = new StrayProcesses(process.cwd(), 'app');
  const mark = strays.newMark();
  const env = { ...process.env, NODECLUSTER_WORKER: mark };
  const stray = spawn('sleep', ['300'], { stdio: 'ignore', env });
  const exit = new Promise((resolve) => stray.once('exit', (code, signal) => resolve(signal)));
  const list = await beginWithoutDescriptors(() => descendantsOf(process.pid));
  console.log(...list.refusals, list.result.length);
  const { refusals } = await beginWithoutDescriptors(() => strays.kill(mark));
  stray.kill('SIGTERM');
  console.log(...refusals, await exit);
`;

const skip = process.platform !== 'linux' && 'ps needs descriptors of its own';

t.test('what could not be read is looked at again', { skip }, async (t) => {
  const node = `exec "${process.execPath}" --input-type=module -e "$1"`;
  const program = spawn('sh', ['-c', `ulimit -n 60; ${node}`, 'sh', SHORT_OF_DESCRIPTORS], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await Promise.all([text(program.stdout), eventOf(program, 'exit')]);
  t.equal(printed, 'EMFILE EMFILE 1\nEMFILE EMFILE SIGKILL\n');
});

t.test('another process that got the pid is left alone', async (t) => {
  const other = spawn('sleep', ['300'], { stdio: 'ignore' });
  const stranger = { pid: other.pid, startTime: 'another', bootId: 'another' };
  t.equal(signalProcesses([stranger], 'SIGKILL'), 0);
  t.ok(isRunning(other.pid));
  other.kill();
  await eventOf(other, 'exit');
});
