/** Commands on known apps: what the daemon is asked, what is shown, which exit code. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { fileAmong } from '../../../src/api/selectors.js';
import { NodeclusterError } from '../../../src/errors/error.js';
import { commandWith, outcome, runOk } from '../fake-context.js';
import { inUse } from '../../support/snapshot.js';

const apps = (...more) => ({ apps: more.map(outcome) });

const api = { selectors: ['api'] };
const shellEnv = { SHELL_ONE: 'shell' };
const failing = { onFailure: 'rollback' };
const questions = [
  ['stop api 3 web:1', 'stop', { selectors: ['api', '3', 'web:1'] }],
  ['del all', 'delete', { selectors: ['all'] }],
  ['restart api', 'restart', { ...api, shellEnv }],
  ['reload api --parallel 2', 'reload', { ...api, shellEnv, parallel: 2 }],
  ['reload api --update-env', 'reload', { ...api, updateEnv: shellEnv }],
  ['reload api --on-failure rollback', 'reload', { ...api, shellEnv, ...failing }],
  ['reset api 3', 'reset', { selectors: ['api', '3'] }],
  ['scale api +2', 'scale', { selector: 'api', instances: '+2' }],
  ['start api', 'resume', { ...api, shellEnv }],
];

t.test('what the daemon is asked', async (t) => {
  for (const [line, method, params] of questions) {
    const { asked } = await runOk(line, { daemon: { [method]: () => apps({}) } });
    t.same(asked[0], { method, params }, line);
    const records = {
      method: 'list',
      params: { selectors: ['api'], fields: ['usage', 'details'] },
    };
    t.same(asked.slice(1), [records], 'for the table');
  }
});

t.test('progress and outcome go to stderr, the table of its apps to stdout', async (t) => {
  let during;
  const stop = (_params, notify) => {
    during = context.daemonWork.isRunning;
    notify({ app: 'api', kind: 'stopping', slot: 0, pid: 7 });
    return apps({});
  };
  const { context, printed, noted, run } = await commandWith('stop api', { daemon: { stop } });
  t.equal(await run(), 0);
  t.same([during, context.daemonWork.isRunning], [true, false], 'it knows when the daemon works');
  t.same(noted, ['api stopping', '✔ api: 1 worker stopped in 100ms.']);
  t.same(printed, [], 'where it has been deleted, there is no app to be shown');
});

t.test('why workers failed is said once', async (t) => {
  const { reason, text } = inUse({ holder: 'nginx' });
  const failed = [0, 1].map((slot) => ({ id: slot, slot, reason, lastLines: [] }));
  const worker = { id: 0, slot: 0, status: 'backoff', reason, restarts: 0, listening: [] };
  const app = { name: 'api', namespace: 'default', status: 'backoff', mode: 'cluster' };
  const list = () => ({ apps: [{ ...app, workers: [worker], spec: { maxRestarts: 12 } }] });
  const restart = () => apps({ action: 'restart', ok: false, done: [], failed });
  const { noted, run } = await commandWith('restart api', { daemon: { restart, list } });
  await run();
  t.equal(noted.join('\n').split(text).length, 2, noted.join('\n'));
  t.match(noted.at(-1), /again, up to 12 times; `nodecluster delete api` ends that\.$/);
});

t.test('--json prints the answer and no table', async (t) => {
  const { asked, printed } = await runOk('stop api --json', { daemon: { stop: () => apps({}) } });
  t.same(JSON.parse(printed.join('')), apps({}));
  t.same(asked, [{ method: 'stop', params: { selectors: ['api'] } }]);
});

t.test('a home without apps, with a daemon or without', async (t) => {
  const none = { code: 'E_NO_APPS', exitCode: 4 };
  for (const line of ['stop api', 'reload all', 'scale api 2', 'describe api', 'env api'])
    await t.rejects(runOk(line, { daemon: null }), none, line);
  for (const method of ['restart', 'stop', 'delete', 'reload', 'reset']) {
    const daemon = { [method]: () => ({ apps: [] }) };
    await t.rejects(runOk(`${method} all`, { daemon }), none, method);
  }
});

const misfits = [
  ['stop api --only a', 'E_OPTION_NEEDS_FILE'],
  ['reload api --lenient', 'E_OPTION_NEEDS_FILE'],
  ['apply api --prune', 'E_USAGE'],
  ['start api --env production', 'E_OPTION_NEEDS_FILE'],
  ['reload api eco.yml', 'E_MIXED_TARGETS'],
];

t.test('what is rejected before any request', async (t) => {
  for (const [line, code] of misfits) {
    const { asked, run } = await commandWith(line);
    await t.rejects(run(), { code, exitCode: 2 }, line);
    t.same(asked, []);
  }
});

t.test('a file, or selectors', async (t) => {
  const caller = { command: 'reload', cwd: t.testdir({ 'ecosystem.yml': '' }) };
  const fileOf = (...words) => fileAmong(caller, words, {});
  t.equal(fileOf(), 'ecosystem.yml');
  const files =
    '- eco.yml a/eco.yaml a/eco.json eco.json5 my.config.js x.config.cjs x.config.mjs x.config.cts';
  for (const file of files.split(' ')) t.equal(fileOf(file), file);
  const selectors = ['api', '3', 'api:1', 'all', '/^api/', 'app.js', 'config.js', 'a.ts', 'yml'];
  t.equal(fileOf(...selectors), null);
});

t.test('programs of one package are named after their files', async (t) => {
  const cwd = t.testdir({ 'package.json': '{"name": "shop"}', 'app.js': '', 'server.js': '' });
  const named = { 'start app.js': ['shop'], 'start app.js server.js': ['app', 'server'] };
  for (const [line, names] of Object.entries(named)) {
    const { asked } = await runOk(line, { cwd, daemon: { start: () => ({ apps: [] }) } });
    const found = asked[0].params.specs.map(({ name }) => name);
    t.same(found, names);
  }
});

t.test('a path after --watch is a second program, and nothing is started without it', async (t) => {
  const cwd = t.testdir({ 'app.js': '', 'two.js': '', src: {} });
  for (const line of ['start app.js --watch src', 'start app.js --watch src/**']) {
    const { asked, run } = await commandWith(line, { cwd });
    await t.rejects(run(), { code: 'E_CANNOT_RUN', message: /src/ });
    t.same(asked, []);
  }
  await t.rejects(runOk('start app.js two.js --name api', { cwd }), {
    message: /--name .* 2 programs/,
  });
  const two = { cwd, daemon: { start: () => ({ apps: [] }) } };
  const { asked } = await runOk('start app.js two.js --watch', two);
  t.equal(asked[0].params.specs.length, 2);
});

t.test('a program that cannot be inspected is refused; an app is not taken for one', async (t) => {
  const cwd = t.testdir({ 'app.js': t.fixture('symlink', 'app.js') });
  symlinkSync('api', join(cwd, 'api'));
  const message = /app\.js: too many symbolic links/;
  for (const line of ['start app.js', 'start app.js --watch'])
    await t.rejects(runOk(line, { cwd }), { code: 'E_CANNOT_RUN', exitCode: 4, message });
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
  await t.rejects(runOk('start apj', { daemon, cwd }), { code, exitCode: 4, hint: /api/ });
  const file = runOk('start serverr.js', { daemon: null, cwd });
  await t.rejects(file, { code, hint: /server\.js/ });
  for (const word of ['yarn', './node_modules/.bin/nope']) {
    const line = `start ${word} --name y -- start`;
    for (const each of [daemon, null])
      await t.rejects(runOk(line, { daemon: each, cwd }), { code, message: /no file/ });
  }
  const none = { code: 'E_NO_PROGRAM', exitCode: 4, message: /which program in \S*empty to run/ };
  for (const line of ['start empty', 'start empty --name x', 'start ./empty'])
    await t.rejects(runOk(line, { daemon, cwd }), none);
});
