/** What is saved without a command: `save` says so, and after a power cut the apps start by themselves. */
import t from 'tap';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { daemonPid } from '../../../src/shared/processes/daemon-lock.js';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';
import { killAll } from '../../support/processes.js';

t.test('save, and what a reboot leaves', async (t) => {
  const { root, home, ok, run, list, appNamed } = testHome(t);
  t.match(await ok(['save']), { stdout: /Nothing to save/ });
  const env = { PORT: String(await freePort()), SHELL_SECRET: 's3cret' };
  const words =
    '-i 2 --scheduling sticky --cron @yearly --max-memory-restart 900M --kill-timeout 3s';
  const more = ['--set-env', 'QUOTED=a\'b"c\n#: x', '--', '--flag', 'b c', '$HOME'];
  const start = ['start', app('http-pid.cjs'), '--name', 'web', ...words.split(' '), ...more];
  await ok(start, { env });
  await ok(['start', app('http-pid.cjs'), '--name', 'off', '--set-env', 'PORT=0']);
  await ok(['stop', 'off']);

  t.match(await ok(['save', '--force']), { stdout: 'Saved, as after every change: web, off.\n' });
  await ok(['init', '--from-running', 'apps.yml']);
  const written = readFileSync(`${root}/apps.yml`, 'utf8');
  t.match(written, /name: web/);
  t.match(written, /Left out, because they are stopped: off/);
  t.notMatch(written, 's3cret');
  const { apps: running } = await list();
  const { plan } = JSON.parse((await ok(['apply', 'apps.yml', '--json'])).stdout);
  t.match(plan, [{ app: 'web', action: 'none', changes: [] }], 'the file says what runs');
  t.same((await list()).apps[0].workers[0].pid, running[0].workers[0].pid);
  t.equal((await run(['init', '--from-running', 'apps.json'])).code, 2);
  t.match(await run(['init', '--from-running', 'apps.yml']), { code: 6, stderr: /--force/ });
  await ok(['init', '--from-running', 'apps.yml', '--force']);
  const { stdout } = await ok(['init', '--from-running', '-']);
  t.equal(stdout.replaceAll('ecosystem.yml', 'apps.yml'), written);

  // Not between the two: the daemon replaces a file that is missing.
  const daemon = daemonPid(home);
  process.kill(daemon, 'SIGSTOP');
  rmSync(`${home}/desired.json`);
  mkdirSync(`${home}/desired.json`);
  process.kill(daemon, 'SIGCONT');
  t.match(await run(['save']), { code: 7, stderr: /E_HOME_WRITE/ });
  rmSync(`${home}/desired.json`, { recursive: true });
  await ok(['save']);

  await killAll(root);
  const { stderr } = await ok(['ls']);
  t.match(stderr, 'it starts web.', 'nothing runs that could be taken over');
  await ok(['resurrect']);
  t.ok(await ask(Number(env.PORT)));
  t.equal((await appNamed('off')).status, 'stopped');

  await ok(['stop', 'web']);
  t.match(await ok(['resurrect']), { stderr: /every app was stopped with `stop`/ });
  await ok(['delete', 'all']);
  const forgotten = { code: 4, stderr: /has no apps\..*`delete` also forgets .*E_NO_APPS/s };
  t.match(await run(['resurrect']), forgotten, '`save` made no snapshot');
});
