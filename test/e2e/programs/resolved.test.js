/** `npm start` and its like are resolved to the Node program behind them. */
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { writeFiles } from '../../support/files.js';
import { app, testHome } from '../../support/home.js';
import { ask, pidsThatAnswer } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';

const WEB = `#!/usr/bin/env -S node --no-warnings
const { npm_package_version: version, MODE: mode, PATH } = process.env;
const seen = { version, mode, args: process.argv, execArgv: process.execArgv };
const answer = () => ({ ...seen, pid: process.pid, isMain: require.main === module, path: PATH.split(':')[0] });
require('node:http').createServer((_, response) => response.end(JSON.stringify(answer()))).listen(Number(process.env.PORT));
`;

function writePackage(root, start, version) {
  writeFiles(root, {
    'package.json': JSON.stringify({ name: 'shop', version, scripts: { start } }),
  });
}

function makeProject(root) {
  for (const path of ['node_modules/web', 'node_modules/.bin', 'bin']) {
    mkdirSync(join(root, path), { recursive: true });
  }
  writeFiles(root, {
    'app.js': '',
    'node_modules/web/cli': WEB,
    'bin/npm': '#!/bin/sh\nexec sleep 1000\n',
  });
  for (const path of ['node_modules/web/cli', 'bin/npm']) chmodSync(join(root, path), 0o755);
  symlinkSync('../web/cli', join(root, 'node_modules/.bin/web'));
}

t.test('npm start becomes a cluster, and follows its package.json', async (t) => {
  const { root, ok, run, env } = testHome(t);
  const port = await freePort();
  const options = { env: { PORT: String(port), PATH: `${join(root, 'bin')}:${env.PATH}` } };
  makeProject(root);
  writePackage(root, 'MODE=one web --x', '1.0.0');
  const started = await ok(['start', 'npm start', '-i', '2', '--', '--', '--y'], options);
  t.match(started.stderr, 'shop: npm start -- --y → MODE=one web --x runs node_modules/.bin/web');
  t.equal((await pidsThatAnswer(port, 2)).length, 2);
  const file = join(root, 'node_modules/web/cli');
  t.match(await ask(port), {
    version: '1.0.0',
    mode: 'one',
    args: [String, file, '--x', '--y'],
    execArgv: ['--no-warnings'],
    isMain: true,
    path: join(root, 'node_modules/.bin'),
  });
  t.match(
    (await ok(['describe', 'shop'])).stdout,
    /resolved from +npm start -- --y → MODE=one web/,
  );

  const same = await ok(['start', '.', '--name', 'directory', '--set-env', 'PORT=0'], options);
  t.match(same.stderr, 'directory: npm start → MODE=one web --x');
  await ok(['delete', 'directory']);

  writePackage(root, 'MODE=two web --x', '2.0.0');
  await ok(['reload', 'shop']);
  t.match(await ask(port), { version: '2.0.0', mode: 'two' });

  writePackage(root, 'build && web', '3.0.0');
  const failed = await run(['reload', 'shop']);
  t.equal(failed.code, 5);
  t.match(failed.stderr, /needs a shell \(`&&`\)\. The old workers keep serving/);
  t.match(await ask(port), { version: '2.0.0' }, 'the old workers stay');

  const refused = await run(['start', 'npm start', '-i', '2', '--name', 'more'], options);
  t.equal(refused.code, 2);
  t.match(refused.stderr, /--instances: must be 1, because the script "start" .* needs a shell/);
  const forked = await run(['start', 'npm start', '--name', 'one'], options);
  t.match(forked.stderr, /warning: script runs in fork mode: the script "start"/);
  t.match((await ok(['describe', 'one'])).stdout, /mode +fork \(the script "start"/);
});

t.test("a worker does not wait for its own child's connection", async (t) => {
  const { ok, appNamed } = testHome(t);
  const port = await freePort();
  const options = { env: { PORT: String(port) } };
  await ok(['start', app('serves-its-child.cjs'), '--name', 'own'], options);
  const { pid } = await ask(port);
  t.match((await appNamed('own')).workers, [{ pid }]);
  await ok(['reload', 'own']);
  t.not((await ask(port)).pid, pid);
  const { stderr } = await ok(['stop', 'own']);
  t.notMatch(stderr, /long-lived/);
});
