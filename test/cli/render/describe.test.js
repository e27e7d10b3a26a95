import t from 'tap';
import { commandLines, renderDescription } from '../../../src/cli/render/describe.js';
import { wrapText } from '../../../src/show/terminal/palette.js';

const plain = { width: null, colours: false };
const now = 1_700_000_000_000;
const worker = {
  id: 0,
  slot: 0,
  pid: 4000,
  status: 'online',
  cpu: 1,
  memory: 1024,
  startedAt: now - 5000,
  restarts: 1,
  generation: 2,
  listening: [{ address: '0.0.0.0:3000', protocol: 'http' }],
  lastExit: {
    signal: 'SIGKILL',
    reason: 'was killed by SIGKILL',
    uptimeMs: 61_000,
    at: now - 5000,
    lastLines: ['bye\u0007'],
  },
  earlierExits: [
    {
      signal: 'SIGABRT',
      reason: 'event loop blocked for 12s',
      uptimeMs: 20_000,
      at: now - 66_000,
      lastLines: [],
    },
    {
      code: 1,
      reason: 'exited with code 1',
      cause: 'no database (db.js:3)',
      uptimeMs: 400,
      at: now - 90_000,
      lastLines: [],
    },
  ],
};
const api = {
  name: 'api',
  namespace: 'default',
  status: 'online',
  mode: 'cluster',
  instances: 1,
  script: '/srv/app\u001b[2J.js',
  scheduling: 'round-robin',
  generation: 2,
  primaryPid: 3999,
  workers: [worker],
  node: '24.1.0',
  spec: {
    cwd: '/srv',
    args: ['--verbose'],
    instances: 1,
    execMode: 'cluster',
    killTimeoutMs: 10_000,
    maxMemoryRestartBytes: 512 * 1024 ** 2,
    hangTimeoutMs: null,
    nodeArgs: ['--inspect', 'a b'],
    interpreter: null,
    waitReady: false,
    configFile: '/srv/\u001b[2Jecosystem.yml',
    given: { killTimeoutMs: 'file', maxMemoryRestartBytes: 'file', nodeArgs: 'file' },
  },
  lastReload: { at: now - 60_000, ok: true, durationMs: 2400, generation: 2 },
  alarms: [],
  logs: { out: ['/h/logs/api-out.log'], error: ['/h/logs/api-error.log'] },
};

