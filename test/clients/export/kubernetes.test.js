/** `export`: where its apps come from, what the manifests say about them, and that nothing is lost in silence. */
import t from 'tap';
import { exampleOf } from '../../../scripts/options-page.js';
import { yamlDocument, yamlText } from '../../../src/api/write-ecosystem.js';
import { noted } from '../../../src/clients/export/kubernetes-pod.js';
import { namesOf, schedule } from '../../../src/clients/export/kubernetes.js';
import * as resources from '../../../src/clients/export/resources.js';
import { ConfigSource, ConfigValue } from '../../../src/config/file/config-value.js';
import { options } from '../../../src/config/options/table.js';
import { commandWith, runOk } from '../../cli/fake-context.js';
import { exportOf, shopApp, threeApps } from './three-apps.js';

t.test('three apps', async (t) => {
  const { text } = exportOf(threeApps, { image: 'example.com/shop:1' });
  t.matchSnapshot(text, 'text');
  t.notMatch(text, /hunter2/, 'no secret');
  t.notMatch(text, /SHELL_ONLY|of the shell/, 'nothing of the shell');
  const again = exportOf(threeApps, { image: 'example.com/shop:1' });
  t.equal(again.text, text, 'the same each time');
});

t.test('every option of an app is in the text or in a warning', async (t) => {
  const plain = textWith({});
  for (const option of options.filter(({ spec }) => spec !== null)) {
    const text = textWith(otherValueOf(option));
    t.not(text, plain, `${option.key} changes it`);
    t.match(text, new RegExp(`\\b${option.key}\\b`), `${option.key} is named`);
  }
});

t.test('options that the text does not name only contribute to others', async (t) => {
  const contributing = options.filter(({ spec }) => spec === null).map(({ key }) => key);
  t.same(contributing, ['port', 'env_<name>', 'env_file', 'disable_logs']);
});

function textWith(setting) {
  const { text, warnings } = exportOf([shopApp({ name: 'app', env: { A: 'a' }, ...setting })]);
  return `${text}\n${warnings.join('\n')}`;
}

function otherValueOf({ key, spec, type }) {
  if (key === 'exec_mode') return { execMode: 'fork', interpreter: 'node' };
  const isPath = ['script', 'cwd', 'interpreter'].includes(key);
  const value = isPath ? `/opt/${key}` : exampleOf({ key });
  return { [String(spec)]: type.read(new ConfigValue(value, [], new ConfigSource())) };
}

const MiB = 1024 ** 2;
const app = (more = {}) => shopApp({ name: 'api', ...more });

t.test('the port is where the settings name it', async (t) => {
  const rows = [
    [{}, undefined],
    [{ env: { PORT: '80' } }, [80]],
    [{ env: { PORT: '80' } }, [5000], 5000],
    [{ env: { PORT: '/run/api.sock' } }, undefined],
    [{ privilegedPorts: ['127.0.0.1:80', '[::1]:443'] }, [80, 443]],
    [{ env: { PORT: '80' }, privilegedPorts: ['80', '443'] }, [80, 443]],
  ];
  for (const [settings, expected, typed] of rows) {
    t.same(resources.portsOf(app(settings), typed)?.numbers, expected, JSON.stringify(settings));
  }
});

t.test('alarms have no secret', async (t) => {
  const alarm = { event: ['worker.errored'], run: null, post: null, headers: {} };
  const on = [
    { ...alarm, run: ['./notify.sh', 'x'] },
    { ...alarm, event: ['*.ended'], post: 'https://example.com/s3cret' },
  ];
  const { text, warnings } = exportOf([app({ on })]);
  t.match(text, 'https://example.com/********');
  t.notMatch(text, 's3cret');
  t.match(
    warnings.filter((each) => /^api: on: /.test(each)),
    [/what may be secret is replaced/],
  );
  const job = app({ on, execMode: 'fork', autorestart: false, schedule: '0 4 * * *' });
  t.match(exportOf([job]).warnings.join('\n'), /^api: on: the engine runs the job/m);
});

