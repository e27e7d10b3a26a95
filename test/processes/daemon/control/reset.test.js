import t from 'tap';
import { app as fixture } from '../../../support/home.js';
import { until } from '../../../support/until.js';
import { startedDaemon, testSpec, webSpec } from '../../daemon-under-test.js';

/** Kills the one worker of `web`, and waits until it is back. */
const killAndWait = async (daemon) => {
  const [{ pid }] = (await daemon.view('web')).workers;
  process.kill(pid, 'SIGKILL');
  return until(async () => {
    const [worker] = (await daemon.view('web')).workers;
    return worker.pid !== pid && worker.status === 'online' && worker;
  }, 'the worker to be back');
};

t.test('reset clears the counters; an errored worker stays errored', async (t) => {
  const once = { instances: 1, maxRestarts: 1, restartWindowMs: 600_000 };
  const bad = testSpec({ name: 'bad', script: fixture('exits-1.cjs'), ...once });
  const daemon = await startedDaemon(t, [await webSpec(once), bad]);
  t.match(await killAndWait(daemon), { restarts: 1 });
  await until(async () => {
    const { apps } = await daemon.ask('list', { selectors: ['bad'], fields: ['details'] });
    return apps[0].status === 'errored' && apps[0].workers[0].lastExit.lastLines.length > 0;
  }, 'bad to be errored, and its last lines');

  const reason = /^stays errored: failed 2 times within 10m/;
  t.match(await daemon.ask('reset', { selectors: ['all'] }), {
    apps: [
      { name: 'web', action: 'reset', ok: true, done: [0], failed: [] },
      { name: 'bad', action: 'reset', ok: true, done: [1], failed: [{ id: 1, slot: 0, reason }] },
    ],
  });
  t.match(await daemon.view('web'), { restarts: 0 });
  t.match(await daemon.view('bad'), { restarts: 0, status: 'errored' });
  t.match(await killAndWait(daemon), { restarts: 1 });

  const { apps } = await daemon.ask('list', { selectors: ['all'], fields: ['details'] });
  const killed = { code: null, signal: 'SIGKILL', uptimeMs: Number, at: Number };
  const exited = { code: 1, signal: null, reason: 'exited with code 1' };
  t.match(apps[0].workers[0], { lastExit: killed, earlierExits: [{ ...killed, lastLines: [] }] });
  t.match(apps[1].workers[0], {
    lastExit: { ...exited, lastLines: ['no database'] },
    earlierExits: [{ ...exited, lastLines: [] }],
  });

  const events = [];
  const onNotification = (kind, event) => kind === 'event' && events.push(event);
  const ended = daemon.ask('events', { selectors: ['bad'], since: 0 }, { onNotification });
  ended.catch(() => {});
  const exits = await until(() => {
    const found = events.filter(({ type }) => type === 'worker.exited');
    return found.length > 0 && found;
  }, 'the events');
  for (const event of exits) t.match(event, { reason: exited.reason, cause: 'no database' });

  await daemon.ask('stop', { selectors: ['web'] });
  t.match(await daemon.ask('reset', { selectors: ['web'] }), { apps: [{ ok: true, done: [] }] });
});
