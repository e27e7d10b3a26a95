/** Settings that need another primary: it serves beside the old one before that stops. */
import { readFileSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import t from 'tap';
import { NODE, app, testHome } from '../../../support/home.js';
import { startLoad } from '../../../support/http-load.js';
import { freePort } from '../../../support/ports.js';

const DIES_AFTER_LISTENING = `
  const { listen } = require('node:net').Server.prototype;
  require('node:net').Server.prototype.listen = function (...args) {
    this.once('listening', () => {
      require('node:fs').appendFileSync(__dirname + '/starts', 'listened\\n');
      setTimeout(() => process.exit(7), 300);
    });
    return listen.apply(this, args);
  };
`;

/** @param {import('tap').Test} t @param {string[]} [flags] */
async function started(t, flags = ['--min-uptime', '200ms']) {
  const home = testHome(t);
  const port = await freePort();
  const start = ['start', app('http-pid.cjs'), '-i', '2', '--name', 'api', ...flags];
  await home.ok(start, { env: { PORT: String(port) } });
  const load = startLoad({ port, clients: 4 });
  t.teardown(() => load.stop());
  await load.answers(10);
  return { ...home, port, load };
}

t.test('scheduling changes without a lost request', async (t) => {
  const { ok, appNamed, load } = await started(t);
  for (const scheduling of ['shared', 'sticky', 'round-robin', 'fair']) {
    const { primaryPid } = await appNamed('api');
    await ok(['reload', 'api', '--scheduling', scheduling]);
    const changed = await appNamed('api');
    t.match(changed, { status: 'online', scheduling });
    t.not(changed.primaryPid, primaryPid);
    await load.answers(20);
  }
  t.match(await load.stop(), { failed: 0, failures: [] });
});

t.test('an interpreter that does not work replaces nobody', async (t) => {
  const { run, appNamed, pidsOf, load } = await started(t);
  const { primaryPid } = await appNamed('api');
  const before = await pidsOf('api');
  const broken = `${t.testdir()}/node`;
  writeFileSync(broken, '#!/bin/sh\nexit 3\n', { mode: 0o755 });
  const { code, stderr } = await run(['reload', 'api', '--interpreter', broken]);
  t.equal(code, 5, stderr);
  t.match(await appNamed('api'), { primaryPid, status: 'online' });
  t.same(await pidsOf('api'), before);
  t.match(await load.stop(), { failed: 0, failures: [] });
  t.match(await run(['reload', 'api']), { code: 0 }, 'and other reloads work');
});

for (const [from, to] of [
  ['round-robin', 'shared'],
  ['shared', 'round-robin'],
  ['fair', 'sticky'],
]) {
  t.test(
    `from ${from} to ${to}, a version that dies after it listens has one worker`,
    async (t) => {
      const { run, appNamed, pidsOf, load } = await started(t, ['--scheduling', from]);
      const { primaryPid } = await appNamed('api');
      const before = await pidsOf('api');
      const directory = t.testdir({ 'dies.cjs': DIES_AFTER_LISTENING });
      const dies = `NODE_OPTIONS=--require=${directory}/dies.cjs`;
      const change = ['--scheduling', to, '--set-env', dies];
      const { code, stdout, stderr } = await run(['reload', 'api', ...change]);
      t.equal(code, 5, stdout + stderr);
      t.match(stdout + stderr, /exited with code 7/);
      t.equal(readFileSync(`${directory}/starts`, 'utf8'), 'listened\n', 'no other worker started');
      t.match(await appNamed('api'), { primaryPid, status: 'online' });
      t.same(await pidsOf('api'), before);
      t.match(await load.stop(), { failed: 0, failures: [] });
    },
  );
}

const other = execFileSync(NODE, ['--version'], { encoding: 'utf8' }).trim();
const skip = other === process.version ? 'needs NODECLUSTER_TEST_NODE, another Node' : false;

t.test('interpreter: to another Node and back, under load', { skip }, async (t) => {
  const { ok, appNamed, load } = await started(t);
  for (const interpreter of [process.execPath, NODE]) {
    await ok(['reload', 'api', '--interpreter', interpreter]);
    t.match(await appNamed('api'), { status: 'online' });
    await load.answers(20);
  }
  t.match(await load.stop(), { failed: 0, failures: [] });
});