t.test('CPU and memory follow from workers and max_memory_restart', async (t) => {
  const rows = [
    [{ instances: 4, maxMemoryRestartBytes: 300 * MiB }, undefined, [4, 4, 6 * 300 + 256, true]],
    [{ instances: 4, maxSurge: 2, maxMemoryRestartBytes: 99 * MiB }, 2, [4, 2, 8 * 99 + 256, true]],
    [{ instances: -1 }, 8, [7, 8, 9 * 128 + 256, false]],
    [{ instances: { min: 2, max: 4 } }, undefined, [4, 4, 6 * 128 + 256, false]],
    [{ instances: 0 }, 0.5, [1, 0.5, 2 * 128 + 256, false]],
    [{ execMode: 'fork', maxMemoryRestartBytes: 100 * MiB }, undefined, [1, 1, 356, true]],
  ];
  for (const [settings, cpus, expected] of rows) {
    const found = resources.resourcesOf(app(settings), cpus);
    t.same([found.workers, found.cpus, found.memoryMiB, found.isLimited], expected);
  }
});

t.test('times add up', async (t) => {
  const times = { shutdownDelayMs: 3000, drainTimeoutMs: 10_500, killTimeoutMs: 5000 };
  t.equal(resources.stopTime(app(times)).seconds, 19 + 5);
  const start = { listenTimeoutMs: 20_000, minUptimeMs: 1000 };
  t.equal(resources.startTime(app(start)).seconds, 81);
  const health = { startPeriodMs: 120_000 };
  const { seconds, setting } = resources.startTime(app({ ...start, health }));
  t.equal(seconds, 181);
  t.match(setting, /^health\.start_period 120s/);
});

t.test('names of Kubernetes', async (t) => {
  const found = namesOf(['web', 'Web', '1st', 'a_b.c', '@scope', 'x'.repeat(64)]).values();
  t.same([...found], ['web', 'web-2', 'app-1st', 'a-b-c', 'app-scope', 'x'.repeat(52)]);
});

t.test('a cron pattern as a CronJob has it', async (t) => {
  t.equal(schedule('5 10 3 * * 1-5'), '10 3 * * 1-5');
  for (const pattern of ['0 3 * * *', '@weekly']) t.equal(schedule(pattern), pattern);
});

t.test('YAML with comments, for readers of YAML 1.1 too', async (t) => {
  const data = {
    a: noted('no', 'x: no'),
    b: ['1', noted('22:22', 'y')],
    c: undefined,
    d: { e: noted('o\nn', 'z\n: w') },
  };
  const text = 'a: "no" # x: no\nb:\n  - "1"\n  - "22:22" # y\nd:\n  e: |- # z?: w\n    o\n    n\n';
  t.equal(yamlText(yamlDocument(data)), text);
});

t.test('what Kubernetes would replace in a value', async (t) => {
  for (const [value, expected] of Object.entries({
    '$5 $HOME': '$5 $HOME',
    a$$b: 'a$$$b',
    '$(id)': '$$(id)',
    '$$(id)': '$$$$(id)',
  }))
    t.match(exportOf([app({ env: { TEXT: value } })]).text, `value: ${expected} # env.TEXT`);
});

t.test('nothing in a setting ends a comment or a line', async (t) => {
  const name = 'evil';
  const env = { PORT: '3000', TEXT: 'a\nUser=root', 'X\nUser=root': '$(id) ${HOME} %h' };
  const { text } = exportOf([
    shopApp({ name, env, namespace: 'shop', cwd: '/srv/a\nUser=root' }),
    shopApp({ name: 'cron', autorestart: false, cronRestart: '0\n3 * * *' }),
  ]);
  t.notMatch(text, /^(User=root|3 )/m);
});

