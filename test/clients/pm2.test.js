/** What replaces PM2: import of its apps; jlist, id and pid, which scripts read that were written for it. */
import t from 'tap';
import { execFileSync } from 'node:child_process';
import { parse } from 'yaml';
import { writeYaml } from '../../src/api/write-ecosystem.js';
import { ecosystemOf, ownVariables } from '../../src/clients/pm2/ecosystem.js';
import { parsePm2List } from '../../src/clients/pm2/running-pm2.js';
import { runOk } from '../cli/fake-context.js';
import { specWith } from '../support/spec.js';

const SHOP = '/srv/shop';
const shell = { HOME: '/home/me', PATH: '/usr/bin', PROXY: 'http://proxy', LANG: 'C' };

/** As PM2 7 has it: the shell's variables, its own, those of the file, the name, and unique_id. */
function process({ name = 'api', pm_id = 0, ...settings }, ofFile = {}, ofShell = shell) {
  const own = { PM2_HOME: '/p', PM2_USAGE: 'CLI', PM2_JSON_PROCESSING: 'true' };
  const env = { ...ofShell, ...own, ...ofFile };
  const pm2_env = {
    name,
    namespace: 'default',
    status: 'online',
    exec_mode: 'cluster_mode',
    exec_interpreter: 'node',
    pm_exec_path: '/srv/shop/api.js',
    pm_cwd: '/srv/shop',
    pm_out_log_path: `/p/logs/${name}-out.log`,
    pm_err_log_path: `/p/logs/${name}-error.log`,
    node_args: [],
    autorestart: true,
    autostart: true,
    watch: false,
    treekill: true,
    vizion: true,
    pmx: true,
    filter_env: [],
    instance_var: 'NODE_APP_INSTANCE',
    ...settings,
    env: { ...env, [name]: '{}', unique_id: 'x' },
  };
  return { pid: 100, name, pm_id, pm2_env, monit: { memory: 0, cpu: 0 } };
}

function imported(list, context = {}) {
  const processes = parsePm2List(JSON.stringify(list)) ?? [];
  const defaults = { directory: '/srv/shop', pm2Home: '/p', shellEnv: shell, withSecrets: false };
  return ecosystemOf(processes, { ...defaults, ...context });
}

t.test('a list of PM2: what runs, after its remarks, or a dump', async (t) => {
  const entry = process({});
  const remark = '>>>> In-memory PM2 is out-of-date';
  const [live] = parsePm2List(`${remark}\n${JSON.stringify([entry])}`) ?? [];
  t.match(live, { name: 'api', id: 0, isRunning: true, settings: { pm_cwd: '/srv/shop' } });
  const [dumped] = parsePm2List(JSON.stringify([entry.pm2_env], null, 2)) ?? [];
  t.match(dumped, { name: 'api', id: null, isRunning: true, env: { HOME: '/home/me' } });
  t.same(parsePm2List('[]\n'), []);
  const odd = [{ ...entry, pm_id: 'all' }, { ...entry, pm_id: -1 }, process({ pm_cwd: 1 })];
  for (const text of ['', '{}', '[1]', ...odd.map((each) => JSON.stringify([each]))])
    t.equal(parsePm2List(text), null, text);
  t.match(parsePm2List(JSON.stringify([{ ...entry.pm2_env, env: null }])), [{ env: {} }]);
});

t.test('variables: those of the user stay, those of the shell and of PM2 do not', async (t) => {
  const rows = [
    ['of the file', { P: 80, M: { a: 1 }, ON: true }, shell, { P: '80', M: '{"a":1}', ON: 'true' }],
    ['of the command line', {}, { ...shell, GREETING: 'hi' }, { GREETING: 'hi' }],
    ['another value than in this shell', { PROXY: 'none' }, shell, { PROXY: 'none' }],
    [
      'the name, and one of the user',
      { name: 'api', pm_x: 1 },
      { ...shell, NAME: 'api' },
      { NAME: 'api' },
    ],
    ['of another session', {}, { ...shell, PATH: '/x', SSH_TTY: '1', _: 'pm2', LC_ALL: 'x' }, {}],
  ];
  for (const [label, ofFile, ofShell, expected] of rows) {
    const [entry] = parsePm2List(JSON.stringify([process({}, ofFile, ofShell)])) ?? [];
    t.same(ownVariables(entry, { ...shell, NODE_ENV: 'x' }), expected, label);
  }
});

