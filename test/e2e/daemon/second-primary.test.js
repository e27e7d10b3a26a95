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

t.test('the app serves, whoever is killed meanwhile or does not work', async (t) => {
  const { root, begin, ok, run, list, appNamed, pidsOf, startApi } = testHome(t);
  // What a primary has accepted itself would be lost with it.
  const flags = ['--scheduling', 'round-robin', '--min-uptime', '200ms'];
  const load = startLoad(t, { port: await startApi(['-i', '2', ...flags]), clients: 4 });
  await load.answers(10);
  const servesAs = (scheduling, primary) =>
    until(async () => {
      const api = await appNamed('api');
      return api.status === 'online' && api.scheduling === scheduling && api.primaryPid !== primary;
    }, `it to be online and ${scheduling}`);

  await t.test('an interpreter that does not work, and a version that dies', async (t) => {
    const { primaryPid } = await appNamed('api');
    const before = await pidsOf('api');
    const replacesNobody = async (...change) => {
      const { code, stdout, stderr } = await run(['reload', 'api', ...change]);
      t.equal(code, 5, stdout + stderr);
      t.match(await appNamed('api'), { primaryPid, status: 'online', scheduling: 'round-robin' });
      t.same(await pidsOf('api'), before);
      return stdout + stderr;
    };
    writeFileSync(`${root}/node`, '#!/bin/sh\nexit 3\n', { mode: 0o755 });
    await replacesNobody('--interpreter', `${root}/node`);
    writeFileSync(`${root}/dies.cjs`, DIES_AFTER_LISTENING);
    const dies = ['--set-env', `NODE_OPTIONS=--require=${root}/dies.cjs`, '--min-uptime', '1s'];
    const said = await replacesNobody('--scheduling', 'sticky', ...dies);
    t.match(said, /exited with code 7/);
    t.match(readFileSync(`${root}/starts`, 'utf8'), /^(listened\n){1,2}$/, 'at most the next wave');
  });

  for (const [moment, said, minUptime] of [
    ['while its first worker starts', /starting/, '20s'],
    ['when that is online', /online/, '200ms'],
  ]) {
    await t.test(`the second primary is killed ${moment}`, async (t) => {
      const { primaryPid } = await appNamed('api');
      const before = await pidsOf('api');
      writeFileSync(`${root}/waits.cjs`, WAITS_IN_SLOT_1);
      const waits = ['--set-env', `NODE_OPTIONS=--require=${root}/waits.cjs`];
      const order = ['reload', 'api', '--scheduling', 'fair', '--min-uptime', minUptime, ...waits];
      const reload = begin(order);
      const findSecond = () => {
        const primaries = processesOf(root).filter((pid) =>
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
      t.match((await ok(['describe', 'api'])).stdout, /last change .*reload by root, failed/);
      await load.answers(20);
    });
  }

  await t.test('the daemon is killed: the next one completes it', async () => {
    const { primaryPid } = await appNamed('api');
    const reload = begin(['reload', 'api', '--scheduling', 'sticky']);
    await reload.said(/starting/);
    process.kill((await list()).daemon.pid, 'SIGKILL');
    await reload.ended;
    await servesAs('sticky', primaryPid);
  });

  await t.test('the first primary is killed: the app can be reloaded', async (t) => {
    await ok(['reload', 'api', '--scheduling', 'fair']);
    const { primaryPid } = await appNamed('api');
    const reload = begin(['reload', 'api', '--scheduling', 'round-robin']);
    await reload.said(/starting/);
    process.kill(primaryPid, 'SIGKILL');
    t.match(await reload.ended, { code: /^[05]$/ });
    await until(async () => (await appNamed('api')).status === 'online', 'the app to be online');
    await load.answers(20);
    await ok(['reload', 'api', '--scheduling', 'round-robin']);
    await servesAs('round-robin', primaryPid);
  });
  // A worker of a primary that is killed finishes its requests.
  t.match(await load.stop(), { failed: 0, failures: [] });
});
