/** Commands on known apps: what the daemon is asked, what is shown, which exit code. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { NodeclusterError } from '../../../src/errors/error.js';
import { commandWith, outcome, runOk } from '../fake-context.js';

const apps = (...more) => ({ apps: more.map(outcome) });

const questions = [
  ['stop api 3 web:1', 'stop', { selectors: ['api', '3', 'web:1'] }],
  ['del all', 'delete', { selectors: ['all'] }],
  ['restart api', 'restart', { selectors: ['api'], shellEnv: { SHELL_ONE: 'shell' } }],
  [
    'reload api --parallel 2',
    'reload',
    { selectors: ['api'], shellEnv: { SHELL_ONE: 'shell' }, parallel: 2 },
  ],
  ['reload api --update-env', 'reload', { selectors: ['api'], updateEnv: { SHELL_ONE: 'shell' } }],
  [
    'reload api --on-failure rollback --no-wait',
    'reload',
    { selectors: ['api'], shellEnv: { SHELL_ONE: 'shell' }, onFailure: 'rollback', wait: false },
  ],
  ['reset api 3', 'reset', { selectors: ['api', '3'] }],
  ['scale api +2', 'scale', { selector: 'api', instances: '+2' }],
  ['start api', 'resume', { selectors: ['api'], shellEnv: { SHELL_ONE: 'shell' } }],
];

for (const [line, method, params] of questions) {
  t.test(`${line} requests ${method}`, async (t) => {
    const { asked } = await runOk(line, { daemon: { [method]: () => apps({}) } });
    t.same(asked, [{ method, params: { ...params, table: ['usage'] } }], 'one answer has all');
  });
}

t.test('progress and outcome go to stderr, the table of its apps to stdout', async (t) => {
  const stop = (_params, notify) => {
    notify({ app: 'api', kind: 'stopping', slot: 0, pid: 7 });
    return { ...apps({}), table: [] };
  };
  const { printed, noted } = await runOk('stop api', { daemon: { stop } });
  t.same(noted, ['api:0 stopping pid 7', '✔ api: 1 worker stopped in 100ms.']);
  t.same(printed, [], 'after a delete there is no app to be shown');
});

t.test('a failed app makes exit code 5', async (t) => {
  const failed = [{ id: 1, slot: 1, reason: 'exit code 1', lastLines: ['no database'] }];
  const reload = () => apps({}, { name: 'web', action: 'reload', ok: false, failed });
  const { noted, run } = await commandWith('reload all', { daemon: { reload } });
  t.equal(await run(), 5);
  t.match(noted.join('\n'), /web:1: exit code 1\n {4}\| no database/);
});

t.test('why workers failed is said once', async (t) => {
  const reason = 'could not listen on port 3000: in use by nginx';
  const failed = [0, 1].map((slot) => ({ id: slot, slot, reason, lastLines: [] }));
  const worker = { id: 0, slot: 0, status: 'backoff', reason, restarts: 0, listening: [] };
  const workers = [
    worker,
    { ...worker, id: 1, slot: 1, reason: 'another reason, as long as it is' },
  ];
  const table = [
    { name: 'api', namespace: 'default', status: 'backoff', mode: 'cluster', workers },
  ];
  const restart = () => ({ ...apps({ action: 'restart', ok: false, done: [], failed }), table });
  const { noted, run } = await commandWith('restart api', { daemon: { restart } });
  await run();
  t.equal(noted.join('\n').split(reason).length, 2, noted.join('\n'));
  t.ok(noted.includes('api:1 another reason, as long as it is'));
  t.ok(noted.includes('`nodecluster stop nginx`: free port 3000 for api.'));
});

t.test('--json prints the answer and no table', async (t) => {
  const { asked, printed } = await runOk('stop api --json', { daemon: { stop: () => apps({}) } });
  t.same(JSON.parse(printed.join('')), apps({}));
  t.same(asked, [{ method: 'stop', params: { selectors: ['api'] } }]);
});

t.test('the context knows whether the daemon is still working', async (t) => {
  let during;
  const stop = () => {
    during = context.daemonWork.isRunning;
    return apps({});
  };
  const { context, run } = await commandWith('stop api', { daemon: { stop } });
  await run();
  t.equal(during, true);
  t.equal(context.daemonWork.isRunning, false);
});

for (const line of ['stop api', 'reload all', 'scale api 2', 'describe api', 'env api']) {
  t.test(`${line} in a home without apps`, async (t) => {
    await t.rejects(runOk(line, { daemon: null }), { code: 'E_NO_APPS', exitCode: 4 });
  });
}

for (const method of ['restart', 'stop', 'delete', 'reload', 'reset']) {
  t.test(`${method} all, and the daemon has no apps either`, async (t) => {
    await t.rejects(runOk(`${method} all`, { daemon: { [method]: () => ({ apps: [] }) } }), {
      code: 'E_NO_APPS',
      exitCode: 4,
    });
  });
}

const misfits = [
  ['stop api --only a', 'E_OPTION_NEEDS_FILE'],
  ['reload api --lenient', 'E_OPTION_NEEDS_FILE'],
  ['apply api --prune', 'E_USAGE'],
  ['start api --env production', 'E_OPTION_NEEDS_FILE'],
  ['scale api many', 'E_USAGE'],
  ['reload api eco.yml', 'E_MIXED_TARGETS'],
];

for (const [line, code] of misfits) {
  t.test(`${line} is rejected before any request`, async (t) => {
    const { asked, run } = await commandWith(line);
    await t.rejects(run(), { code, exitCode: 2 });
    t.same(asked, []);
  });
}

t.test('programs of one package are named after their files', async (t) => {
  const cwd = t.testdir({ 'package.json': '{"name": "shop"}', 'app.js': '', 'server.js': '' });
  for (const [line, names] of [
    ['start app.js', ['shop']],
    ['start app.js server.js', ['app', 'server']],
  ]) {
    const { asked } = await runOk(line, { cwd, daemon: { start: () => ({ apps: [] }) } });
    const found = asked[0].params.specs.map(({ name }) => name);
    t.same(found, names);
  }
});

t.test('a path after --watch is not a second program', async (t) => {
  const cwd = t.testdir({ 'app.js': '', 'two.js': '', src: {} });
  for (const line of [
    'start app.js --watch src',
    'start --watch ./src app.js --name api',
    'start app.js --watch src/**',
  ]) {
    const { asked, run } = await commandWith(line, { cwd });
    await t.rejects(run(), { code: 'E_USAGE', message: /--watch .* no path/, hint: /watch: / });
    t.same(asked, []);
  }
  await t.rejects(runOk('start app.js --watch srv --name api', { cwd }), {
    message: /--name .* 2 programs/,
    hint: /--watch takes no path/,
  });
  const { asked } = await runOk('start app.js two.js --watch', {
    cwd,
    daemon: { start: () => ({ apps: [] }) },
  });
  t.equal(asked[0].params.specs.length, 2);
});

t.test('a program that cannot be inspected is refused; an app is not taken for one', async (t) => {
  const cwd = t.testdir({ 'app.js': t.fixture('symlink', 'app.js') });
  symlinkSync('api', join(cwd, 'api'));
  for (const line of ['start app.js', 'start app.js --watch']) {
    await t.rejects(runOk(line, { cwd }), {
      code: 'E_CANNOT_RUN',
      exitCode: 4,
      message: /app\.js: too many symbolic links/,
    });
  }
  const { asked } = await runOk('start api', { cwd, daemon: { resume: () => apps() } });
  t.match(asked, [{ method: 'resume' }]);
});

t.test('start of an unknown word suggests a similar name', async (t) => {
  const unknown = ({ selectors: [selector] }) => {
    throw new NodeclusterError('E_APP_UNKNOWN', { selector, known: ['api'], nearest: null });
  };
  const daemon = { resume: unknown, describe: unknown, env: unknown };
  const cwd = t.testdir({ 'server.js': '', empty: {} });
  const code = 'E_NEITHER_FILE_NOR_APP';
  const app = await commandWith('start apj', { daemon, cwd });
  await t.rejects(app.run(), { code, exitCode: 4, hint: /api/ });
  const file = await commandWith('start serverr.js', { daemon: null, cwd });
  await t.rejects(file.run(), { code, hint: /server\.js/ });
  for (const [line, word] of [
    ['start yarn --name y -- start', 'yarn'],
    ['start ./node_modules/.bin/nope --name z', './node_modules/.bin/nope'],
  ]) {
    const message = `Found no file, no command in PATH and no app with the name ${word}.`;
    for (const world of [{ daemon }, { daemon: null }]) {
      await t.rejects(runOk(line, { ...world, cwd }), { code, message });
    }
  }
  for (const line of ['start empty', 'start empty --name x', 'start ./empty']) {
    const { run } = await commandWith(line, { daemon, cwd });
    const message = /which program in \S*empty to run/;
    await t.rejects(run(), { code: 'E_NO_PROGRAM', exitCode: 4, message });
  }
});
