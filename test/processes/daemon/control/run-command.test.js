/** What happens to an app while a command waits for its turn. */
import t from 'tap';
import { ask } from '../../../support/http-ask.js';
import { until } from '../../../support/until.js';
import { worded } from '../../../support/worded.js';
import { gated, killed, startedDaemon, webSpec } from '../../daemon-under-test.js';

/** A request under way, and its progress. */
async function begin(daemon, method, params) {
  const progress = [];
  const client = await daemon.dial();
  const onNotification = (_method, event) => progress.push(event);
  const asked = client.request(method, params, { timeoutMs: 60_000, onNotification });
  const answer = asked.then(worded);
  answer.catch(() => {});
  const reports = (app, kind) =>
    until(
      () => progress.some((event) => event.app === app && event.kind === kind),
      `${method} to report that ${app} is ${kind}`,
    );
  return { answer, reports };
}

t.test('the variables of a shell that are not taken are named', async (t) => {
  const daemon = await startedDaemon(t);
  const web = await webSpec({ instances: 1, shellEnv: { A: '1', B: '1' } });
  await daemon.ask('start', { specs: [{ ...web, env: { ...web.env, C: '1' } }] });
  const shellOf = async (method, more) => {
    const { apps } = await daemon.ask(method, { selectors: ['web'], ...more });
    return apps[0].shell;
  };
  const shellEnv = { A: '2', C: '2', TERM: 'x' };
  t.same(await shellOf('restart', { shellEnv }), ['A'], 'not what env sets, or the terminal');
  t.same(await shellOf('reload', { shellEnv }), ['A']);
  t.same(await shellOf('resume', { shellEnv }), ['A']);
  await daemon.ask('stop', { selectors: ['web'] });
  t.same(await shellOf('resume', { shellEnv }), ['A']);
  const many = { ...shellEnv, E: '1', F: '1', G: '1' };
  t.equal(await shellOf('reload', { shellEnv: many }), undefined, 'of another kind of shell');
  const taken = await daemon.ask('reload', { selectors: ['web'], updateEnv: shellEnv });
  t.match(taken.apps, [{ ok: true }]);
  t.equal(await shellOf('reload', { shellEnv }), undefined, 'they were taken');
});

t.test('after a kill nothing is started or added', async (t) => {
  const daemon = await startedDaemon(t);
  const slow = await gated(daemon, { name: 'slow', instances: 1 });
  slow.close();
  const specs = [
    slow.spec,
    await webSpec({ name: 'next', instances: 1, dependsOn: { slow: 'ready' } }),
  ];
  const all = await begin(daemon, 'apply', { specs, action: 'start' });
  await all.reports('slow', 'starting');
  t.strictSame(await daemon.ask('kill'), { apps: ['slow'], remembered: ['slow', 'next'] });
  t.match((await all.answer).apps, [
    { name: 'slow', ok: false },
    {
      name: 'next',
      ok: false,
      failed: [{ slot: null, reason: /^slow failed \(.*\), and next depends/ }],
    },
  ]);
  await daemon.logged(/"daemon.ended",.*\n$/);
  t.match(daemon.saved(), [
    { spec: { name: 'slow' }, stopped: true, waitsFor: null },
    { spec: { name: 'next' }, stopped: true, waitsFor: null },
  ]);
});

