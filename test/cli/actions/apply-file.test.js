/** Ecosystem files and programs: what reaches the daemon, and what is shown of the plan. */
import t from 'tap';
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { renderEnv } from '../../../src/cli/commands/describe.js';
import { renderError, renderErrorJson } from '../../../src/cli/main.js';
import { renderPlan } from '../../../src/cli/render/plan.js';
import { NodeclusterError } from '../../../src/errors/error.js';
import { specWith } from '../../support/spec.js';
import { commandWith, outcome, runOk } from '../fake-context.js';

const yaml = `apps:
  - name: api
    script: ./api.cjs
    env_production: { MODE: production }
  - name: web
    script: ./web.cjs
`;
const files = { 'ecosystem.yml': yaml, 'api.cjs': '', 'web.cjs': '' };
const applied = {
  plan: [{ app: 'api', action: 'scale', changes: [{ key: 'instances', from: 1, to: 2 }] }],
  unlisted: ['old'],
  apps: [outcome({ action: 'scale' })],
};
const apply = (_params, notify) => {
  notify(applied, 'plan');
  notify({ app: 'api', kind: 'online', slot: 1, pid: 7 });
  return applied;
};
const online = { namespace: 'default', status: 'online', mode: 'cluster', workers: [] };
const listed = (...names) => ({
  daemon: { pid: 1, version: '0' },
  apps: names.map((name) => ({ name, ...online })),
});

const pruned = { prune: true, dryRun: false, updateEnv: true, onFailure: 'rollback' };
const lines = [
  ['start', 'start', {}],
  ['reload', 'reload', {}],
  ['restart ecosystem.yml', 'restart', {}],
  ['reload --parallel 2', 'reload', { parallel: 2 }],
  ['startOrGracefulReload ecosystem.yml', 'reload', {}],
  ['startorrestart ecosystem.yml', 'restart', {}],
  ['apply', 'apply', { prune: false, dryRun: false }],
  ['apply --prune --update-env --on-failure rollback', 'apply', pruned],
  ['reload --only api', 'reload', { only: ['api'] }],
];

for (const [line, action, more] of lines) {
  t.test(`${line} applies the file`, async (t) => {
    const cwd = t.testdir(files);
    const { asked, noted } = await runOk(line, { daemon: { apply }, cwd });
    const { specs, ...rest } = asked[0].params;
    t.same(rest, {
      action,
      updateEnv: false,
      dropEnv: [],
      only: null,
      file: `${cwd}/ecosystem.yml`,
      shellEnv: { SHELL_ONE: 'shell' },
      ...more,
    });
    const names = specs.map(({ name }) => name);
    t.same(names, more.only ?? ['api', 'web']);
    t.match(noted[0], /^api +scale$/m, 'the plan, before it is carried out');
    t.match(noted[1], 'api:1 online');
  });
}

t.test('--dry-run prints the plan, and that nothing was done', async (t) => {
  const daemon = { apply: () => ({ ...applied, apps: [] }) };
  const world = { daemon, cwd: t.testdir(files) };
  const { asked, printed, noted } = await runOk('apply --dry-run', world);
  t.match(asked, [{ params: { dryRun: true } }]);
  t.matchSnapshot(printed.join('\n'), 'plan');
  t.match(noted, ['Nothing was done. ']);
});

t.test('start says that it leaves a change alone, and what applies it', async (t) => {
  const plan = [{ ...applied.plan[0], action: 'none', pending: true }];
  const leave = (_params, notify) => {
    notify({ plan, unlisted: [] }, 'plan');
    return { plan, unlisted: [], apps: [outcome({ action: 'none', done: [] })] };
  };
  const world = { daemon: { apply: leave }, cwd: t.testdir(files) };
  const { noted } = await runOk('start ecosystem.yml', world);
  t.match(noted[0], '`nodecluster apply ecosystem.yml`');
  t.matchSnapshot(noted.join('\n'), 'plan and outcome');
});

t.test('--env and standard input', async (t) => {
  const world = { daemon: { apply: () => applied }, cwd: t.testdir(files), input: yaml };
  const { asked } = await runOk('start - --env production', world);
  t.match(asked[0].params, { file: null, specs: [{ env: { MODE: 'production' } }, {}] });
});

t.test('warnings are shown, errors stop before the daemon is asked', async (t) => {
  const text = yaml.replace('script: ./web.cjs', 'script: ./web.cjs\n    instnaces: 2');
  const cwd = t.testdir({ ...files, 'ecosystem.yml': text });
  const strict = await commandWith('start', { cwd });
  await t.rejects(strict.run(), { code: 'E_CONFIG_INVALID', exitCode: 3 });
  t.same(strict.asked, []);
  const lenient = await runOk('start --lenient', { daemon: { apply: () => applied }, cwd });
  t.match(lenient.noted[0], /^warning: .*instnaces/);
});

