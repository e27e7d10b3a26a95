/** The programmatic interface, on a real home; wrong arguments are a TypeError that says what was expected. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import t from 'tap';
import { connect } from 'nodecluster';
import { commands } from '../../../src/cli/commands.js';
import { app, testHome } from '../../support/home.js';
import { ask } from '../../support/http-ask.js';
import { freePort } from '../../support/ports.js';
import { within } from '../../support/until.js';

// An app starts with the environment of this process: not with the preload of tap.
delete process.env.NODE_OPTIONS;

async function settingsOf(instances = 1) {
  const PORT = await freePort();
  return { script: app('talks.cjs'), name: 'api', instances, env: { PORT } };
}

/** A connection to a daemon that runs, and the directory of the test. */
async function connected(t) {
  const { home, root, startDaemon } = testHome(t);
  await startDaemon();
  const client = await connect({ home });
  t.teardown(() => client.close());
  return { root, client };
}

const taking = (stream) => stream[Symbol.asyncIterator]();

function first(events, isIt) {
  const look = async () => {
    for (let next; !(next = await events.next()).done;) if (isIt(next.value)) return next.value;
    throw new Error('the events ended');
  };
  return within(look(), `an event: ${isIt}`);
}

async function last(events) {
  let next = await events.next();
  while (!next.done) next = await events.next();
  return next;
}

t.test('the life of an app, and what is told of it', async (t) => {
  const { client } = await connected(t);
  t.same(await client.list(), []);
  const events = taking(client.events());
  const settings = await settingsOf(2);
  t.match(await client.start(settings), [{ name: 'api', action: 'start', ok: true, done: [0, 1] }]);
  t.match(await first(events, ({ type }) => type === 'start.ended'), { app: 'api', ok: true });
  t.match(await client.list(), [{ name: 'api', status: 'online', workers: [{}, {}] }]);
  t.ok('heapUsed' in (await client.list({ telemetry: true }))[0].workers[0]);

  t.match(await client.send('api:1', { hello: [1] }), [{ name: 'api', sent: [1], failed: [] }]);
  t.match(await first(events, ({ type }) => type === 'worker.event'), {
    ...{ app: 'api', slot: 1, id: 1, name: 'heard', data: { hello: [1] } },
  });

  t.match(await client.reload('api'), [{ ok: true, done: [0, 1] }]);
  const next = await first(events, ({ type }) => /^(reload\.ended|worker\.event)$/.test(type));
  t.match(next, { type: 'reload.ended', ok: true, done: [0, 1], durationMs: Number });
  t.match(await client.scale('api', '+1'), [{ ok: true, done: [2] }]);
  const { pid } = await ask(settings.env.PORT);
  process.kill(pid, 'SIGKILL');
  t.match(await first(events, ({ type }) => type === 'worker.exited'), {
    ...{ pid, code: null, signal: 'SIGKILL', reason: { kind: 'exit' }, lastLines: [] },
  });
  client.close();
  t.match(await last(events), { done: true });
});

t.test('stopped, started again, changed by a file, forgotten', async (t) => {
  const { client, root } = await connected(t);
  const settings = await settingsOf();
  await client.start(settings);
  t.match(await client.restart(['api:0']), [{ ok: true, done: [0] }]);
  const change = { settings: { killTimeout: '2s', env: { ADDED: 'x' } } };
  t.match(await client.reload('api', change), [{ name: 'api', action: 'reload', ok: true }]);
  const [{ spec }] = await client.describe('api');
  t.match(spec, { killTimeoutMs: 2000, instances: 1 });
  const [{ env }] = await client.env('api');
  t.match(env, { PORT: { value: String(settings.env.PORT) }, ADDED: { value: 'x' } });
  for (const wrong of [{ name: 'web' }, { instances: 'many' }, { nope: 1 }]) {
    const refused = client.reload('api', { settings: wrong });
    await t.rejects(refused, { code: /^E_(USAGE|FLAG_INVALID)$/ });
  }
  t.match(await client.stop('api'), [{ ok: true }]);
  t.match(await client.start('api'), [{ action: 'start', ok: true }]);
  const file = join(root, 'ecosystem.json');
  writeFileSync(file, JSON.stringify({ apps: [{ ...settings, killTimeout: '3s' }] }));
  const more = { settings: { instances: 2 } };
  t.match(await client.reload(file, more), [{ name: 'api', ok: true }]);
  const [{ spec: both }] = await client.describe('api');
  t.match(both, { instances: 2, killTimeoutMs: 3000 }, 'those of the file, and more');
  t.match(await client.start('api', { instances: 1 }), [{ ok: true }]);
  t.match(await client.list(), [{ instances: 1 }]);
  t.same(await client.reload([]), [], 'no targets are not the file of this directory');
  t.match(await client.delete(file), [{ ok: true }]);
  t.same(await client.list(), []);
});

