/** The logs of a primary: their files, the commands for them, and losses. */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { listRotated, rotatedPath } from '../../../../src/shared/log-files/rotated-files.js';
import { ask as get } from '../../../support/http-ask.js';
import { logLines } from '../../../support/log-messages.js';
import { until } from '../../../support/until.js';
import { specOf, startPrimary, startedPrimary } from '../../primary-under-test.js';

/** @returns the messages of a log */
const messages = (file) => logLines(file).map(({ message }) => message);

/** @param change of the spec */
async function echoing(t, change) {
  const primary = await startedPrimary(t, 'echoes.cjs', change);
  const say = (text, stream = 'out') => get(primary.port, `/${stream}/${encodeURIComponent(text)}`);
  return { ...primary, say };
}

t.test('logs are reopened and emptied in order with the lines', async (t) => {
  const { say, ask, paths } = await echoing(t, { name: 'app' });
  const log = paths.logFile('app', 'out');
  await say('one\n');
  await until(() => messages(log).length === 1, 'the first line');
  renameSync(log, `${log}.1`);
  await ask('reopen-logs');
  t.same(messages(log), [], 'it is there, and empty');
  await say('two\n');
  await until(() => messages(log).length === 1, 'the second line');
  t.same(messages(`${log}.1`), ['one']);

  writeFileSync(rotatedPath(log, 1), 'old\n');
  await ask('flush-logs');
  t.equal(readFileSync(log, 'utf8'), '');
  t.notOk(existsSync(rotatedPath(log, 1)), 'what was rotated is gone too');
  await say('three\n');
  await until(() => messages(log).length === 1, 'the third line');
  t.same(messages(log), ['three']);
});

t.test(
  'at a time of log_rotate, what is there is moved to a file with the day of its last line',
  async (t) => {
    const logRotate = { maxSizeBytes: 1024 ** 2, rotate: '0 0 * * *', keep: 2, compress: false };
    const { say, ask, paths } = await echoing(t, { name: 'app', logRotate, env: { TZ: 'UTC' } });
    const log = paths.logFile('app', 'out');
    await ask('rotate-logs');
    await say('one\n');
    await until(() => messages(log).length === 1, 'the first line');
    const day = new Date('2026-11-28T23:59:00Z');
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
  await t.rejects(ask('reopen-logs'), refusal);

  rmSync(join(dir, 'place'));
  mkdirSync(join(dir, 'place'));
  const declared = '[nodecluster] 1 line (5 bytes) was lost here (ENOTDIR)\n';
  const isDeclared = () => readFileSync(outFile, 'utf8') === declared;
  await until(isDeclared, 'the loss in the log, though nobody writes');
  await ask('flush-logs');
  t.match(await state(), { logDroppedBytes: 0, logDropReason: null });
});

t.test('a worker that floods its log does not block its siblings', async (t) => {
  const logRotate = { maxSizeBytes: 1024 ** 2, keep: 2, compress: true };
  const spec = await specOf('floods-in-slot-0.cjs', { instances: 2, logRotate, env: { PORT: '' } });
  const { ask, paths } = await startPrimary(t, spec);
  await ask('start');
  const log = paths.logFile('app', 'out');
  const seen = new Set();
  await until(() => {
    for (const line of readFileSync(log, 'utf8').matchAll(/app:1 \| (line \d+)\n/g)) {
      seen.add(line[1]);
    }
    return seen.size > 50;
  }, 'lines of worker 1');
  t.ok(seen.size > 50);
});

t.test('a very long line is split into pieces that can be joined', async (t) => {
  const { say, paths } = await echoing(t, {});
  const log = paths.logFile('app', 'out');
  for (let part = 0; part < 240; part++) await say('é'.repeat(1000));
  await say('\nnext\n');
  await until(() => logLines(log).at(-1)?.message === 'next', 'the next line');
  const read = logLines(log);
  // A machine that needs more than 1 s for the line makes more pieces of it.
  const [first, ...pieces] = read.slice(0, -1);
  t.notOk(first.goesOn);
  t.ok(pieces.length > 0);
  t.ok(pieces.every(({ goesOn }) => goesOn));
  t.equal([first, ...pieces].map(({ message }) => message).join(''), 'é'.repeat(240_000));
});

t.test('a prompt is in the log before its line ends', async (t) => {
  const { say, paths } = await echoing(t, { logType: 'raw' });
  const log = paths.logFile('app', 'out');
  await say('Name: ');
  await until(() => readFileSync(log, 'utf8') === 'Name: \n', 'the prompt');
  await say('Zoë\n');
  const whole = 'Name: \n[nodecluster: the line goes on] Zoë\n';
  await until(() => readFileSync(log, 'utf8') === whole, 'the rest of the line');
});

t.test('local time is that of the app', async (t) => {
  const change = { logDateFormat: '[in] Z', env: { TZ: 'Asia/Tokyo' } };
  const { say, paths } = await echoing(t, change);
  await say('x\n');
  const log = paths.logFile('app', 'out');
  await until(() => readFileSync(log, 'utf8') === 'in +09:00 app:0 | x\n', 'the line');
});