t.test('facts, workers, last deaths, settings by their names in a file', async (t) => {
  const text = renderDescription([api], plain, now);
  const parts = ['last reload', 'Workers', 'Recent exits', 'Program', 'Settings'];
  const places = parts.map((part) => text.search(new RegExp(`^ *${part}`, 'm')));
  t.ok(places[0] > 0);
  const inOrder = places.toSorted((one, other) => one - other);
  t.same(places, inOrder, 'what a sick app needs comes first');
  for (const line of [
    /^api {2}online$/m,
    /^ {2}script +\/srv\/app\\x1b\[2J\.js --verbose$/m,
    /^ {2}cwd +\/srv$/m,
    /^ {2}node +24\.1\.0$/m,
    /^ {2}mode +cluster, round-robin$/m,
    /^ {2}last reload +1m ago, took 2\.4s$/m,
    /^ {2}listens on +0\.0\.0\.0:3000$/m,
    /^ {2}stdout +\/h\/logs\/api-out\.log$/m,
    /^ {2}id +name/m,
    /^ {2}api:0 {2}5s ago with signal SIGKILL, after 1m 1s$/m,
    /^ {4}\| bye\\x07$/m,
    /^ {4}before that: 1m 6s ago with signal SIGABRT \(event loop blocked for 12s\), after 20s$/m,
    /^ {4}before that: 1m 30s ago with exit code 1, after 400ms: no database/m,
    /^Settings of \/srv\/\\x1b\[2Jecosystem\.yml$/m,
    /^ {2}kill_timeout +10s +file$/m,
    /^ {2}max_memory_restart +512M +file$/m,
    /^ {2}node_args +"--inspect" "a b" +file$/m,
    /^ {2}4 settings at the default: nodecluster describe api --json$/m,
  ]) {
    t.match(text, line);
  }
  t.notMatch(text, /interpreter|undefined|null|Measured|What to do/);
  t.notMatch(text, 'wait_ready');
});

t.test('an app without settings of its own', async (t) => {
  const own = { ...api.spec, given: {}, configFile: undefined };
  const text = renderDescription([{ ...api, spec: own }], plain, now);
  t.match(text, /^Settings\n {2}\d+ settings at/m);
});

t.test('what the workers measure', async (t) => {
  const vitals = {
    elu: 0.42,
    eventLoopDelayMs: { p50: 1.2, p99: 34 },
    heapUsed: 8 * 1024 ** 2,
    connections: 7,
    latencyMs: { p50: 3, p99: 80 },
    requests: { open: 1, answered: 512, errors: 3 },
  };
  const text = renderDescription([{ ...api, workers: [{ ...worker, ...vitals }] }], plain, now);
  t.match(text, / delay p50 +delay p99 /);
  t.match(text, /^ {2}api:0 +42% +1\.2ms +34ms +512 +1 +3 +3\.0ms +80ms +7 +8M$/m);
});

t.test('a number of workers that was scaled', async (t) => {
  const spec = { ...api.spec, instances: 4, given: { ...api.spec.given, instances: 'scaled' } };
  const scaled = renderDescription([{ ...api, instances: 4, spec }], plain, now);
  t.match(scaled, /^ {2}instances +4 +scaled$/m);
});

t.test('no line is wider than a terminal of 80 columns when it was wrapped', async (t) => {
  const text = wrapText(renderDescription([api], { width: 80, colours: false }, now), 80);
  for (const line of text.split('\n')) t.ok(line.length <= 80, line);
});

t.test('why a worker is not online is said in full', async (t) => {
  const reason = 'failed 13 times within 1m; the last time it exited with code 7';
  const workers = [{ ...worker, pid: undefined, status: 'errored', reason }];
  const text = renderDescription([{ ...api, workers }], plain, now);
  t.match(text, /errored: exit 7/);
  t.match(text, /^ {2}api:0 failed 13 times within 1m; the last time it exited with code 7$/m);
});

t.test('a cause that all workers share is said once', async (t) => {
  const reason = 'could not listen on port 3000: in use by nginx';
  const exit = { code: 1, reason, uptimeMs: 300, at: now - 4000, lastLines: ['EADDRINUSE'] };
  const failing = (slot) => ({
    ...worker,
    slot,
    pid: undefined,
    status: 'backoff',
    reason,
    lastExit: exit,
    earlierExits: [exit, { ...exit, reason: 'ran out of luck' }],
  });
  const app = { ...api, workers: [failing(0), failing(1)] };
  const text = renderDescription([app], plain, now);
  t.equal(text.split(reason).length - 1, 1, text);
  t.match(text, /^ {2}api:0, api:1 could not listen/m);
  t.match(text, /^ {2}api:1 {2}4s ago with exit code 1, after 300ms$/m);
  t.equal(text.split('(ran out of luck)').length - 1, 1);
  t.equal(text.split('| EADDRINUSE').length - 1, 1);
  t.match(text, /^ {4}\| the same as api:0$/m);
  const online = renderDescription([{ ...api, workers: [{ ...failing(0), ...on }] }], plain, now);
  const whole = `api:0  4s ago with exit code 1 (${reason}), after 300ms`;
  t.match(online, whole, 'nothing else says it');
});

t.test('variables of the file and of flags', async (t) => {
  const given = { 'env.PORT': 'file', 'env.LOG': 'flag', 'env.HOST': 'file', instances: 'flag' };
  const text = renderDescription([{ ...api, spec: { ...api.spec, given } }], plain, now);
  t.match(text, /^ {2}env +PORT, HOST +file$/m);
  t.match(text, /^ {2}env +LOG +flag$/m);
  t.notMatch(renderDescription([api], plain, now), /^ {2}env /m);
});

const on = { status: 'online', pid: 7, reason: undefined };
const named = (status) => ({ ...worker, status, lastExit: undefined });
const failing = { ...named('online'), requests: { answered: 40, errors: 40 }, degraded: 'errors' };
const MB = 1024 ** 2;
const growing = { ...named('online'), memoryGrowth: 9 * MB, degraded: 'memory', memory: 80 * MB };
const changeOf = (differences) => ({
  at: now - 16_000,
  action: 'reload',
  generation: 2,
  isApplied: true,
  omitted: 0,
  differences,
});
const url = { key: 'env.PAYMENTS_URL', from: 'http://pay:1/a b', to: 'http://pay:2' };
const commands = [
  [{ workers: [named('online')] }, []],
  [{ workers: [named('stopped')] }, []],
  [{ workers: [{ ...named('errored'), recentCrashes: 3 }] }, ['start']],
  [{ workers: [{ ...named('errored'), cause: 'no database' }] }, ['logs', 'start']],
  [{ workers: [{ ...named('backoff'), cause: 'no database' }] }, ['logs']],
  [
    { workers: [{ ...failing, slot: 2 }, named('online')], changes: [changeOf([url])] },
    ['logs api:2'],
  ],
  [{ workers: [failing] }, ['logs api']],
  [
    { workers: [failing, { ...failing, slot: 1 }], changes: [changeOf([url])] },
    ["reload api --set-env 'PAYMENTS_URL=http://pay:1/a b'", 'logs api'],
  ],
  [
    { workers: [failing], changes: [changeOf([{ key: 'env.NEW', from: null, to: '1' }])] },
    ['reload api --set-env NEW-', 'logs api'],
  ],
  [
    { workers: [failing], changes: [changeOf([url, { key: 'env.SECRET', from: '********' }])] },
    ['logs api'],
  ],
  [
    { workers: [failing], changes: [changeOf([{ key: 'kill_timeout', from: '4s', to: '5s' }])] },
    ['logs api'],
  ],
  [{ workers: [{ ...named('online'), recentCrashes: 3 }] }, ['logs api']],
  [{ workers: [growing] }, ['profile api:0 --heap']],
  [
    {
      workers: [growing, { ...growing, slot: 1, memory: 333 * MB }],
      spec: { hangTimeoutMs: null },
    },
    [...['profile api:0 --heap', 'reload api --max-memory-restart 700M']],
  ],
  [
    {
      workers: [
        { ...named('online'), requests: { open: 1, oldestSince: now - 9000 }, degraded: 'waits' },
      ],
    },
    ['why api'],
  ],
  [
    { workers: [named('online'), { ...named('unresponsive'), slot: 1 }] },
    [...['restart api:1', 'why api', 'reload api --hang-timeout']],
  ],
];

/** @returns commands with their reasons */
function commandsFor(change) {
  const [, , ...lines] = commandLines({ ...api, ...change }, plain, now);
  return lines.map((line) => line.replace(/^ {2}nodecluster /, '').split(/ {2,}/));
}

for (const [change, expected] of commands) {
  t.test(`what makes sense: ${expected.join(', ')}`, async (t) => {
    const found = commandsFor(change).map(([command]) => command);
    t.equal(found.length, expected.length);
    expected.forEach((start, index) => t.match(found[index], new RegExp(`^${start}`)));
  });
}

t.test('a failed reload says why, and what is left to a primary is not done', async (t) => {
  const reason = 'it used more memory than its max_memory_restart of 300M';
  const lastReplacement = { slot: 1, at: now - 7000, reason };
  const replaced = renderDescription([{ ...api, lastReplacement }], plain, now);
  t.match(replaced, /last replacement\s+:1 7s ago, because it used more memory than/);
  const left = renderDescription([{ ...api, leftWork: 'app.js:3 asks for it' }], plain, now);
  t.match(left, /not done\s+app\.js:3 asks for it/);
  const lastReload = { ...api.lastReload, ok: false, reason: 'exit code 1' };
  t.match(renderDescription([{ ...api, lastReload }], plain, now), /failed 1m ago: exit code 1/);
});

t.test('an app of which little is known is shown all the same', async (t) => {
  const nothing = { node: null, lastReload: null, slots: [], workers: [] };
  const silent = { ...api, status: 'unknown', ...nothing };
  t.match(renderDescription([silent], plain, now), /^api {2}unknown$/m);
});