t.test('stop and delete take the names that the file has and the daemon knows', async (t) => {
  for (const verb of ['stop', 'delete']) {
    const daemon = { list: () => listed('web', 'other'), [verb]: () => ({ apps: [outcome()] }) };
    const { asked } = await runOk(`${verb} ecosystem.yml`, { daemon, cwd: t.testdir(files) });
    t.match(asked[1], { method: verb, params: { selectors: ['web'] } });
  }
  const other = { daemon: { list: () => listed('other') }, cwd: t.testdir(files) };
  await t.rejects(runOk('stop', other), { code: 'E_NO_APPS', message: /ecosystem\.yml/ });
});

t.test('settings beside a file are for the apps of it that the command takes', async (t) => {
  const cwd = t.testdir(files);
  const typed = (line) => runOk(line, { daemon: { apply }, cwd });
  const { asked } = await typed(
    'start ecosystem.yml --only api --env production -i 2 --set-env A=1',
  );
  const env = { MODE: 'production', A: '1' };
  const given = { instances: 'flag', name: 'file', 'env.A': 'flag' };
  const api = { name: 'api', instances: 2, env, given, configFile: `${cwd}/ecosystem.yml` };
  t.match(asked[0].params.specs, [api]);
  const all = await typed('reload -i 3');
  t.match(all.asked[0].params.specs, [{ instances: 3 }, { instances: 3 }]);
  for (const [refused, message] of [
    ['start ecosystem.yml --name x', /^--name works only with a program/],
    ['start ecosystem.yml -- --port 80', /^Arguments after -- work only with a program/],
    ['start api.cjs web.cjs --name x', /--name .* 2 programs/],
  ])
    await t.rejects(typed(refused), { code: 'E_USAGE', message });
  const wrong = { code: 'E_FLAG_INVALID', message: /instances/ };
  await t.rejects(typed('start --exec-mode fork -i 2..4'), wrong);
});

t.test('a directory without an ecosystem file', async (t) => {
  for (const verb of ['start', 'reload', 'restart', 'stop', 'delete']) {
    await t.rejects(runOk(verb, { cwd: t.testdir({}) }), { code: 'E_NOTHING_NAMED', exitCode: 2 });
  }
});

t.test('a program with flags and arguments', async (t) => {
  const cwd = t.testdir(files);
  const line = 'start api.cjs -i 2 --name shop --set-env A=1 --set-env B=2 -- --port 80';
  const start = () => ({ apps: [outcome({ action: 'start' })] });
  const { asked } = await runOk(line, { daemon: { start }, cwd });
  const spec = { name: 'shop', script: `${cwd}/api.cjs`, instances: 2, args: ['--port', '80'] };
  const specs = [{ ...spec, env: { A: '1', B: '2' }, shellEnv: undefined }];
  const params = { specs, shellEnv: { SHELL_ONE: 'shell' } };
  t.match(asked[0], { method: 'start', params });
});

t.test('a command in PATH is a program with settings, or if no app has its name', async (t) => {
  const cwd = t.testdir({ bin: { tool: '' } });
  chmodSync(`${cwd}/bin/tool`, 0o755);
  const env = { PATH: `${cwd}/bin` };
  const start = () => ({ apps: [outcome({ action: 'start' })] });
  const unknown = () => {
    throw new NodeclusterError('E_APP_UNKNOWN', { selector: 'tool', known: ['api'] });
  };
  const line = 'start tool --name web -- start';
  const daemon = { start, list: unknown, env: unknown };
  const { asked } = await runOk(line, { daemon, cwd, env });
  const web = { name: 'web', script: 'tool', args: ['start'], execMode: 'fork', interpreter: null };
  t.match(asked[2], { method: 'start', params: { specs: [web] } });
  const world = { daemon: { start, resume: unknown }, cwd, env };
  const bare = await runOk('start tool', world);
  t.match(bare.asked[1], { method: 'start', params: { specs: [{ script: 'tool' }] } });
  t.equal(bare.noted[0], `tool: no file here, runs ${cwd}/bin/tool`);
  mkdirSync(`${cwd}/tool`);
  await t.rejects(runOk('start tool', world), { code: 'E_NO_PROGRAM' }, 'what is here comes first');
  writeFileSync(`${cwd}/tool/app.js`, '');
  const directory = await runOk('start tool', world);
  t.match(directory.asked[1].params.specs, [{ script: `${cwd}/tool/app.js` }]);
  rmSync(`${cwd}/tool`, { recursive: true });
  writeFileSync(`${cwd}/bin/tool`, '#!/usr/bin/env node');
  const hint = /nodecluster start tool --interpreter none/;
  const neither = { code: 'E_NEITHER_FILE_NOR_APP', hint };
  await t.rejects(runOk('start tool', { daemon: null, cwd, env }), neither);
});

