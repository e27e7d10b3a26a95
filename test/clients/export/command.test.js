/** `export`: where its apps come from, where its text goes, and what it refuses. */
import t from 'tap';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandWith, runOk } from '../../cli/fake-context.js';

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
const PAGES = { compose: 'containers', systemd: 'start-at-boot', haproxy: 'several-machines' };
const env = { SHELL_TOKEN: 'of-the-shell', PATH: '/usr/bin' };

t.test('an ecosystem file becomes text on stdout, and warnings on stderr', async (t) => {
  const cwd = t.testdir(files);
  const { printed, noted, asked } = await runOk('export kubernetes', { cwd, env });
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
  const line = 'export kubernetes - --env staging --only api --image example.com/a:1';
  const { printed } = await runOk(line, { cwd, env, input: yaml });
  t.match(printed[0], /containerPort: 3001/);
  t.notMatch(printed[0], /jobs/);
});

t.test('--dir writes files, and replaces none without --force', async (t) => {
  const cwd = t.testdir(files);
  const first = await runOk('export kubernetes --dir units', { cwd, env });
  const unit = join(cwd, 'units', 'api.yaml');
  t.same(first.printed, [`Wrote ${unit}`, `Wrote ${join(cwd, 'units', 'jobs.yaml')}`]);
  t.match(readFileSync(unit, 'utf8'), /kind: Deployment/);
  t.equal(statSync(unit).mode & 0o022, 0, 'only its owner may write it');
  writeFileSync(unit, 'mine');
  const again = runOk('export kubernetes --dir units', { cwd, env });
  await t.rejects(again, { code: 'E_FILE_EXISTS', data: { file: unit } });
  t.equal(readFileSync(unit, 'utf8'), 'mine');
  const forced = await runOk('export kubernetes --dir units --force --json', { cwd, env });
  t.equal(JSON.parse(forced.printed[0]).files.length, 2);
  t.not(readFileSync(unit, 'utf8'), 'mine');
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
    ['export nomad', { code: 'E_USAGE', message: /nomad is not an engine: only kubernetes is/ }],
    ...Object.entries(PAGES).map(([engine, page]) => {
      const message = new RegExp(`${engine} needs no export: .*/docs/guides/${page}\\.md has`);
      return [`export ${engine}`, { code: 'E_USAGE', message }];
    }),
    ['export kubernetes api', { code: 'E_USAGE', message: /api is not an ecosystem file/ }],
    ['export kubernetes none.yml', { code: 'E_CONFIG_UNREADABLE', message: /does not exist/ }],
  ];
  for (const [line, error] of rows) {
    await t.rejects(runOk(String(line), { cwd, env }), error, String(line));
  }
  for (const options of ['autoscale 3', 'autoscale 4..2', 'cpus 0', 'port 0', 'workdir app']) {
    const line = `export kubernetes --${options}`;
    await t.rejects(commandWith(line, { cwd, env }), { code: 'E_USAGE' }, line);
  }
  t.notOk(existsSync(join(cwd, 'units')));
});
