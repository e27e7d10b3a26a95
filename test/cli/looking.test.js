import t from 'tap';
import { commandWith, runOk } from './fake-context.js';

const worker = {
  ...{ id: 0, slot: 0, pid: 7, status: 'online', cpu: 1, memory: 1024 },
  ...{ startedAt: 1000, restarts: 0, generation: 1, listening: [] },
};
const identity = { name: 'api', namespace: 'default' };
const app = { ...identity, status: 'online', mode: 'cluster', workers: [worker] };
const listed = { daemon: { pid: 1, version: '0' }, apps: [app], notes: ['App b was set aside.'] };

t.test('ls, of all and of some apps', async (t) => {
  const all = await runOk('ls', { daemon: { list: () => listed } });
  t.match(all.printed[0], /^ 0 {2}api/m);
  t.ok(all.noted.includes('App b was set aside.'));
  const json = await runOk('ls --json', { daemon: { list: () => listed } });
  t.same(JSON.parse(json.printed[0]), listed);
  const list = ({ selectors }) => ({ ...listed, apps: [{ ...app, name: selectors[1] }] });
  const { asked, printed } = await runOk('ls 3 web', { daemon: { list } });
  t.same(asked[0].params, { fields: ['usage'], selectors: ['3', 'web'] });
  t.match(printed[0], /^ 0 {2}web/m);
});

t.test('ls --problems', async (t) => {
  const workers = [{ ...worker, status: 'errored' }];
  const broken = { ...app, name: 'web', status: 'errored', workers };
  for (const [line, apps, expected] of [
    ['ls --problems', [app, broken], /^id.*\n 0 {2}web .*errored/],
    ['ls --problems -m', [app, broken], /^0 {2}web:0 {2}errored/],
    ['ls --problems', [app], /^No app has a problem\.$/],
  ]) {
    const { printed } = await runOk(line, { daemon: { list: () => ({ ...listed, apps }) } });
    t.match(printed[0], expected, line);
    t.notMatch(printed[0], 'api');
  }
});

t.test('a wide terminal asks the workers what they measure, --json never does', async (t) => {
  for (const [line, width, fields] of [
    ['ls', 120, ['usage', 'vitals']],
    ['ls', 80, ['usage']],
    ['ls', null, ['usage']],
    ['ls --json', 120, ['usage']],
    ['ls --json', null, ['usage']],
  ]) {
    const { asked, context, run } = await commandWith(line, { daemon: { list: () => listed } });
    context.stdout.width = width;
    await run();
    t.same(asked[0].params.fields, fields, `${line}, ${width}`);
  }
});

t.test('ls without daemon and apps is empty, not an error', async (t) => {
  const json = await runOk('ls --json', { daemon: null });
  t.same(JSON.parse(json.printed[0]), { daemon: null, apps: [], notes: [] });
  await t.rejects(runOk('ls api', { daemon: null }), { code: 'E_NO_APPS' }, 'of a named app it is');
});

t.test('describe', async (t) => {
  const described = {
    ...app,
    ...{ alarms: [], logs: { out: [], error: [], primary: '/h/primary.log' } },
    spec: { args: [], cwd: '/srv', given: {} },
  };
  const list = ({ selectors }) => ({ apps: [{ ...described, name: selectors[0] }] });
  const text = await runOk('describe api', { daemon: { list } });
  t.match(text.printed[0], /^api {2}online/);
  const json = await runOk('describe api --json', { daemon: { list } });
  t.same(JSON.parse(json.printed[0]), { apps: [described] });
});

t.test('env asks for secrets only when told', async (t) => {
  const env = () => ({ apps: [{ name: 'api', env: { A: { value: '1', from: 'file' } } }] });
  const masked = await runOk('env api', { daemon: { env } });
  t.same(masked.printed, ['A=1  # file']);
  t.equal(masked.asked[0].params.showSecrets, false);
  const shown = await runOk('env api --show-secrets', { daemon: { env } });
  t.equal(shown.asked[0].params.showSecrets, true);
});

t.test('ping', async (t) => {
  const ping = () => ({ pid: 7, version: '1.2.3', node: '20.0.0', startedAt: Date.now() - 61_000 });
  const alive = await runOk('ping', { daemon: { ping } });
  t.same(alive.printed, ['pong: nodecluster 1.2.3, pid 7, Node 20.0.0, up 1m 1s']);
  await t.rejects(runOk('ping', { daemon: null }), { code: 'E_DAEMON_NOT_RUNNING', exitCode: 8 });
});

t.test('kill says what it stopped', async (t) => {
  const kill = () => ({ apps: ['api'], remembered: ['api', 'web'] });
  const { printed } = await runOk('kill', { daemon: { kill } });
  t.matchSnapshot(printed.join('\n'), 'stopped');
  const nobody = await runOk('kill', { daemon: null });
  t.matchSnapshot(nobody.printed[0], 'nothing to stop');
});
