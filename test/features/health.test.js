import { once } from 'node:events';
import { createServer } from 'node:net';
import t from 'tap';
import * as decide from '../../src/features/health/decide.js';
import { runCheck } from '../../src/features/health/primary-check.js';
import { health } from '../../src/features/health/show.js';
import { listening } from '../support/listening.js';

const rule = { intervalMs: 10_000, failures: 3, startPeriodMs: 30_000 };
const DOWN = 'GET /health: 503';

/**
 * The health after checks that begin one second after each other, at this uptime.
 * @param checks `+` for a success, `-` for a failure
 */
function healthAfter(checks, uptimeMs = 60_000) {
  return [...checks].reduce((health, check, index) => {
    const failure = check === '+' ? null : DOWN;
    return decide.afterCheck(health, { failure, nowMs: index * 1000, uptimeMs }, rule);
  }, decide.NEW_HEALTH);
}

const rows = [
  ['a new worker is starting', '', { status: 'starting', reason: null }],
  ['not within start_period', '-----', { status: 'starting', failures: 0 }, 29_999],
  ['their reason is known', '-', { reason: DOWN, failingSinceMs: 0 }, 0],
  ['the first success ends it', '--+', { status: 'healthy', reason: null, failures: 0 }, 0],
  ['even within start_period', '+---', { status: 'unhealthy', failures: 3 }, 0],
  ['failures after start_period count', '---', { status: 'unhealthy', failures: 3 }],
  ['too few leave it healthy', '+--', { status: 'healthy', failures: 2, reason: DOWN }],
  ['a success resets it', '+--+--', { status: 'healthy', failures: 2, failingSinceMs: 4000 }],
  ['enough in a row', '+---', { status: 'unhealthy', failures: 3, failingSinceMs: 1000 }],
  ['one success makes it healthy', '+----+', { status: 'healthy', succeededMs: 5000 }],
];

t.test('the health of a worker, which is checked often until its first success', async (t) => {
  for (const [name, checks, expected, uptimeMs] of rows)
    t.match(healthAfter(checks, uptimeMs), expected, name);
  t.equal(decide.nextCheckMs(decide.NEW_HEALTH, rule), 1000);
  t.equal(decide.nextCheckMs(decide.NEW_HEALTH, { ...rule, intervalMs: 200 }), 200);
  t.equal(decide.nextCheckMs(healthAfter('---'), rule), 1000);
  t.equal(decide.nextCheckMs(healthAfter('+'), rule), 10_000);
  t.equal(decide.nextCheckMs(healthAfter('+---'), rule), 10_000);
});

/** The fourth: whether it fails everywhere; the fifth: slots. */
const apps = [
  ['all healthy', ['+++++', '+++++'], []],
  ['one of two', ['+----', '+++++'], [0]],
  ['two of four', ['+----', '+++++', '+----', '++++-'], [0, 2]],
  ['the others have not been checked since', ['+----', '+'], []],
  ['the others fail too, but not often enough yet', ['+----', '+--'], []],
  ['the others are new', ['+----', ''], [], true],
  ['the others have recovered, this one may have too', ['+---', '+---+'], []],
  ['the others have recovered, this one has not', ['+----', '+--+'], [0]],
  ['every one', ['+----', '+----'], [], true],
  ['every one, also a new one', ['+----', '---'], [], true],
  ['the only one', ['+----'], [0]],
  ['the only one, before its first success', ['----'], []],
  ['one that has never passed', ['-----', '+++++'], [0]],
  ['none runs', [], []],
  ['the only one that runs now, of two', ['+----'], [], true, 2],
];

t.test('which are replaced; what is due stays so while another one is healthy', async (t) => {
  for (const [name, checks, due, isEverywhere = false, count = checks.length] of apps) {
    const workers = checks.map((each, slot) => ({ slot, health: healthAfter(each), isDue: false }));
    const replaced = decide.judgeHealth(workers, count).map(({ slot }) => slot);
    const all = workers.map(({ health }) => health);
    t.same([replaced, decide.failsEverywhere(all, count)], [due, isEverywhere], name);
  }
  const sick = { slot: 0, health: healthAfter('+---'), isDue: true };
  const other = (checks) => ({ slot: 1, health: healthAfter(checks), isDue: false });
  t.same(decide.judgeHealth([sick, other('+++++')], 2), [sick]);
  t.same(decide.judgeHealth([sick, other('++++-')], 2), []);
});

const endless = (socket, text) => {
  const more = () => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on('drain', more);
  more();
};

const LATE = 'GET /: no response within 2 s';
const REDIRECT = 'HTTP/1.1 302 F\r\nLocation: /\r\n\r\n';
const UPGRADE = 'HTTP/1.1 101 S\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';
const FAILED = 'HTTP/1.1 500 X\r\n';
const BODY = `${FAILED}\r\n${'x'.repeat(9e3)}`;
const HEADERS = `HTTP/1.1 200 O\r\n${'A: b\r\n'.repeat(5000)}`;
const CHUNKS = `${FAILED}Transfer-Encoding: chunked\r\n\r\nno\r\n`;

const answers = [
  ['a redirect, which is not followed', (s) => s.write(REDIRECT), null],
  ['another protocol', (s) => s.write(UPGRADE), LATE],
  ['no HTTP', (s) => s.write('\0\xff\r\n\r\n'), /^GET \/: Parse Error/],
  ['nothing', () => {}, LATE],
  ['the end', (s) => s.end(), 'GET /: socket hang up'],
  ['one 100 after the other', (s) => endless(s, 'HTTP/1.1 100 C\r\n\r\n'), LATE],
  ['headers without end', (s) => endless(s, HEADERS), /^GET \/: Parse Error/],
  ['a body without end', (s) => endless(s, BODY), /^GET \/: 500 x{90}/],
  ['chunks that are none', (s) => s.write(CHUNKS), 'GET /: 500'],
];

for (const [name, answer, expected] of answers) {
  t.test(`a program in fork mode answers: ${name}`, async (t) => {
    const server = createServer((socket) => {
      socket.on('error', () => {}).once('data', () => answer(socket));
    });
    const address = `127.0.0.1:${await listening(t, server)}`;
    const worker = { agent: null, listening: new Map([[address, { address, protocol: 'http' }]]) };
    const rule = { http: '/', exec: null, timeoutMs: 2000 };
    t.match(await runCheck(worker, rule), expected);
    // Its connection is closed too.
    server.close();
    await once(server, 'close');
  });
}

const NOW = 1_700_000_000_000;
const fine = { slot: 0, health: { status: 'healthy' } };
const failing = { slot: 1, health: { reason: 'HTTP 500', failingSince: NOW - 12_000 } };

const shownApps = [
  ['no checks', [{ slot: 0 }], []],
  ['all succeed', [fine, { slot: 1 }], [['health', 'every check succeeds']]],
  ['one fails', [fine, failing], [['health', 'api:1 fails for 12s (HTTP 500)', 'bad']]],
];
for (const [name, workers, expected] of shownApps) {
  t.same(health.facts({ name: 'api', workers }, NOW), expected, name);
}
