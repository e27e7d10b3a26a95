/** Checks that are commands, and checks of programs in fork mode. */
import t from 'tap';
import { specOf, startPrimary } from '../../../primary-under-test.js';
import { isRunning } from '../../../../support/processes.js';
import { until } from '../../../../support/until.js';

const RULE = {
  http: null,
  exec: null,
  intervalMs: 100,
  timeoutMs: 2000,
  failures: 1000,
  startPeriodMs: 60_000,
};
const shell = (text) => ({ ...RULE, exec: ['sh', '-c', text] });

const reasonOf = (primary, part) =>
  primary.when(
    ({ slots: [slot] }) => slot.health?.reason?.includes(part) && slot.health.reason,
    part,
  );

t.test('a command sees the worker, and its last line says why it failed', async (t) => {
  const health = shell('echo first; echo "$NODE_APP_INSTANCE $NODECLUSTER_PID $COLOUR"; exit 3');
  const spec = await specOf('http-pid.cjs', { health, env: { COLOUR: 'blue' } });
  const primary = await startPrimary(t, spec);
  const reason = await reasonOf(primary, 'blue');
  const [{ pid }] = (await primary.state()).slots;
  t.equal(reason, `sh exited with code 3: 0 ${pid} blue`);
  await primary.ask('configure', { spec: { ...spec, health: shell('true') } });
  await primary.when(({ slots: [slot] }) => slot.isReady, 'the success');
  t.match(await primary.ask('start'), { ok: true });
});

t.test('a command that takes too long is killed with its children', async (t) => {
  const health = { ...shell('sleep 100 & echo $!; wait'), timeoutMs: 300 };
  const primary = await startPrimary(t, await specOf('http-pid.cjs', { health }));
  const reason = await reasonOf(primary, 'did not exit');
  const [, child] = /^sh did not exit within 0.3 s: (\d+)$/.exec(reason) ?? [];
  await until(() => !isRunning(Number(child)), 'the child to be killed');
});

t.test('a command that does not exist', async (t) => {
  const health = { ...RULE, exec: ['no-such-command'] };
  const primary = await startPrimary(t, await specOf('http-pid.cjs', { health }));
  t.equal(await reasonOf(primary, 'no-such'), 'no-such-command could not be started (ENOENT)');
});

t.test('in fork mode the port is asked', async (t) => {
  const spec = await specOf('health.cjs', { execMode: 'fork', interpreter: process.execPath });
  const url = `http://127.0.0.1:${spec.env.PORT}/health`;
  const primary = await startPrimary(t, { ...spec, health: { ...RULE, http: url } });
  await primary.when(({ slots: [slot] }) => slot.isReady, 'the success');
  t.match(await primary.ask('start'), { ok: true });
});

t.test('what a command leaves outside of its group is killed, and the worker is not', async (t) => {
  const health = shell('setsid sleep 600 & echo $!; exit 1');
  const primary = await startPrimary(t, await specOf('http-pid.cjs', { health }));
  const reason = await reasonOf(primary, 'code 1');
  const [, left] = /^sh exited with code 1: (\d+)$/.exec(reason) ?? [];
  await until(() => !isRunning(Number(left)), 'it to be killed');
  const [{ pid }] = (await primary.state()).slots;
  t.ok(isRunning(pid), 'the worker runs');
});
