/** jlist, id and pid: what scripts written for PM2 read. */
import { execFileSync } from 'node:child_process';
import t from 'tap';
import { specWith } from '../../support/spec.js';
import { runOk } from '../../cli/fake-context.js';

const spec = specWith({ cwd: '/srv/api', args: ['--port', '3000'], mergeLogs: true });
const worker = {
  id: 4,
  slot: 0,
  pid: 4115,
  status: 'online',
  cpu: 3.1,
  memory: 43_201_331,
  startedAt: Date.now() - 5000,
  restarts: 2,
};
const gone = { pid: undefined, status: 'backoff', startedAt: undefined };
const app = {
  name: 'api',
  namespace: 'default',
  mode: 'cluster',
  script: '/srv/api/app.js',
  instances: 2,
  node: 'v22.12.0',
  spec,
  logs: { out: ['/logs/out.log'], error: ['/logs/error.log'] },
  workers: [worker, { ...worker, ...gone, id: 5, slot: 1 }],
};

async function jlist(more = {}) {
  const list = () => ({ apps: [{ ...app, ...more }] });
  const { printed } = await runOk('jlist', { daemon: { list } });
  return JSON.parse(printed[0]);
}

t.test('the shape of pm2 jlist', async (t) => {
  const directory = t.testdir({ 'package.json': '{"version": "1.2.3"}', src: {} });
  const listed = await jlist({ script: `${directory}/src/app.js` });
  const [{ pm_uptime: startedAt, version }] = listed.map(({ pm2_env: env }) => env);
  t.ok(Math.abs(Date.now() - 5000 - startedAt) < 60_000, 'pm_uptime is a time');
  t.equal(version, '1.2.3');
  const stable = JSON.stringify(listed, null, 2)
    .replaceAll(String(startedAt), '"a time"')
    .replaceAll(directory, '/srv/api');
  t.matchSnapshot(stable, 'jlist');
});

t.test('a directory of somebody else', { timeout: 10_000 }, async (t) => {
  const directory = t.testdir({ '\u202e': {} });
  const script = `${directory}/\u202e/app.js`;
  execFileSync('mkfifo', [`${directory}/package.json`]);
  const [{ pm2_env: env }] = await jlist({ script });
  t.equal(env.version, 'N/A', 'a pipe is not read');
});

t.test("PM2's words for the states", async (t) => {
  const words = {
    starting: 'launching',
    online: 'online',
    unresponsive: 'online',
    draining: 'stopping',
    stopping: 'stopping',
    stopped: 'stopped',
    exited: 'stopped',
    backoff: 'waiting restart',
    errored: 'errored',
  };
  for (const [status, word] of Object.entries(words)) {
    const [{ pm2_env: env }] = await jlist({ workers: [{ ...worker, status }] });
    t.equal(env.status, word);
  }
});

const rows = [
  ['id api', ['[ 4, 5 ]']],
  ['id nope', ['[]']],
  ['pid api', ['4115\n0']],
  ['pid', ['4115\n0']],
  ['pid nope', []],
];

t.test('ids and pids', async (t) => {
  for (const [line, expected] of rows) {
    const { printed } = await runOk(line, { daemon: { list: () => ({ apps: [app] }) } });
    t.same(printed, expected, line);
  }
  const { printed } = await runOk('jlist', { daemon: null });
  t.same(printed, ['[]'], 'a home without a daemon has an empty list');
});
