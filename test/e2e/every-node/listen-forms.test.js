/** Each documented form of `listen` and `bind` does in a worker what it does under plain `node`. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { app, NODE, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort, freePorts } from '../../support/ports.js';
import { spawnClean } from '../../support/spawn-clean.js';
import { until } from '../../support/until.js';

/** A hundred forms, one after another. */
const FORMS_MS = 150_000;
const PROGRAM = app('listens-in-every-form.cjs');
const tls = (name) => fileURLToPath(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url));

t.test('each form of listen', async (t) => {
  const home = testHome(t);
  const DIRECTORY = join(home.root, 'sockets');
  mkdirSync(DIRECTORY);
  const env = {
    PORT: String(await freePort()),
    PORTS: JSON.stringify(await freePorts(2)),
    DIRECTORY,
    KEY: tls('key'),
    CERT: tls('cert'),
  };

  const plain = spawnClean(NODE, [PROGRAM], { cwd: home.root, env: { ...home.env, ...env } });
  t.teardown(() => plain.kill('SIGKILL'));
  const expected = await until(() => ask(Number(env.PORT)), 'the plain program', FORMS_MS);
  plain.kill('SIGKILL');
  await until(() => plain.signalCode, 'the plain program to exit');
  t.ok(Object.keys(expected).length > 90, 'many forms were tried');
  t.notMatch(JSON.stringify(expected), 'hangs');

  for (const scheduling of ['fair', 'round-robin']) {
    await home.ok(['start', PROGRAM, '--name', scheduling, '--scheduling', scheduling], { env });
    const seen = await until(() => ask(Number(env.PORT)), 'the worker', FORMS_MS);
    t.same(seen, expected, scheduling);
    await home.ok(['delete', scheduling]);
  }
});

t.test('port 0 is the same port in each worker', async (t) => {
  const home = testHome(t);
  const PORT = String(await freePort());
  await home.ok(['start', app('listens-on-any-port.cjs'), '-i', '2'], { env: { PORT } });
  const ports = new Map();
  await until(async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => ask(Number(PORT))));
    for (const { pid, port } of answers) ports.set(pid, port);
    return ports.size === 2;
  }, 'both workers to answer');
  const [one, other] = ports.values();
  t.equal(one, other);
  t.equal((await ask(one)).port, one);
});

t.test('a program that tries its port on other addresses first', async (t) => {
  const home = testHome(t);
  for (const scheduling of ['fair', 'round-robin']) {
    const PORT = await freePort();
    const env = { PORT: String(PORT) };
    await home.ok(['start', app('tries-its-port.cjs'), '--scheduling', scheduling], { env });
    t.strictSame(await ask(PORT), { busy: [] }, `${scheduling}: it is free, as for plain Node`);
    await home.ok(['delete', 'all']);
  }
});