t.test('settings, row by row', async (t) => {
  const appOf = (script, more = {}) => ({ name: 'api', script, ...more });
  const usual = appOf('./api.js');
  const fork = { exec_mode: 'fork_mode' };
  const python = { ...fork, pm_exec_path: '/srv/shop/a.py', exec_interpreter: '/venv/python' };
  const bash = { ...fork, pm_exec_path: '/usr/bin/bash', exec_interpreter: 'none' };
  const twice = ['-c', 'a && b'];
  const watched = { watch: true, ignore_watch: ['tmp'], cron_restart: '0 4 * * *' };
  const times = { kill_timeout: 3000, wait_ready: true, listen_timeout: 5000 };
  const kept = { ...times, autorestart: false, treekill: false };
  const rows = [
    [{}, usual],
    [fork, { ...usual, exec_mode: 'fork' }],
    [{ name: '7' }, { ...usual, name: 'app-7' }],
    [{ pm_cwd: `${SHOP}/in`, pm_exec_path: `${SHOP}/in/x.js` }, appOf('./x.js', { cwd: './in' })],
    [python, appOf('./a.py', { interpreter: '/venv/python' })],
    [{ ...bash, args: ['-c', 'npm run x'] }, appOf('npm run x')],
    [{ ...bash, args: twice }, appOf('/usr/bin/bash', { args: twice })],
    [{ max_memory_restart: 209715200 }, appOf('./api.js', { max_memory_restart: '200M' })],
    [watched, { ...usual, ...watched }],
    [kept, { ...usual, ...kept }],
    [{ cron_restart: '0', max_memory_restart: 0, wait_ready: false }, usual],
    [{ pm_out_log_path: '/srv/shop/o.log' }, { ...usual, out_file: './o.log' }],
    [{ disable_logs: true }, { ...usual, out_file: '/dev/null', error_file: '/dev/null' }],
    [{ log_date_format: 'YYYY-MM-DDTHH:mm:ss', time: true }, usual],
  ];
  for (const [settings, expected] of rows) {
    const [{ settings: made }] = imported([process(settings)]).apps;
    t.same(JSON.parse(JSON.stringify(made)), expected, JSON.stringify(settings));
  }
});

t.test('processes of one name are one app, with different programs two', async (t) => {
  const logs = (id) => ({ pm_id: id, pm_out_log_path: `/srv/shop/o-${id}.log` });
  const { apps } = imported([
    process(logs(3)),
    process({ pm_id: 4, pm_exec_path: '/srv/shop/other.js', status: 'stopped' }),
    process(logs(5)),
  ]);
  const together = { instances: 2, out_file: './o.log', merge_logs: false };
  const apart = { name: 'api-2', script: './other.js' };
  t.match(apps, [
    { ids: [3, 5], settings: together, isRunning: true },
    { ids: [4], name: 'api-2', settings: apart, isRunning: false },
  ]);
});

t.test('secrets go into the file only on request', async (t) => {
  const list = [process({}, { PORT: '80', STRIPE_SECRET_KEY: 'sk', DB: 'postgres://me:pw@db/x' })];
  const [app] = imported(list).apps;
  t.same(app.settings.env, { PORT: '80' });
  t.same(app.secrets, { STRIPE_SECRET_KEY: 'sk', DB: 'postgres://me:pw@db/x' });
  const [whole] = imported(list, { withSecrets: true }).apps;
  t.match(whole, { settings: { env: { PORT: '80', STRIPE_SECRET_KEY: 'sk' } }, secrets: {} });
});

t.test('so do those of other environments', async (t) => {
  const list = [process({ env_production: { PORT: 80, API_KEY: 'k' }, env_file: {}, env_x: 'y' })];
  const [app] = imported(list).apps;
  t.same(app.settings.env_production, { PORT: '80' });
  t.notMatch(Object.keys(app.settings).join(' '), /env_[fx]/);
  t.same(imported(list).notes, ['api: secrets of env_production were not carried over: API_KEY']);
  const whole = imported(list, { withSecrets: true });
  t.same(whole.apps[0].settings.env_production, { PORT: '80', API_KEY: 'k' });
  t.same(whole.notes, []);
});

t.test('what cannot be carried over is named', async (t) => {
  const [old, off] = [{ exec_interpreter: 'node@16.0.0' }, { status: 'stopped' }];
  const { apps, notes } = imported([
    process({ name: 'a b', ...old, exec_mode: 'fork_mode', filter_env: ['X'] }),
    process({ name: 'c', ...off, watch_options: { usePolling: true }, log_date_format: 'Qo' }),
    process({ name: 'd', ...off, cron_restart: '0 3 * * *' }),
    process({ name: 'pm2-logrotate', pmx_module: true }),
    process({ name: 'pm2-odd', pmx_module: true }),
  ]);
  const names = apps.map(({ name }) => name);
  t.same(names, ['a-b', 'c', 'd']);
  t.matchSnapshot(notes.join('\n'), 'notes');
});

t.test('the text of the file', async (t) => {
  const settings = { name: 'api', args: ['a', '1'], env: { A: '1', B: 'yes' } };
  const apps = [{ settings, remarks: ['one', 'two'] }, { settings: { name: 'b' } }];
  const text = writeYaml(apps, ['head']);
  t.matchSnapshot(text, 'text');
  t.same(parse(text), { apps: [settings, { name: 'b' }] });
  const odd = writeYaml([{ settings, remarks: ['\u001b[2J\r\n  - name: c\u202e'] }], ['\u0007']);
  t.match(odd, '# ?[2J??  - name: c?\n');
  t.same(parse(odd), { apps: [settings] });
  const { settings: elsewhere } = imported([process({})], { directory: null }).apps[0];
  t.match(elsewhere, { cwd: '/srv/shop', script: '/srv/shop/api.js' });
});

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
    launching: ['starting'],
    online: ['online', 'blocked'],
    stopping: ['draining', 'stopping'],
    stopped: ['stopped', 'exited'],
    'waiting restart': ['backoff'],
    errored: ['errored'],
  };
  for (const [word, states] of Object.entries(words)) {
    const workers = states.map((status) => ({ ...worker, status }));
    const found = (await jlist({ workers })).map(({ pm2_env: env }) => env.status);
    t.same(found, Array(states.length).fill(word), word);
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
