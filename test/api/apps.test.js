import t from 'tap';
import { join } from 'node:path';
import { hasRunningApps, recordedApps } from '../../src/api/recorded-apps.js';
import { homePaths } from '../../src/shared/home.js';
import { identify } from '../../src/shared/processes/identity.js';

t.test('the apps of a home, also of one whose desired state cannot be read', async (t) => {
  const record = { ...identify(process.pid), socket: '/run/api.sock', apps: { api: [] } };
  const desired = (...apps) => JSON.stringify({ format: 1, apps });
  const stopped = { spec: { name: 'web' }, stopped: true };
  const home = t.testdir({
    'good.json': desired({ spec: {} }, { spec: { name: 'api' }, stopped: false }, stopped),
    'bad.json': '{"apps": [',
    'copied.json': '{"apps": [',
    'copied.json.copy': desired(stopped),
    primaries: { 1: { 'record.json': JSON.stringify(record) }, 2: {} },
  });
  const known = (file, primaries = 'primaries') => {
    const paths = { desired: join(home, file), primariesDir: join(home, primaries) };
    return recordedApps({ ...homePaths(home), ...paths });
  };
  const web = { name: 'web', isStopped: true, isRunning: false };
  const api = { name: 'api', isStopped: false, isRunning: true };
  t.same(known('good.json'), [api, web]);
  t.same(known('none.json'), []);
  t.same(known('copied.json'), [web], 'as the daemon, which reads the copy');
  t.same(known('bad.json'), [api], 'the daemon adopts what runs, and starts nothing else');
  t.same(known('bad.json', 'gone'), []);
  t.ok(hasRunningApps(homePaths(home)));
});

t.test('a record that says nothing does not say that nothing runs', async (t) => {
  for (const [text, expected] of [
    ['{', true],
    [JSON.stringify({ ...identify(process.pid), startTime: '1', socket: '-' }), false],
  ]) {
    const home = t.testdir({ primaries: { 1: { 'record.json': text } } });
    t.equal(hasRunningApps(homePaths(home)), expected, text);
  }
  t.notOk(hasRunningApps(homePaths(t.testdir({ primaries: { 1: {} } }))), 'none');
});
