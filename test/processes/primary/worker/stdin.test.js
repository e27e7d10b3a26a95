/** What a program reads from stdin, and when that ends. */
import http from 'node:http';
import t from 'tap';
import { answerOf } from '../../../support/http-ask.js';
import { isRunning } from '../../../support/processes.js';
import { until } from '../../../support/until.js';
import { startedPrimary } from '../../primary-under-test.js';

const LINE = { slot: 0, text: 'hello\n' };

const kinds = [
  { what: 'one worker in cluster mode', change: { instances: 1 } },
  {
    what: 'several in fork mode',
    change: { instances: 2, execMode: 'fork', interpreter: 'node', env: { PORT: '' } },
  },
  {
    what: 'a shell script',
    change: { script: '/bin/sh', args: ['-c', 'while read -r l; do echo "read $l"; done'] },
    more: { execMode: 'fork', interpreter: null, env: { PORT: '' } },
  },
];

for (const { what, change, more } of kinds) {
  t.test(`${what}: it stays open and takes lines`, async (t) => {
    const { script = 'reads-lines.cjs', ...settings } = { ...change, ...more };
    const primary = await startedPrimary(t, script, settings);
    t.match(primary.outcome, { ok: true });
    t.equal(await primary.ask('input', LINE), null);
    await until(async () => (await primary.log('out')).includes('read hello'), 'the line');
    t.match(await primary.slot(), { status: 'online', restarts: 0, lastExit: null });
  });
}

t.test('several in cluster mode: /dev/null, and its end is the reason', async (t) => {
  const primary = await startedPrimary(t, 'reads-lines.cjs', { instances: 2, maxRestarts: 0 });
  t.match(primary.outcome.failed, [{ code: 0 }, { code: 0 }]);
  // A busy machine may keep the other one from ending at once.
  const exits = (await primary.state()).slots.map(({ lastExit }) => lastExit);
  const empty = exits.find(({ stdinEnded }) => stdinEnded);
  t.match(empty, { stdinEnded: 'empty', reason: /because its stdin, \/dev\/null, is empty/ });
  const gone = { code: 'E_INPUT_CLOSED', data: { isRunning: false } };
  await t.rejects(primary.ask('input', LINE), gone);
});

t.test('it is not the reason of a program that ends later', async (t) => {
  const change = { instances: 2, maxRestarts: 0, env: { STAY_MS: '2000' }, minUptimeMs: 0 };
  const primary = await startedPrimary(t, 'reads-lines.cjs', change);
  const { lastExit } = await primary.when(
    ({ slots }) => slots.find((slot) => slot.lastExit),
    'its end',
  );
  t.match(lastExit, { code: 0, reason: 'exited with code 0' });
  t.equal(lastExit.stdinEnded, undefined);
});

t.test('what cannot be written is refused', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 2 });
  const ofSiblings = { code: 'E_INPUT_CLOSED', data: { name: 'app:0', siblings: 1 } };
  await t.rejects(primary.ask('input', LINE), ofSiblings);
});

t.test('a program that reads nothing gets only what its pipe holds', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 1 });
  const text = 'y\n'.repeat(32_768);
  let written = 0;
  const flood = async () => {
    for (; written < 100; written += 1) await primary.ask('input', { slot: 0, text });
  };
  await t.rejects(flood(), { code: 'E_INPUT_UNREAD', data: { name: 'app:0' } });
  t.ok(written < 20, `${written} times 64 KB were taken`);
  t.equal((await answerOf({ port: primary.port })).status, 200, 'it serves on');
});

t.test('when the primary is killed, requests are finished before it ends', async (t) => {
  const primary = await startedPrimary(t, 'reads-lines.cjs', { instances: 1 });
  const { pid } = await primary.slot();
  t.teardown(() => isRunning(pid) && process.kill(pid, 'SIGKILL'));
  await primary.ask('input', LINE);
  await until(async () => (await primary.log('out')).includes('read hello'), 'the line');
  const agent = new http.Agent();
  const waiting = answerOf({ port: primary.port, agent });
  await until(async () => (await primary.log('out')).includes('asked'), 'the request');
  primary.child.kill('SIGKILL');
  await primary.ended;
  t.equal((await waiting).status, 200);
  await until(() => !isRunning(pid), 'the worker to end');
});