/** Whose call has another name. */
const CALL_OF = {
  ...{ 'run-now': 'runNow', serve: 'start', attach: 'input' },
  ...{ ls: 'list', jlist: 'list', id: 'list', pid: 'list' },
};
/** Which commands are of the terminal only, and why. */
const OF_THE_TERMINAL = {
  run: 'is a process itself: daemon, primary and apps of a container',
  daemon: 'is a process itself',
  prove: 'kills the daemon that a program is connected to',
  monit: 'a screen, of records and events',
  web: 'a page, of records and events',
  audit: 'prints a file of lines of JSON',
  doctor: 'its lines are to be typed',
  report: 'a file for people, which needs no daemon',
  startup: 'installs a service, as root',
  unstartup: 'removes a service, as root',
  init: 'writes a file to edit',
  import: 'moves what PM2 runs, once',
  export: 'writes files for Kubernetes, without a daemon',
  completion: 'a script for the shell',
};

t.test('a program can do what the command line can', async (t) => {
  const { home } = testHome(t);
  const steps = [];
  const client = await connect({ home, onProgress: (step) => steps.push(step) });
  t.teardown(() => client.close());
  for (const { name } of commands) {
    const hasCall = typeof client[CALL_OF[name] ?? name] === 'function';
    t.equal(hasCall, !(name in OF_THE_TERMINAL), `${name}: a call, or a reason why not`);
  }

  await client.start(await settingsOf());
  t.match(steps, [{ kind: 'starting', app: 'api', slot: 0 }, { kind: 'online' }]);
  const since = new Date(0);
  const past = taking(client.events({ since, follow: false }));
  t.match(await past.next(), { value: { type: 'daemon.started' } });
  t.match(await past.next(), { value: { type: 'start.begun', app: 'api' } });
  t.match(await within(last(past), 'the end'), { done: true });
  t.match(await client.signal('api', 'cont'), [{ name: 'api', sent: [0], failed: [] }]);
  await t.rejects(client.signal('api', 'SIGNOPE'), { code: 'E_USAGE', exitCode: 2 });
  const { daemon } = client.version;
  const { before, after, apps } = await client.update({ apps: true });
  t.match(after, before, 'up to date');
  t.match(before, { pid: Number, version: daemon, node: process.version });
  t.same(apps, []);
});

t.test('what is refused', async (t) => {
  const { home, root } = testHome(t);
  const [missing, other] = [join(home, 'not', 'made'), join(root, 'other')];
  mkdirSync(other);
  for (const none of [home, missing, other]) {
    await t.rejects(connect({ home: none, start: false }), { code: 'E_DAEMON_NOT_RUNNING' });
  }
  t.notOk(existsSync(missing));
  t.same(readdirSync(other), [], 'a directory that is no home stays as it is');
  const client = await connect({ home });
  t.teardown(() => client.close());
  await t.rejects(client.stop('nobody'), { code: 'E_APP_UNKNOWN', exitCode: 4 });
  await t.rejects(client.start({ script: process.execPath, nmae: 'x' }), {
    message: 'The app has an error:\n  nmae: unknown key; did you mean name?',
  });
  await t.rejects(client.send('all', { cmd: 'NODE_X' }), { code: 'E_USAGE' });
  const ofNobody = taking(client.events({ selectors: 'nobody', follow: false }));
  t.match(await ofNobody.next(), { value: { type: 'daemon.started' } });
  t.match(await ofNobody.next(), { done: true }, 'it may be started later');
});

t.test('a program by its path, and what it writes', async (t) => {
  const { client, root } = await connected(t);
  const script = relative(process.cwd(), app('writes-on-demand.cjs'));
  const PORT = await freePort();
  const started = await client.start(script, { name: 'api', instances: 2, env: { PORT } });
  t.match(started, [{ name: 'api', ok: true, done: [0, 1] }]);
  t.match(await client.stop(script), [{ name: 'api' }], 'the path of its script is a target');
  t.match(await client.start('api'), [{ name: 'api', action: 'start' }]);
  const unknown = { code: 'E_NEITHER_FILE_NOR_APP', message: /has no file/ };
  for (const word of [`./${relative(process.cwd(), root)}/none.js`, 'nope.js'])
    await t.rejects(client.start(word), unknown);

  const logs = client.logs('api', { lines: 0, grep: /one|two/ });
  await client.list(); // waits until the files are open
  await ask(PORT, '/one');
  await ask(PORT, '/other');
  await ask(PORT, '/two');
  const lines = [];
  for await (const line of logs) {
    lines.push(line);
    if (lines.length === 2) break;
  }
  t.match(lines, [
    { app: 'api', worker: Number, stream: 'out', message: 'one', time: /^\d{4}-.*Z$/ },
    { message: 'two' },
  ]);
  t.ok(logs.destroyed);

  const past = [];
  for await (const { message } of client.logs(['api'], { follow: false })) past.push(message);
  const written = past.filter((message) => /^(one|other|two)$/.test(message));
  t.same(written.sort(), ['one', 'other', 'two']);
  await t.rejects(taking(client.logs('later', { follow: false })).next(), {
    code: 'E_APP_UNKNOWN',
  });
  const later = taking(client.logs('later'));
  const next = later.next();
  client.close();
  t.match(await within(next, 'the end of the logs'), { done: true });
  await t.rejects(client.list(), { code: 'E_PROTOCOL_CLOSED' });
});