t.test('an app that waits for another is in the list and obeys', async (t) => {
  const daemon = await startedDaemon(t);
  const db = await gated(daemon, { name: 'db', instances: 1 });
  const after = (name) => webSpec({ name, instances: 1, dependsOn: { db: 'ready' } });
  const names = ['stopped', 'deleted', 'started', 'patient'];
  const specs = [...(await Promise.all(names.map(after))), db.spec];
  for (const [method, params] of [
    ['start', {}],
    ['apply', { action: 'start' }],
    ['resume', { selectors: ['all'] }],
  ]) {
    db.close();
    const order = method === 'resume' ? params : { specs, ...params };
    const all = await begin(daemon, method, order);
    await all.reports('db', 'starting');
    for (const name of names) {
      t.match(await daemon.view(name), { status: 'waiting', waitsFor: ['db'] }, name);
    }
    const ask = (command, name) => daemon.ask(command, { selectors: [name] });
    t.match((await ask('stop', 'stopped')).apps, [{ ok: true, done: [0] }]);
    t.match((await ask('delete', 'deleted')).apps, [{ ok: true }]);
    t.match((await ask('resume', 'started')).apps, [{ ok: true, done: [2] }]);
    db.open();
    t.match(
      (await all.answer).apps.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
      [
        { name: 'db', ok: true },
        { name: 'deleted', ok: false, failed: [{ reason: /deleted/ }] },
        { name: 'patient', ok: true, done: [3] },
        { name: 'started', ok: true },
        { name: 'stopped', ok: false, failed: [{ reason: /stopped/ }] },
      ],
    );
    t.match(await daemon.view('stopped'), { status: 'stopped', waitsFor: undefined });
    t.equal(await daemon.view('deleted'), undefined);
    if (method !== 'resume') await daemon.ask('delete', { selectors: ['all'] });
    if (method === 'apply') {
      await daemon.ask('start', { specs });
      await daemon.ask('stop', { selectors: ['all'] });
    }
  }
});

t.test('what waits for a deleted app says so, and starts once that is back', async (t) => {
  const daemon = await startedDaemon(t);
  const db = await gated(daemon, { name: 'db', instances: 1 });
  const web = await webSpec({ instances: 1, dependsOn: { api: 'ready' } });
  const api = await webSpec({ name: 'api', instances: 1, dependsOn: { db: 'ready' } });
  db.close();
  const all = await begin(daemon, 'start', { specs: [web, api, db.spec] });
  await all.reports('db', 'starting');
  await daemon.ask('delete', { selectors: ['api'] });
  db.open();
  const { apps } = await all.answer;
  const [{ reason }] = apps.find(({ name }) => name === 'web').failed;
  t.match(
    reason,
    /^api was deleted, and web depends on it, so web was not started yet\. Start api/,
  );
  t.notMatch(reason, 'describe api');
  await daemon.ask('start', { specs: [{ ...api, dependsOn: {} }] });
  await daemon.online();
});

t.test('an app waits on when the other fails, and when the daemon is killed', async (t) => {
  const daemon = await startedDaemon(t);
  const db = await gated(daemon, { name: 'db', instances: 1 });
  db.close();
  const web = await webSpec({ instances: 1, dependsOn: { db: 'ready' } });
  const failing = { ...db.spec, listenTimeoutMs: 2000 };
  const { apps } = await daemon.ask('start', { specs: [web, failing] });
  t.match(apps, [{ name: 'web', failed: [{ reason: /was not started yet/ }] }, { ok: false }]);
  t.match(await daemon.view('web'), { status: 'waiting', waitsFor: ['db'] });
  await killed(daemon.child.pid);
  daemon.spawnDaemon();
  t.match(await daemon.view('web'), { status: 'waiting', waitsFor: ['db'] });
  db.open();
  await daemon.online();
});

