/** A reload that starts another primary, which fails, or while the daemon, the first primary or the second one is killed. */
import { readFileSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { testHome } from '../../support/home.js';
import { startLoad } from '../../support/http-load.js';
import { childrenOf, commandOf, processesOf } from '../../support/processes.js';
import { until } from '../../support/until.js';

/** So that the reload cannot end before the primary is killed. */
const WAITS_IN_SLOT_1 = `
  if (process.env.NODE_APP_INSTANCE === '1') {
    require('node:net').Server.prototype.listen = function () {
      setInterval(() => {}, 1000);
      return this;
    };
  }
`;

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

async function started(t, flags = ['--min-uptime', '200ms']) {
  const home = testHome(t);
  const port = await home.startApi(['-i', '2', ...flags]);
  const load = startLoad(t, { port, clients: 4 });
  await load.answers(10);
  return { ...home, port, load };
}

t.test('a daemon that is killed meanwhile leaves the app serving', async (t) => {
  const { begin, list, appNamed, load } = await started(t);
  const { daemon } = await list();
  const { primaryPid } = await appNamed('api');
  const reload = begin(['reload', 'api', '--scheduling', 'round-robin']);
  await reload.said(/starting/);
  process.kill(daemon.pid, 'SIGKILL');
  await reload.ended;
  await until(async () => {
    const api = await appNamed('api');
    return (
      api.status === 'online' && api.primaryPid !== primaryPid && api.scheduling === 'round-robin'
    );
  }, 'the next daemon to complete it');
  t.match(await load.stop(), { failed: 0, failures: [] });
});

t.test('the first primary is killed meanwhile: the app serves, and can be reloaded', async (t) => {
  const { begin, ok, appNamed, load } = await started(t);
  const { primaryPid } = await appNamed('api');
  const reload = begin(['reload', 'api', '--scheduling', 'round-robin']);
  await reload.said(/starting pid (\d+)/);
  process.kill(primaryPid, 'SIGKILL');
  t.match(await reload.ended, { code: /^[05]$/ });
  await until(async () => (await appNamed('api')).status === 'online', 'the app to be online');
  await load.answers(20);
  await ok(['reload', 'api', '--scheduling', 'round-robin']);
  t.match(await appNamed('api'), { status: 'online', scheduling: 'round-robin' });
  // A worker of a primary that is killed finishes its requests.
  t.match(await load.stop(), { failed: 0, failures: [] });
});

for (const [moment, said, flags] of [
  ['while its first worker starts', /starting pid/, ['--min-uptime', '20s']],
  ['when that is online', /online/, []],
]) {
  t.test(`the second primary is killed ${moment}: the first one serves`, async (t) => {
    // What a primary has accepted itself would be lost with it.
    const { begin, ok, root, appNamed, pidsOf, load } = await started(t, [
      '--scheduling',
      'round-robin',
    ]);
    const { primaryPid } = await appNamed('api');
    const before = await pidsOf('api');
    writeFileSync(`${root}/waits.cjs`, WAITS_IN_SLOT_1);
    const waits = ['--set-env', `NODE_OPTIONS=--require=${root}/waits.cjs`];
    const reload = begin(['reload', 'api', '--scheduling', 'fair', ...waits, ...flags]);
    const findSecond = () => {
      const all = processesOf(root);
      const primaries = all.filter((pid) =>
        /nodecluster: api|primary.main\.js/.test(commandOf(pid)),
      );
      // A child that does not run its own program yet looks like its primary.
      const children = primaries.flatMap(childrenOf);
      return primaries.find((pid) => pid !== primaryPid && !children.includes(pid));
    };
    const second = await until(findSecond, 'the process');
    await reload.said(said);
    process.kill(second, 'SIGKILL');
    const { code, stdout, stderr } = await reload.ended;
    t.equal(code, 5, stdout + stderr);
    t.match(stdout + stderr, /the first one keeps serving: The primary process of api exited/);
    t.match(await appNamed('api'), { primaryPid, status: 'online', scheduling: 'round-robin' });
    t.same(await pidsOf('api'), before);
    t.match((await ok(['describe', 'api'])).stdout, /last reload .*was not replaced/);
    await load.answers(20);
    await ok(['reload', 'api', '--scheduling', 'fair']);
    t.match(await load.stop(), { failed: 0, failures: [] });
  });
}

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

t.test('from fair to sticky, a version that dies after it listens has one worker', async (t) => {
  const { run, appNamed, pidsOf, load } = await started(t, []);
  const { primaryPid } = await appNamed('api');
  const before = await pidsOf('api');
  const directory = t.testdir({ 'dies.cjs': DIES_AFTER_LISTENING });
  const dies = `NODE_OPTIONS=--require=${directory}/dies.cjs`;
  const { code, stdout, stderr } = await run([
    ...['reload', 'api', '--scheduling', 'sticky', '--set-env', dies],
  ]);
  t.equal(code, 5, stdout + stderr);
  t.match(stdout + stderr, /exited with code 7/);
  t.equal(readFileSync(`${directory}/starts`, 'utf8'), 'listened\n', 'no other worker started');
  t.match(await appNamed('api'), { primaryPid, status: 'online' });
  t.same(await pidsOf('api'), before);
  t.match(await load.stop(), { failed: 0, failures: [] });
});