t.test('what is known about an app', async (t) => {
  const { client } = await connected(t);
  const variables = { PORT: await freePort(), API_KEY: 'abcdef' };
  await client.start({ ...(await settingsOf(2)), env: variables });
  t.match(await client.ping(), { pid: Number, node: process.version, startedAt: Number });
  t.match(client.version, { client: /^\d/, daemon: /^\d/ });
  t.match(await client.describe('api'), [{ name: 'api', spec: { instances: 2, env: {} } }]);
  t.notMatch((await client.env(0))[0].env.API_KEY.value, 'abcdef');
  const [{ env }] = await client.env('api', { showSecrets: true });
  t.same(env.API_KEY, { value: 'abcdef', from: 'file' });
  t.match(await client.metrics(), /^nodecluster_app_[\s\S]*\n$/m);
  t.match(await client.stop(1), [{ ok: true, done: [1], after: { online: [0] } }]);
  t.match(await client.start([0, 1]), [{ ok: true, after: { online: [0, 1] } }]);
  t.match(await client.reset(0), [{ ok: true }]);
  t.match(await client.flush('api'), [{ ok: true }]);
});

t.test('a look into a worker, a canary, and a run', async (t) => {
  const { client, root } = await connected(t);
  await client.start({ ...(await settingsOf()), minUptime: 100 });
  t.match(await client.why('api'), [{ name: 'api', workers: [{ slot: 0, state: 'running' }] }]);
  const output = join(root, 'a.cpuprofile');
  const signal = AbortSignal.timeout(50);
  const saved = await client.profile('api:0', { cpu: '1h', output, signal });
  t.match(saved, { file: output, bytes: statSync(output).size, app: 'api', slot: 0 });
  t.ok(JSON.parse(readFileSync(output, 'utf8')).nodes.length > 0);
  await t.rejects(client.profile(0, { cpu: 50, output }), { code: 'E_FILE_EXISTS' });

  t.match(await client.reload('api', { canary: { for: '300ms' } }), [{ ok: true, done: [0] }]);
  const change = { settings: { env: { A: 'x' } }, canary: { for: 300 } };
  t.match(await client.reload('api', change), [{ ok: true, done: [0] }]);
  const report = { script: join(root, 'report.cjs'), name: 'report', schedule: '0 0 1 1 *' };
  writeFileSync(report.script, 'setTimeout(() => {}, 600_000)');
  await client.start(report);
  t.match(await client.runNow('report', { wait: false }), [{ ok: true, accepted: true }]);
  await t.rejects(client.runNow('report'), { code: 'E_JOB_RUNS' });
});

t.test('a connection that closes by itself, and the end of everything', async (t) => {
  const { home, startDaemon } = testHome(t);
  await startDaemon();
  const first = await connect({ home });
  await first.start(await settingsOf());
  await first[Symbol.asyncDispose]();
  await t.rejects(first.list(), { code: 'E_PROTOCOL_CLOSED' });
  const client = await connect({ home });
  const streams = [client.events(), client.logs()].map(taking);
  await client.list();
  const ends = Promise.all(streams.map((stream) => last(stream)));
  t.same(await client.kill(), ['api']);
  t.match(await within(ends, 'the ends'), [{ done: true }, { done: true }]);
  await t.rejects(connect({ home, start: false }), { code: 'E_DAEMON_NOT_RUNNING' });
  const next = await connect({ home });
  t.teardown(() => next.close());
  t.match(await next.resurrect(), [{ name: 'api', ok: true }]);
});

t.test('a home may be named from where the program runs', async (t) => {
  const { home, ok } = testHome(t);
  const client = await connect({ home: relative(process.cwd(), home) });
  t.teardown(() => client.close());
  const { daemon } = JSON.parse((await ok(['ls', '--json'])).stdout);
  t.match(daemon, { pid: Number }, 'it is that of the absolute path');
});

