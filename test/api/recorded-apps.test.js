import { join } from 'node:path';
import t from 'tap';
import { hasRunningApps, recordedApps } from '../../src/api/recorded-apps.js';
import { homePaths } from '../../src/shared/home.js';
import { identify } from '../../src/shared/processes/identity.js';

t.test('the apps of a home, also of one whose desired state cannot be read', async (t) => {
  const record = { ...identify(process.pid), socket: '/run/api.sock' };
  const home = t.testdir({
    'good.json': JSON.stringify({
      format: 1,
      apps: [
        { spec: {} },
        { spec: { name: 'api' }, stopped: false },
        { spec: { name: 'web' }, stopped: true },
      ],
    }),
    'bad.json': '{"apps": [',
    'copied.json': '{"apps": [',
    'copied.json.copy': JSON.stringify({
      format: 1,
      apps: [{ spec: { name: 'web' }, stopped: true }],
    }),
    apps: { api: { 'primary.json': JSON.stringify(record) }, web: {} },
  });
  const known = (desired, apps) =>
    recordedApps({
      ...homePaths(home),
      desired: join(home, desired),
      appsDir: join(home, apps),
    });
  const web = { name: 'web', isStopped: true, isRunning: false };
  const api = { name: 'api', isStopped: false, isRunning: true };
  t.same(known('good.json', 'apps'), [api, web]);
  t.same(known('none.json', 'apps'), []);
  t.same(known('copied.json', 'apps'), [web], 'as the daemon, which reads the copy');
  const found = known('bad.json', 'apps').sort((one, other) => one.name.localeCompare(other.name));
  t.same(found, [api, web], 'the daemon adopts what runs, and starts nothing else');
  t.same(known('bad.json', 'gone'), []);
  t.ok(hasRunningApps(homePaths(home)));
});

t.test('a record that says nothing does not say that nothing runs', async (t) => {
  for (const [text, expected] of [
    ['{', true],
    [JSON.stringify({ ...identify(process.pid), startTime: '1', socket: '-' }), false],
  ]) {
    const home = t.testdir({ apps: { api: { 'primary.json': text } } });
    t.equal(hasRunningApps(homePaths(home)), expected, text);
  }
  t.notOk(hasRunningApps(homePaths(t.testdir({ apps: { api: {} } }))), 'none');
});