t.test('apps whose names Kubernetes cannot have, and replicas', async (t) => {
  const apps = [app({ name: 'Shop_1', instances: 2, env: { PORT: '3000' } }), app({ name: 'a@b' })];
  const { text, warnings } = exportOf(apps, { replicas: 5 });
  t.match(text, /replicas: 5 # --replicas/);
  t.match(text, /name: a-b\n/);
  t.match(warnings, [/^--image is not given/, /^Shop_1: .* called shop-1/]);
});

t.test('what depends_on becomes, by its condition', async (t) => {
  const port = { PORT: '4000' };
  const dependsOn = { db: 'ready', cache: 'started', Migrate: 'exited', gone: 'ready' };
  const specs = [
    app({ name: 'web', dependsOn }),
    app({ name: 'db', env: port }),
    app({ name: 'cache' }),
    app({ name: 'Migrate', stopExitCodes: [0] }),
  ];
  const kubernetes = exportOf(specs);
  t.match(kubernetes.text, /kind: Job\n/);
  const texts = kubernetes.warnings.join('\n');
  t.match(texts, /^web: .*nothing waits for db, cache, gone: /m);
  t.match(texts, /^web: .*apply migrate first, .* job\/migrate$/m);
});

t.test('a job with a schedule', async (t) => {
  const job = { execMode: 'fork', autorestart: false, schedule: '*/5 * * * *' };
  const textWith = (more) => {
    const { text, warnings } = exportOf([app({ ...job, ...more })]);
    return [text, ...warnings].join('\n');
  };
  const plain = textWith({});
  t.match(plain, /kind: CronJob/);
  t.match(plain, /schedule: "?\*\/5 \* \* \* \*"? *# schedule: \*\/5/);
  t.match(plain, /concurrencyPolicy: Forbid/);
  t.match(plain, /schedule: .* is in the time zone of the cluster/);
  t.notMatch(plain, /^ +schedule: .*\n.*overlap/m, 'the run itself has no schedule');
  const whole = textWith({ timezone: 'Europe/Berlin', overlap: 'replace' });
  t.match(whole, /timeZone: Europe\/Berlin/);
  t.match(whole, /concurrencyPolicy: Replace/);
  t.match(textWith({ overlap: 'queue' }), /overlap: queue has no equivalent/);
});

const yaml = `apps:
  - name: api
    script: ./api.cjs
    env: { PORT: 3000, API_KEY: hunter2 }
    env_staging: { PORT: 3001 }
  - name: jobs
    script: ./api.cjs
    watch: true
`;
const files = { 'ecosystem.yml': yaml, 'api.cjs': '' };
const env = { SHELL_TOKEN: 'of-the-shell', PATH: '/usr/bin' };

t.test('an ecosystem file becomes text on stdout, and warnings on stderr', async (t) => {
  const cwd = t.testdir(files);
  const { printed, noted, asked } = await runOk('export kubernetes', { cwd, env });
  const [text] = printed;
  t.match(text, /kind: Deployment/);
  t.match(text, /script: \/app\/api\.cjs/);
  t.match(text, /value: "3000" # env\.PORT/);
  t.notMatch(text, /hunter2|of-the-shell/);
  t.match(noted.join('\n'), /warning: jobs: watch: no effect in a container/);
  t.same(asked, [], 'no daemon is needed');
  const line = 'export kubernetes - --env staging --only api --image example.com/a:1';
  const ofStdin = (await runOk(line, { cwd, env, input: yaml })).printed[0];
  t.match(ofStdin, /containerPort: 3001/);
  t.notMatch(ofStdin, /jobs/);
});

t.test('what the user of this machine may not do does not matter', async (t) => {
  const input = '{name: api, script: ./api.cjs, uid: 7, gid: 8, out_file: /proc/none/out.log}';
  const world = { cwd: t.testdir(files), env, input };
  const { printed } = await runOk('export kubernetes -', world);
  t.match(printed[0], /runAsUser: 7 # uid: 7\n *runAsGroup: 8 # gid: 8/);
});

t.test('what it refuses', async (t) => {
  const cwd = t.testdir(files);
  const rows = [
    ['export compose', { code: 'E_USAGE', message: /not compose: .*docs.guides.export\.md names/ }],
    ['export kubernetes api', { code: 'E_USAGE', message: /api is not an ecosystem file/ }],
    ['export kubernetes none.yml', { code: 'E_CONFIG_UNREADABLE', message: /does not exist/ }],
  ];
  for (const [line, error] of rows) {
    await t.rejects(runOk(String(line), { cwd, env }), error, String(line));
  }
  for (const options of ['cpus 0', 'port 0', 'workdir app']) {
    const line = `export kubernetes --${options}`;
    await t.rejects(commandWith(line, { cwd, env }), { code: 'E_USAGE' }, line);
  }
});