t.test('a command fails when its workers were deleted before its turn', async (t) => {
  const daemon = await startedDaemon(t);
  const web = await gated(daemon);
  await daemon.ask('start', { specs: [web.spec] });
  /** Sends all of these while a reload runs */
  const duringReload = async (orders) => {
    web.close();
    const reload = await begin(daemon, 'reload', { selectors: ['web'] });
    await reload.reports('web', 'starting');
    const begun = [];
    for (const [method, params] of orders) {
      const one = await begin(daemon, method, params);
      await one.reports('web', 'waiting');
      begun.push(one);
    }
    web.open();
    t.match(await reload.answer, { apps: [{ ok: true }] });
    return Promise.all(begun.map(async ({ answer }) => (await answer).apps[0]));
  };

  const [fewer, ...late] = await duringReload([
    ['scale', { selector: 'web', instances: '1' }],
    ['stop', { selectors: ['web:1'] }],
    ['delete', { selectors: ['1'] }],
  ]);
  t.match(fewer, { ok: true });
  const reason = /^web:1 was deleted while this command waited for its turn/;
  for (const one of late) t.match(one, { ok: false, done: [], failed: [{ slot: null, reason }] });
  t.match(daemon.saved(), [{ slots: [0], stopped: false, stoppedSlots: [] }]);
  await daemon.ask('scale', { selector: 'web', instances: '2' });
  t.match(daemon.saved(), [{ slots: [0, 1], stoppedSlots: [] }]);

  const other = await duringReload([
    ['scale', { selector: 'web', instances: '1' }],
    ['scale', { selector: 'web', instances: '2' }],
    ['stop', { selectors: ['2'] }],
  ]);
  t.match(other.at(-1), { ok: false, failed: [{ reason }] }, 'another worker took its place');
  const { workers } = await daemon.view('web');
  t.match(workers, [
    { id: 0, status: 'online' },
    { id: 3, status: 'online' },
  ]);

  const both = await duringReload([
    ['delete', { selectors: ['web:0'] }],
    ['delete', { selectors: ['web:1'] }],
  ]);
  t.match(both, [
    { ok: true, done: [0] },
    { ok: true, done: [3] },
  ]);
  t.strictSame(daemon.saved(), [], 'an app without workers is deleted');
});

t.test('an app that was started while a reload waited still gets the new spec', async (t) => {
  const daemon = await startedDaemon(t);
  const slow = await gated(daemon, { name: 'slow', instances: 1 });
  const web = await webSpec({ instances: 1, dependsOn: { slow: 'ready' } });
  await daemon.ask('start', { specs: [slow.spec, web] });
  const changed = { ...web, instances: 2, env: { ...web.env, APP_VERSION: '2' } };
  const fixed = { ...changed, scheduling: 'round-robin' };
  for (const [action, spec, generation] of [
    ['reload', changed, 2],
    ['reload', { ...web, maxRestarts: 3 }, 3],
    ['restart', fixed, 4],
  ]) {
    await daemon.ask('stop', { selectors: ['all'] });
    slow.close();
    const file = await begin(daemon, 'apply', { specs: [slow.spec, spec], action });
    await file.reports('slow', 'starting');
    t.match(await daemon.ask('resume', { selectors: ['web'] }), { apps: [{ ok: true }] });
    slow.open();
    const done = spec.instances === 2 ? 2 : 1;
    const { plan, apps } = await file.answer;
    t.equal(plan[1].action, 'start');
    t.match(apps[1], { name: 'web', ok: true, failed: [] });
    t.equal(apps[1].done.length, done);
    const { APP_VERSION: version } = spec.env;
    t.equal((await ask(Number(web.env.PORT))).version, version);
    const { maxRestarts, scheduling } = spec;
    t.match(await daemon.ask('list', { selectors: ['web'], fields: ['details'] }), {
      apps: [{ instances: done, status: 'online', generation, spec: { maxRestarts, scheduling } }],
    });
  }
});

t.test('an app that apply would delete may be gone already', async (t) => {
  const daemon = await startedDaemon(t);
  const configFile = '/somewhere/ecosystem.yml';
  const web = await webSpec({ instances: 1, configFile });
  const old = await gated(daemon, { name: 'old', instances: 1, configFile });
  await daemon.ask('start', { specs: [web, old.spec] });
  old.close();
  const reload = await begin(daemon, 'reload', { selectors: ['old'] });
  await reload.reports('old', 'starting');
  const removed = await begin(daemon, 'delete', { selectors: ['old'] });
  await removed.reports('old', 'waiting');
  const order = { specs: [web], action: 'apply', file: configFile, prune: true };
  const file = await begin(daemon, 'apply', order);
  await file.reports('old', 'waiting');
  old.open();
  const reason = /^old was deleted while this command waited/;
  t.match((await file.answer).apps, [
    { name: 'web', ok: true },
    { name: 'old', action: 'delete', ok: false, failed: [{ reason }] },
  ]);
  t.equal(await daemon.view('old'), undefined);
});
