import t from 'tap';
import { fileURLToPath } from 'node:url';
import { commandLines, renderDescription } from '../../../src/cli/render/describe.js';
import { exit, inUse, killedBy, said } from '../../support/snapshot.js';

const plain = { width: null, colours: false };
const now = 1_700_000_000_000;
const ended = (agoMs, uptimeMs, reason) => ({ at: now - agoMs, uptimeMs, reason, lastLines: [] });
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
    ...{ ...ended(5000, 61_000, killedBy('SIGKILL')), signal: 'SIGKILL' },
    lastLines: ['bye\u0007'],
  },
  earlierExits: [
    { ...ended(66_000, 20_000, { kind: 'hang', ms: 12_000 }), signal: 'SIGABRT' },
    { ...ended(90_000, 400, exit(1)), code: 1, cause: 'no database (db.js:3)' },
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

const url = { key: 'env.PAYMENTS_URL', from: 'http://pay:1/a b', to: 'http://pay:2' };
/** Workers, since this change. */
const since = (workers, ...differences) => {
  const change = { at: now - 16_000, action: 'reload', generation: 2, isApplied: true };
  return { workers, changes: [{ ...change, omitted: 0, differences }] };
};

const described = (more = {}) => renderDescription([{ ...api, ...more }], plain, now);

t.test('facts, workers, last deaths, settings by their names in a file', async (t) => {
  const text = described(since([worker]));
  const parts = ['last change', 'Recent exits', 'Workers', 'Program', 'Settings'];
  const places = parts.map((part) => text.search(new RegExp(`^ *${part}`, 'm')));
  t.ok(places[0] > 0);
  const inOrder = places.toSorted((one, other) => one - other);
  t.same(places, inOrder, 'what a sick app needs comes first');
  for (const line of [
    /^api {2}online$/m,
    /^ {2}script +\/srv\/app\\x1b\[2J\.js --verbose$/m,
    /^ {2}node +24\.1\.0$/m,
    /^ {2}mode +cluster$/m,
    /^ {2}last change +16s ago: reload, took 2\.4s$/m,
    /^ {2}listens on +0\.0\.0\.0:3000$/m,
    /^ {2}stdout +\/h\/logs\/api-out\.log$/m,
    /^ {2}api:0 {2}5s ago with signal SIGKILL, not by nodecluster, after 1m 1s$/m,
    /^ {4}before that: 1m 6s ago with signal SIGABRT \(event loop blocked for 12s\), after 20s$/m,
    /^ {4}before that: 1m 30s ago with exit code 1, after 400ms: no database/m,
    /^Settings of \/srv\/\\x1b\[2Jecosystem\.yml$/m,
    /^ {2}kill_timeout +10s$/m,
    /^ {2}max_memory_restart +512M$/m,
    /^ {2}node_args +"--inspect" "a b"$/m,
  ]) {
    t.match(text, line);
  }
  t.notMatch(text, /interpreter|undefined|null|What to do|wait_ready|bye/);
});

t.test('settings: none, and a number that was scaled', async (t) => {
  const textOf = (given, more) => described({ spec: { ...api.spec, given, ...more } });
  t.notMatch(textOf({}, { configFile: undefined }), /Settings/);
  t.match(textOf({ instances: 'scaled' }, { instances: 4 }), / instances +4 {2}set by a command$/m);
});

t.test('what the workers measure', async (t) => {
  const vitals = {
    elu: 0.42,
    eventLoopDelayMs: { p50: 1.2, p99: 34 },
    heapUsed: 8 * 1024 ** 2,
    connections: 7,
    requestsPerSecond: 8,
    latencyMs: { p50: 3, p99: 80 },
    requests: { open: 1, answered: 512, errors: 3 },
  };
  const text = described({ workers: [{ ...worker, ...vitals, startedAt: now - 60_000 }] });
  t.match(text, / 42% +34ms +512 +1 +3 +3\.0ms +80ms +7 +8M /);
  const younger = described({ workers: [{ ...worker, ...vitals }] });
  t.match(younger, / 6144 +1 +3 /, 'a minute, also 5 s after a reload');
});

t.test('what workers wrote alike is said once', async (t) => {
  const { reason, text: words } = inUse({ holder: 'nginx' });
  const last = { code: 1, reason, uptimeMs: 300, at: now - 4000, lastLines: ['EADDRINUSE'] };
  const exits = { lastExit: last, earlierExits: [last] };
  const away = { ...worker, pid: undefined, status: 'backoff', reason, ...exits };
  const failing = (slot) => ({ ...away, slot });
  const text = described({ workers: [failing(0), failing(1)] });
  const alike = `4s ago with exit code 1 (${words}), after 300ms; 3 more since 4s ago`;
  t.match(text, `  api:0, api:1  ${alike}\n    | EADDRINUSE\n\n`);
  t.notMatch(text, 'nodecluster logs', 'which has the same');
});

const MB = 1024 ** 2;
const online = { ...worker, lastExit: undefined };
const answers = { ...online, startedAt: now - 60_000, requests: { answered: 40, errors: 0 } };
const trouble = { degraded: 'errors', troubleSince: now - 9000 };
const failing = { ...answers, requests: { answered: 40, errors: 40 }, ...trouble };
const growing = { ...online, memoryGrowth: 9 * MB, degraded: 'memory', memory: 80 * MB };

t.test('what to do now: also what undoes a change, as far as its values are known', async (t) => {
  const undone = "reload api --set-env 'PAYMENTS_URL=http://pay:1/a b'";
  for (const [change, expected] of [
    [{ workers: [online] }, []],
    [since([{ ...failing, slot: 2 }, online], url), [undone, 'logs api']],
    [since([{ ...failing, slot: 2 }, answers], url), ['restart api:2', 'logs api:2']],
    [{ workers: [{ ...failing, slot: 2, startedAt: now }, answers] }, ['logs api:2']],
    [{ workers: [{ ...failing, lastError: 'ENOSPC: no space left' }] }, ['df -h', 'logs api']],
    [since([failing], { key: 'env.NEW', to: '1' }), ['reload api --set-env NEW-', 'logs api']],
    [since([failing], url, { key: 'env.SECRET', from: '********' }), ['logs api']],
    [since([failing], { key: 'kill_timeout', from: '4s', to: '5s' }), ['logs api']],
    [{ workers: [growing] }, ['profile api:0 --heap']],
  ]) {
    const [, , ...lines] = commandLines({ ...api, ...change }, plain, now);
    const found = lines.map((line) => line.replace(/^ {2}(nodecluster )?/, '').split(/ {2,}/)[0]);
    t.equal(found.length, expected.length, String(found));
    expected.forEach((start, index) => t.ok(found[index].startsWith(start), found[index]));
  }
});

t.test('a failed reload says why', async (t) => {
  const reason = { kind: 'limit', setting: 'max_memory_restart', value: 300 * MB };
  const lastReplacement = { slot: 1, at: now - 7000, reason };
  const replaced = described({ lastReplacement });
  t.match(replaced, /last replacement\s+:1 7s ago, because it used more memory than/);
  const own = described({ script: fileURLToPath(import.meta.url) });
  t.match(own, /version on disk\s+\d/, 'also if that is newer than what runs');
  const lastReload = { ...api.lastReload, ok: false, reason: said('exit code 1') };
  const failed = described({ ...since([worker]), lastReload });
  t.match(failed, /last change +16s ago: reload, failed: exit code 1$/m);
});

t.test('an app of which little is known is shown all the same', async (t) => {
  const nothing = { node: null, lastReload: null, slots: [], workers: [] };
  t.match(described({ status: 'unknown', ...nothing }), /^api {2}unknown$/m);
});
