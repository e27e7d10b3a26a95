/** The programs in docs/examples run as documented, and programs that do not run on Node. */
import t from 'tap';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { loggedText } from '../../support/log-messages.js';
import { freePort, freePorts } from '../../support/ports.js';
import { ROOT } from '../../support/sources.js';
import { until } from '../../support/until.js';

const { ok, appNamed, home } = testHome(t);
const noPython = spawnSync('python3', ['--version']).status !== 0 && 'there is no python3 here';

t.test('Python', { skip: noPython }, async (t) => {
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
  await ok(['start', app('worker.sh'), '--name', 'ticks', '--', 'a', 'b'], {
    env: { WORKER_NAME: 'sue' },
  });
  t.match(await appNamed('ticks'), { mode: 'fork', status: 'online' });
  await ok(['stop', 'ticks']);
  t.equal((await appNamed('ticks')).status, 'stopped');
  t.equal(loggedText(`${home}/logs/ticks-out.log`), 'working as sue a b\nstopped\n');
});

t.test('a binary', async (t) => {
  await ok(['start', 'sleep', '--interpreter', 'none', '--name', 'nap', '--', '600']);
  t.match(await appNamed('nap'), { mode: 'fork', status: 'online' });
});

for (const { name, skip } of [
  { name: 'hello.cjs' },
  { name: 'hello-express.cjs' },
  { name: 'greets.py', skip: noPython },
]) {
  t.test(name, { skip: skip ?? false }, async (t) => {
    const port = await freePort();
    await ok(['start', join(ROOT, 'docs/examples', name), '--name', name], {
      env: { PORT: String(port) },
    });
    t.match(await until(() => ask(port), 'an answer'), /^Hello from (worker|process) \d+\n$/);
  });
}
