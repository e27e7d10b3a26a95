/** Files of a primary: logs, the commands for them and losses; and `pid_file`, with the pid of the worker that serves. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { listRotated, rotatedPath } from '../../../../src/shared/log-files/rotated-files.js';
import { ask as get } from '../../../support/http-ask.js';
import { logLines } from '../../../support/log-messages.js';
import { until } from '../../../support/until.js';
import { specOf, startPrimary, startedPrimary } from '../../primary-under-test.js';

const messages = (file) => logLines(file).map(({ message }) => message);

async function echoing(t, change) {
  const primary = await startedPrimary(t, 'echoes.cjs', change);
  const say = (text, stream = 'out') => get(primary.port, `/${stream}/${encodeURIComponent(text)}`);
  return { ...primary, say };
}

t.test(
  'at a time of log_rotate, what is there is moved to a file with the day of its last line',
  async (t) => {
    const logRotate = { maxSizeBytes: 1024 ** 2, rotate: '0 0 * * *', keep: 2, compress: false };
    const { say, ask, paths } = await echoing(t, { name: 'app', logRotate });
    const log = paths.logFile('app', 'out');
    await ask('rotate-logs');
    await say('one\n');
    await until(() => messages(log).length === 1, 'the first line');
    const day = new Date('2026-11-28T12:00:00Z');
    utimesSync(log, day, day);
    await ask('rotate-logs');
    await say('two\n');
    await until(() => messages(log).join() === 'two', 'the second line');
    t.same(messages(rotatedPath(log, 1, '2026-11-28')), ['one']);
    const files = await listRotated(log);
    t.equal(files.length, 1, 'an empty file was not moved');
  },
);

t.test('both streams in one file, and none where /dev/null is set', async (t) => {
  const dir = t.testdir();
  const logFile = join(dir, 'all.log');
  const { say, paths } = await echoing(t, { logFile, outFile: '/dev/null', mergeLogs: false });
  await say('to stdout\n');
  await until(() => messages(join(dir, 'all-0.log')).length === 1, 'the line of stdout');
  await say('to stderr\n', 'error');
  await until(() => messages(join(dir, 'all-0.log')).length === 2, 'the line of stderr');
  t.same(messages(join(dir, 'all-0.log')), ['to stdout', 'to stderr']);
  t.notOk(existsSync(paths.logFile('app', 'out')));
});

t.test('a loss is reported, and reset when logs are emptied', async (t) => {
  const dir = t.testdir({ place: 'a file' });
  const outFile = join(dir, 'place', 'out.log');
  const { say, ask, when, state } = await echoing(t, { outFile, logType: 'raw' });
  await say('lost\n');
  const told = await when((seen) => seen.logDroppedBytes > 0 && seen, 'the loss in the state');
  t.match(told, { logDroppedBytes: 5, logDropReason: 'ENOTDIR' });
  const refusal = { code: 'E_LOG_FILE', data: { file: outFile, reason: 'ENOTDIR' } };
  await t.rejects(ask('rotate-logs'), refusal);

  rmSync(join(dir, 'place'));
  mkdirSync(join(dir, 'place'));
  await say('kept\n');
  const declared = '[nodecluster] 1 line (5 bytes) was lost here (ENOTDIR)\nkept\n';
  const isDeclared = () => existsSync(outFile) && readFileSync(outFile, 'utf8') === declared;
  await until(isDeclared, 'the loss in the log');
  await ask('flush-logs');
  t.match(await state(), { logDroppedBytes: 0, logDropReason: null });
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
