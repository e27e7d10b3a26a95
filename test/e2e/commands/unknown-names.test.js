/** An unknown name: the message suggests the nearest one, or lists the existing ones. */
import t from 'tap';
import { app, testHome } from '../../support/home.js';
import { freePort } from '../../support/ports.js';

t.test('an unknown app, with and without a similar name', async (t) => {
  const { ok, run } = testHome(t);
  const env = { PORT: String(await freePort()) };
  await ok(['start', app('http-pid.cjs'), '--name', 'frontend'], { env });
  for (const verb of ['stop', 'restart', 'reload', 'delete', 'describe', 'env']) {
    const { code, stdout, stderr } = await run([verb, 'fronted']);
    t.equal(code, 4, verb);
    t.match(stderr, /frontend/, `${verb} suggests`);
    t.equal(stdout, '');
  }
  const far = await run(['stop', 'zzz']);
  t.equal(far.code, 4);
  t.match(far.stderr, /frontend/, 'what exists is named');
});

t.test('an unknown verb and an unknown option', async (t) => {
  const { run } = testHome(t);
  const verb = await run(['relaod', 'api']);
  t.equal(verb.code, 2);
  t.match(verb.stderr, /reload/);
  const option = await run(['ls', '--jsn']);
  t.equal(option.code, 2);
  t.match(option.stderr, /--json/);
});

t.test('help and version', async (t) => {
  const { ok } = testHome(t);
  t.match((await ok(['--version'])).stdout, /^\d+\.\d+\.\d+/);
  const help = (await ok(['--help'])).stdout;
  for (const verb of ['start', 'stop', 'reload', 'restart', 'delete', 'scale', 'ls', 'describe']) {
    t.match(help, verb);
  }
});
