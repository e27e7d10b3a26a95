/** `pid_file`: one file for each worker, with the pid of the one that serves. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { PidFiles, pidsByPath } from '../../../../src/primary/processes/record.js';
import { until } from '../../../support/until.js';
import { specOf, startPrimary } from '../../primary-under-test.js';

function filesOf(pidFile, pids) {
  const slots = pids.map((pid, number) => [number, { number, mainWorker: pid && { pid } }]);
  return [...pidsByPath({ pool: { slots: new Map(slots) }, launch: { spec: { pidFile } } })];
}

t.test('several workers have a file each', async (t) => {
  t.same(filesOf('/run/api.pid', [11]), [['/run/api.pid', 11]]);
  t.same(filesOf('/run/api.pid', [null, 12]), [['/run/api-1.pid', 12]]);
  t.same(filesOf('/run/api', [11, 12]), [
    ['/run/api-0', 11],
    ['/run/api-1', 12],
  ]);
  t.same(filesOf(null, [11]), []);
});

t.test('the file follows the worker', async (t) => {
  const pidFile = join(t.testdir(), 'run', 'api.pid');
  const spec = await specOf('http-pid.cjs', { instances: 2, pidFile });
  const primary = await startPrimary(t, spec);
  const files = [0, 1].map((slot) => pidFile.replace('.pid', `-${slot}.pid`));
  const areWritten = async () => {
    const { slots } = await primary.state();
    return slots.every(({ pid, slot }) => readFileSync(files[slot], 'utf8') === `${pid}\n`);
  };
  for (const command of ['start', 'reload']) {
    await primary.ask(command);
    await until(areWritten, `the pids after ${command}`);
  }
  t.equal(statSync(files[0]).mode & 0o777, 0o644);
  await primary.ask('stop', { slots: [1] });
  await until(() => !existsSync(files[1]), 'the file to be removed');
  t.ok(existsSync(files[0]));
});

t.test('a pipe is not opened, and the pid of another app stays', async (t) => {
  const directory = t.testdir();
  const [pipe, shared] = ['pipe', 'shared.pid'].map((name) => join(directory, name));
  execFileSync('mkfifo', [pipe]);
  const files = new PidFiles();
  files.update(new Map([pipe, shared].map((path) => [path, 4711])));
  await files.whenIdle();
  t.ok(statSync(pipe).isFIFO());
  writeFileSync(shared, '4712\n');
  files.update(new Map());
  await files.whenIdle();
  t.equal(readFileSync(shared, 'utf8'), '4712\n');
});

t.test('no other file is replaced or removed, and no link is followed', async (t) => {
  const directory = t.testdir({ 'notes.txt': 'mine\n', '1.pid': '1\n' });
  const [notes, link, target] = ['notes.txt', 'link', '1.pid'].map((one) => join(directory, one));
  symlinkSync(target, link);
  const files = new PidFiles();
  files.update(new Map([...[notes, link]].map((path) => [path, 4711])));
  await files.whenIdle();
  t.equal(readFileSync(notes, 'utf8'), 'mine\n');
  t.equal(readFileSync(target, 'utf8'), '1\n');
  t.equal(readFileSync(link, 'utf8'), '4711\n');
  writeFileSync(link, 'changed since\n');
  files.update(new Map());
  await files.whenIdle();
  t.same([readFileSync(notes, 'utf8'), readFileSync(link, 'utf8')], ['mine\n', 'changed since\n']);
});

t.test('a place where no file can be created holds nothing up', async (t) => {
  const files = new PidFiles();
  files.update(new Map([['/proc/nodecluster/api.pid', 1]]));
  await files.whenIdle();
  t.notOk(existsSync('/proc/nodecluster'));
});