t.test('events of one app, until the loop is left', async (t) => {
  const { client } = await connected(t);
  await client.start(await settingsOf());
  await client.start({ ...(await settingsOf()), name: 'other' });
  const events = client.events({ selectors: ['other'] });
  await client.reload('all');
  for await (const event of events) {
    t.equal(event.app, 'other');
    if (event.type === 'reload.ended') break;
  }
  t.ok(events.destroyed);
});

t.test('who loses the daemon is told', async (t) => {
  const { home, ok } = testHome(t);
  const client = await connect({ home });
  const events = taking(client.events());
  await client.list();
  await ok(['kill']);
  await t.rejects(within(events.next(), 'the end'), { code: 'E_PROTOCOL_CLOSED' });
  await t.rejects(client.list(), { code: 'E_PROTOCOL_CLOSED' });
});

/** Calls of a client, and what is wrong with each. @type {[call: string, message: RegExp][]} */
const WRONG = [
  ['start()', /target of start\(\) .* got undefined/],
  ['start(null)', /got null/],
  ['stop()', /target of stop\(\) .* worker id .* got undefined/],
  ["stop('')", /got ''/],
  ['stop(-1)', /got -1/],
  ['stop([{}])', /got \[ \{\} \]/],
  ["scale('api')", /instances of scale\(\) .* got undefined/],
  ["scale('api', -1)", /'-1', but got -1/],
  ["scale('api', 1.5)", /whole number/],
  ["scale(['a', 'b'], 2)", /one app/],
  ["send('api')", /message of send\(\) .* got undefined/],
  ["send('api', () => {})", /that JSON can hold/],
  ["send('api', 1n)", /BigInt/],
  ['list(true)', /options of list\(\) to be an object/],
  ["reload('api', { paralel: 2 })", /no option "paralel". Did you mean "parallel"\?/],
  ["reload('api', { parallel: 0 })", /"parallel" of reload\(\) .* number from 1 up, but got 0/],
  ["restart('a.yml', { parallel: 2 })", /no option "parallel". Its options are "env"/],
  ["reload('api', { canary: 1 })", /"canary" of .* an object such as \{instances: 1, .* but got 1/],
  ...['for: "25h"', 'for: 0', 'max5xx: 2', 'maxP99: 0.5', 'instances: 0', 'minRequests: 1'].map(
    (canary) => [`reload('api', { canary: { ${canary} } })`, /"canary" of reload\(\)/],
  ),
  ["restart('api', { canary: {} })", /no option/],
  ["runNow('api', { wait: 1 })", /"wait" of/],
  ['why()', /target of why\(\)/],
  ["profile([], { cpu: '1s' })", /target of profile\(\) to be one app or worker/],
  ['profile(0, {})', /either \{cpu/],
  ['profile(0)', /options of profile\(\) to be an object/],
  ["profile(0, { cpu: '1s', heap: true })", /either \{cpu: "10s"\} or \{heap: true\}, but got/],
  ["profile(0, { cpu: '2h' })", /from 10ms to 1h/],
  ["profile(0, { cpu: '1s', signal: 'SIGINT' })", /an AbortSignal/],
  ["env('api', { secrets: true })", /has no option/],
];

/** These throw at once. @type {typeof WRONG} */
const WRONG_STREAMS = [
  ["events('api')", /options of events\(\)/],
  ['logs(null)', /target of logs\(\)/],
  ["logs('api', { lines: '3' })", /"lines" of logs\(\)/],
  ["logs('api', { since: new Date('x') })", /a valid Date/],
];

const made = (call, client) => new Function('client', `return client.${call}`)(client);

t.test('wrong arguments', async (t) => {
  const { home, startDaemon } = testHome(t);
  await startDaemon();
  const client = await connect({ home });
  t.teardown(() => client.close());
  for (const [call, message] of WRONG)
    await t.rejects(made(call, client), { name: 'TypeError', message }, call);
  for (const [call, message] of WRONG_STREAMS) {
    const wrong = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE', message };
    t.throws(() => made(call, client), wrong, call);
  }
  await t.rejects(client.start([]), { name: 'NodeclusterError', message: /list of apps/ });
  await t.rejects(connect({ hme: home }), { message: /no option "hme". Did you mean "home"\?/ });
  for (const call of ['reload', 'stop', 'start'])
    await t.rejects(client[call]('api', { only: ['api'] }), { code: 'E_OPTION_NEEDS_FILE' }, call);
  await t.rejects(client.reset('api', { only: ['api'] }), /no option "only"/);
  t.same(await client.stop([]), [], 'no targets are not a mistake');
});
