import { spawn } from 'node:child_process';
import t from 'tap';
import { descendantsOf, killProcesses } from '../../../src/primary/processes/tree.js';
import { isRunning } from '../../support/processes.js';
import { eventOf, until } from '../../support/until.js';

t.test('descendants are found, and killed even after their parent has exited', async (t) => {
  const shell = spawn('sh', ['-c', 'sh -c "sleep 300 & sleep 300" & wait'], { stdio: 'ignore' });
  const tree = await until(async () => {
    const found = await descendantsOf(shell.pid);
    return found.length === 3 && found;
  }, 'three processes below');
  shell.kill('SIGKILL');
  await eventOf(shell, 'exit');
  t.equal(killProcesses(tree), 3);
  await until(() => tree.every(({ pid }) => !isRunning(pid)), 'all of them to end');
  t.equal(killProcesses(tree), 0);
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
  const counts = [];
  for (let i = 0; i < 100; i++) counts.push((await descendantsOf(busy.pid)).length);
  t.same(new Set(counts), new Set([6]));
  const tree = await descendantsOf(busy.pid);
  busy.kill('SIGKILL');
  await eventOf(busy, 'exit');
  t.equal(killProcesses(tree), 6);
});

/** Has no descriptor left for the first look, and some soon afterwards. */
const WITHOUT_DESCRIPTORS = `
  import { spawn } from 'node:child_process';
  import { closeSync, openSync } from 'node:fs';
  import { readdir } from 'node:fs/promises';
  import { descendantsOf } from ${JSON.stringify(new URL('../../../src/primary/processes/tree.js', import.meta.url))};
  const child = spawn('sleep', ['300'], { stdio: 'ignore' });
  const taken = [];
  let refusal;
  while (refusal === undefined) {
    try {
      taken.push(openSync('/dev/null'));
    } catch ({ code }) {
      refusal = code;
    }
  }
  const looking = descendantsOf(process.pid);
  await readdir('/proc/self/task').catch(({ code }) => (refusal += ' ' + code));
  for (const descriptor of taken) closeSync(descriptor);
  console.log(refusal, (await looking).length);
  child.kill('SIGKILL');
`;

const skip = process.platform !== 'linux' && 'ps needs descriptors of its own';

t.test('a list that could not be read is not empty', { skip }, async (t) => {
  const node = `exec "${process.execPath}" --input-type=module -e "$1"`;
  const looker = spawn('sh', ['-c', `ulimit -n 60; ${node}`, 'sh', WITHOUT_DESCRIPTORS], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await Promise.all([eventOf(looker.stdout, 'data'), eventOf(looker, 'exit')]);
  t.equal(String(printed), 'EMFILE EMFILE 1\n');
});

t.test('another process that got the pid is left alone', async (t) => {
  const other = spawn('sleep', ['300'], { stdio: 'ignore' });
  const stranger = { pid: other.pid, startTime: 'another', bootId: 'another' };
  t.equal(killProcesses([stranger]), 0);
  t.ok(isRunning(other.pid));
  other.kill();
  await eventOf(other, 'exit');
});
