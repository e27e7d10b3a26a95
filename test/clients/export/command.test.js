/** `export`: where its apps come from, where its text goes, and what it refuses. */
import t from 'tap';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandWith } from '../../cli/fake-context.js';

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
  const { run, printed, noted, asked } = await commandWith('export kubernetes', { cwd, env });
  t.equal(await run(), 0);
  const [text] = printed;
  t.match(text, /kind: Deployment/);
  t.match(text, /script: \/app\/api\.cjs/);
  t.match(text, /value: "3000" # env\.PORT/);
  t.notMatch(text, /hunter2|of-the-shell/);
  t.match(noted.join('\n'), /warning: jobs: watch: the files of an image do not change/);
  t.same(asked, [], 'no daemon is needed');
});

t.test('--env, --only, --port and stdin', async (t) => {
  const cwd = t.testdir(files);
  const line = 'export compose - --env staging --only api --image example.com/a:1';
  const { run, printed } = await commandWith(line, { cwd, env, input: yaml });
  t.equal(await run(), 0);
  t.match(printed[0], /3001:3001/);
  t.notMatch(printed[0], /jobs/);
});

t.test('--dir writes files, and replaces none without --force', async (t) => {
  const cwd = t.testdir(files);
  const first = await commandWith('export systemd --dir units', { cwd, env });
  t.equal(await first.run(), 0);
  const unit = join(cwd, 'units', 'api.service');
  t.same(
    first.printed,
    ['api.service', 'api.yml', 'jobs.service', 'jobs.yml'].map(
      (name) => `Wrote ${join(cwd, 'units', name)}`,
    ),
  );
  t.match(readFileSync(unit, 'utf8'), /ExecStart=.* run \/etc\/nodecluster\/api\.yml/);
  t.equal(statSync(unit).mode & 0o022, 0, 'only its owner may write it');
  writeFileSync(unit, 'mine');
  const again = await commandWith('export systemd --dir units', { cwd, env });
  await t.rejects(again.run(), { code: 'E_FILE_EXISTS', data: { file: unit } });
  t.equal(readFileSync(unit, 'utf8'), 'mine');
  const forced = await commandWith('export systemd --dir units --force --json', { cwd, env });
  t.equal(await forced.run(), 0);
  t.equal(JSON.parse(forced.printed[0]).files.length, 4);
  t.not(readFileSync(unit, 'utf8'), 'mine');
});

t.test('what the user of this machine may not do does not matter', async (t) => {
  const input =
    'apps: [{name: api, script: ./api.cjs, uid: 7, gid: 8, out_file: /proc/none/out.log}]';
  const world = { cwd: t.testdir(files), env, input };
  const { run, printed } = await commandWith('export kubernetes -', world);
  t.equal(await run(), 0);
  t.match(printed[0], /runAsUser: 7 # uid: 7\n *runAsGroup: 8 # gid: 8/);
});

t.test('what it refuses', async (t) => {
  const cwd = t.testdir(files);
  const rows = [
    [
      'export nomad',
      { code: 'E_USAGE', message: /nomad is not an engine: choose one of kubernetes/ },
    ],
    [
      'export systemd --image a',
      { code: 'E_USAGE', message: /export systemd does not have --image/ },
    ],
    ['export haproxy', { code: 'E_USAGE', message: /export haproxy needs --servers/ }],
    ['export kubernetes api', { code: 'E_USAGE', message: /api is not an ecosystem file/ }],
    ['export kubernetes none.yml', { code: 'E_CONFIG_UNREADABLE', message: /does not exist/ }],
  ];
  for (const [line, error] of rows) {
    const { run } = await commandWith(String(line), { cwd, env });
    await t.rejects(run(), error, String(line));
  }
  for (const options of [
    '--autoscale 3',
    '--autoscale 4..2',
    '--cpus 0',
    '--port 0',
    '--workdir app',
    '--replicas 0',
  ]) {
    await t.rejects(commandWith(`export kubernetes ${options}`, { cwd, env }), { code: 'E_USAGE' });
  }
  t.notOk(existsSync(join(cwd, 'units')));
});
