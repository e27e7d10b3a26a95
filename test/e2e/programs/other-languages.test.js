/** Programs that do not run on Node. */
import t from 'tap';
import { spawnSync } from 'node:child_process';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { loggedText } from '../../support/log-messages.js';
import { freePorts } from '../../support/ports.js';
import { until } from '../../support/until.js';

const python = spawnSync('python3', ['--version']).status === 0;

t.test('Python', { skip: python ? false : 'there is no python3 here' }, async (t) => {
  const { ok, appNamed } = testHome(t);
  const ports = await freePorts(2);
  const flags = ['-i', '2', '--increment-var', 'PORT', '--', 'an argument'];
  await ok(['start', app('greets.py'), ...flags], {
    env: { PORT: String(ports[0]), GREETING: 'ciao' },
  });
  const { mode, workers } = await appNamed('greets');
  t.equal(mode, 'fork');
  for (const [slot, port] of ports.entries()) {
    const answer = await until(() => ask(port), `an answer from ${port}`);
    t.match(answer, {
      pid: workers[slot].pid,
      hello: 'ciao',
      slot: String(slot),
      port,
      args: ['an argument'],
    });
  }
});

t.test('bash', async (t) => {
  const { ok, appNamed, home } = testHome(t);
  await ok(['start', app('worker.sh'), '--name', 'ticks', '--', 'a', 'b'], {
    env: { WORKER_NAME: 'sue' },
  });
  t.match(await appNamed('ticks'), { mode: 'fork', status: 'online' });
  await ok(['stop', 'ticks']);
  t.equal((await appNamed('ticks')).status, 'stopped');
  t.equal(loggedText(`${home}/logs/ticks-out.log`), 'working as sue a b\nstopped\n');
});

t.test('a binary', async (t) => {
  const { ok, appNamed } = testHome(t);
  await ok(['start', 'sleep', '--interpreter', 'none', '--name', 'nap', '--', '600']);
  t.match(await appNamed('nap'), { mode: 'fork', status: 'online' });
});