t.test('init without a program, or beside an ecosystem file, writes nothing', async (t) => {
  for (const [file, code, exitCode] of [
    ['README.md', 'E_NO_PROGRAM', 4],
    ['ecosystem.config.js', 'E_FILE_EXISTS', 6],
    ['ecosystem.yml', 'E_FILE_EXISTS', 6],
  ]) {
    const cwd = t.testdir({ [file]: '' });
    await t.rejects(runOk('init', { cwd }), { code, exitCode });
    t.same(readdirSync(cwd), [file]);
  }
  const cwd = t.testdir({ 'package.json': '{"scripts":{"start":"node srv.js"}}' });
  await t.rejects(runOk('init', { cwd }), { message: /it has no srv\.js/ });
});

t.test('init --from-running writes a port that comes from the shell', async (t) => {
  const spec = specWith({});
  const value = (text) => ({ value: text, from: 'shell' });
  const env = () => ({ apps: [{ name: 'api', env: { PORT: value('3000'), OTHER: value('x') } }] });
  const list = () => ({ apps: [{ name: 'api', ...online, spec }] });
  const { printed } = await runOk('init --from-running -', { daemon: { list, env } });
  t.match(printed.join('\n'), /env:\n +PORT: "3000"$/m, 'without it, the file would be invalid');
  t.notMatch(printed.join('\n'), 'OTHER');
});

const plain = { width: null, colours: false };
const source = {
  specs: [{ name: 'new', instances: 2, execMode: 'cluster', script: '/srv/new.js' }],
  apply: 'nodecluster apply eco.yml',
};

t.test('each app with the smallest action and its reasons', async (t) => {
  const fewer = { key: 'instances', from: 4, to: 2 };
  const plan = [
    { app: 'api', action: 'reload', changes: [{ key: 'env.A', from: 'x\u001b', to: undefined }] },
    { app: 'web', action: 'scale', changes: [{ key: 'instances', from: 2, to: 4 }] },
    { app: 'job', action: 'none', changes: [] },
    { app: 'old', action: 'delete' },
    { app: 'new', action: 'start' },
    { app: 'shop', action: 'none', pending: true, changes: [fewer] },
  ];
  t.matchSnapshot(renderPlan(plan, ['gone'], source, plain), 'plan');
  t.equal(renderPlan([], [], source, plain), 'Nothing to do.');
  const job = { ...source, specs: [{ ...source.specs[0], onDemand: true }] };
  const [line] = renderPlan([{ app: 'new', action: 'start' }], [], job, plain).split('\n');
  t.match(line, /^new +start, and run \/srv\/new\.js when it is due$/);
});

t.test('what a restart costs depends on the mode', async (t) => {
  const costOf = (change, ...keys) => {
    const specs = [{ ...source.specs[0], ...change }];
    const plan = [{ app: 'new', action: 'restart', changes: keys.map((key) => ({ key })) }];
    const [line] = renderPlan(plan, [], { ...source, specs }, plain).split('\n');
    return line.replace(/ +/, '  ');
  };
  const waits = 'new  restart, workers finish their requests, new connections wait';
  const interrupts = 'new  restart, requests are interrupted';
  t.equal(costOf({}), waits);
  t.equal(costOf({}, 'scheduling'), waits);
  t.equal(costOf({}, 'exec_mode'), interrupts, 'fork mode before');
  t.equal(costOf({ execMode: 'fork' }), interrupts);
});

t.test('a line for each variable, in order, with where it comes from', async (t) => {
  const HOME = { value: '/root\n\u001b[2J', from: 'shell' };
  const api = { name: 'api', env: { PORT: { value: '3000', from: 'file' }, HOME } };
  t.equal(renderEnv([api], plain), 'HOME=/root\\x0a\\x1b[2J\nPORT=3000  # file');
  const web = { name: 'web', env: { A: { value: '', from: 'shell' } } };
  t.equal(renderEnv([{ ...api, env: {} }, web], plain), 'api\n\nweb\nA=', 'several are titled');
});

const error = new NodeclusterError('E_NO_APPS', { home: '/h\u001b[2J' });

t.test('the message, then what to do, then the code', async (t) => {
  t.same(renderError(error, plain).split('\n'), [
    'error: Nothing to do: /h\\x1b[2J has no apps.',
    '  Start one with `nodecluster start app.js -i max`. [E_NO_APPS]',
  ]);
  t.ok(renderError(error, { width: 80, colours: true }).startsWith('\u001b[31m'));
  const bare = renderError(new NodeclusterError('E_PROTOCOL_METHOD', { method: 'fly' }), plain);
  t.equal(bare.split('\n').length, 1, 'no second line without a hint');
  t.match(JSON.parse(renderErrorJson(error)), {
    error: { code: 'E_NO_APPS', exitCode: 4, message: String, hint: String, data: Object },
  });
});
