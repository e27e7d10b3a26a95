import t from 'tap';
import { EventEmitter } from 'node:events';
import { peersOf } from '../../src/features/why/agent.cjs';
import { explain, fineLines } from '../../src/features/why/command-why.js';
import { openSession } from '../../src/features/why/inspector/stack.js';
import { InspectorLines } from '../../src/features/why/primary-inspector.js';
import { refusalOf, checkPeers, why as inPrimary } from '../../src/features/why/primary.js';
import { why } from '../../src/features/why/show.js';
import { within } from '../../src/shared/deadline.js';
import { plain } from '../../src/show/paint.js';
import { exited, killedBy } from '../support/snapshot.js';

const at = new Date(2023, 10, 14, 22, 13, 20).getTime();
const frames = [
  { name: 'readSync', file: 'node:fs', line: 748, column: 3, origin: 'node' },
  { name: 'hash\u001b[2J', file: '/srv/hash.js', line: 10, column: 5, origin: 'program' },
  { name: '', file: '/srv/server.js', line: 20, column: 3, origin: 'program' },
];
t.test('describe', async (t) => {
  const stack = { state: 'blocked', frames, note: null, at };
  const app = { name: 'api', workers: [{ slot: 0, stack: null }, { slot: 1, stack }, { slot: 2 }] };
  t.matchSnapshot(why.workerLines(app, plain, at + 4000).join('\n'));
  t.same(why.workerLines({ name: 'api', workers: [{ slot: 0 }] }, plain, at), []);
});

const NOW = 1_700_000_000_000;
const terminal = { width: 200, colours: false };
const slotOf = (slot, more) => ({ id: slot, slot, status: 'online', listening: [], ...more });
const appOf = (name, ...workers) => ({ name, status: 'online', mode: 'cluster', workers });
const told = (apps, found) => explain([apps].flat(), { terminal, now: NOW, ...found });
const errored = { status: 'errored', ...exited(1), cause: 'no database', exitedAt: NOW - 12_000 };
const hung = { status: 'blocked', blockedSince: NOW - 34_000, pid: 4000 };
const found = (state, more) => [
  { name: 'api', workers: [{ id: 0, slot: 0, state, frames: [], note: null, at: NOW, ...more }] },
];
const asked = { open: 1, answered: 9, errors: 0, oldestSince: NOW - 12_000 };
const waits = { degraded: 'waits', requests: asked };

t.test('what is wrong, its evidence and one command, in one form', async (t) => {
  t.same(told(appOf('api', slotOf(0))), []);
  const both = appOf('api', slotOf(0, errored), slotOf(1, { ...errored, exitedAt: NOW - 9000 }));
  t.same(told(both), [
    'api  2 workers errored: no database  nodecluster start api  (once it is fixed)',
  ]);
  const one = appOf('api', slotOf(0, hung), slotOf(1));
  t.same(told(one, { stacks: found('blocked', { frames }) }), [
    'api:0  blocked 34s in hash\\x1b[2J (hash.js:10:5)',
    '    at hash\\x1b[2J (/srv/hash.js:10:5)',
    '    at /srv/server.js:20:3',
    '  nodecluster restart api:0',
  ]);
  const waiting = appOf('api', slotOf(0, waits));
  t.same(told(waiting, { stacks: found('running', { peers: ['db:5432'] }) }), [
    'api  degraded, oldest request 12s',
    '    connected to db:5432 ×1',
    '  nodecluster restart api  (if no server is to blame)',
  ]);
  t.match(told(waiting, { stacks: found('running', { peers: [] }) })[1], 'connected to no server');
  const crash = { at: NOW - 5000, reason: killedBy('SIGKILL') };
  const killed = 'api  killed by SIGKILL 5s ago, not by nodecluster; pid 4001 serves';
  t.same(told(appOf('api', slotOf(0, { crash, pid: 4001 }))), [killed]);
  t.same(told(appOf('api', slotOf(0, { crash, status: 'spare' }), slotOf(1))), [], 'it is served');
  const bad = { degraded: 'errors', requests: { open: 0, answered: 5, errors: 5 } };
  t.match(told(appOf('api', slotOf(0, bad), slotOf(1, bad)))[0], '2 workers failing, 5xx 10/10');
  const again = { ...errored, status: 'backoff', pid: 4001 };
  const later = { ...again, pid: undefined, retryAt: NOW + 2000 };
  const loop = appOf('api', slotOf(0, later), slotOf(1, again));
  t.same(told(loop), ['api  2 workers backoff: no database  nodecluster logs api']);
  t.notMatch(told(appOf('api', slotOf(0, { crash, ...waits, troubleSince: NOW })))[0], 'SIGKILL');
  const dead = slotOf(0, { crash, status: 'backoff', pid: undefined, reason: crash.reason });
  t.match(told(appOf('api', dead)), ['api  backoff: killed by SIGKILL 5s ago, not by nodecluster']);
});

t.test('a worker is as it was found last', async (t) => {
  const api = appOf('api', slotOf(0, hung));
  t.same(told(api, { stacks: found('running') }), [], 'its event loop turns again');
  const note = 'handles SIGUSR1 itself';
  const stacks = found('unknown', { note });
  t.match(told(api, { stacks }), [`api  blocked 34s: it ${note}  nodecluster restart api`]);
  t.same(told(appOf('api', slotOf(0)), { stacks }), [], 'of one that serves it says nothing');
  const [line] = told(appOf('api', slotOf(0)), { stacks: found('blocked', { frames }) });
  t.match(line, /^api {2}blocked 1s in hash/);
});

t.test('no problem has what runs', async (t) => {
  const job = { ...appOf('job', slotOf(0, { status: 'exited' })), status: 'exited' };
  const young = appOf('new', slotOf(0, { startedAt: NOW - 59_000 }));
  const apps = [appOf('api', slotOf(0)), job, appOf('web', slotOf(0)), young];
  const lines = ['api, web: no problem', 'job: exited', 'new: no problem in its first minute'];
  t.same(fineLines(apps, NOW), lines);
});

const blocked = {
  isStopping: false,
  program: null,
  isResponsive: false,
  isConnected: true,
  ownsSignal: false,
  hasOwnInspector: false,
};

const refusalRows = [
  ['blocked', {}, null],
  ['another program', { program: 'python3' }, /python3/],
  ['a handler of its own', { ownsSignal: true }, /SIGUSR1/],
  ['a handler of its own, but its agent replies', { ownsSignal: true, isResponsive: true }, null],
  ['with --inspect', { hasOwnInspector: true }, /options for the inspector/],
  ['with --inspect, but its agent replies', { hasOwnInspector: true, isResponsive: true }, null],
  ['being stopped', { isStopping: true, isConnected: false }, /^is being stopped$/],
  ['without a channel', { isConnected: false }, /closed the channel/],
];

t.test('of whom it cannot be asked', async (t) => {
  for (const [name, facts, expected] of refusalRows)
    t.match(refusalOf({ ...blocked, ...facts }) ?? 'may be', expected ?? /^may be$/, name);
});

class Blocked extends EventEmitter {
  slot = 0;
  isRunning = true;
  pulse = { blockedSinceMs: null };
  launch = { spec: { execMode: 'cluster', nodeArgs: [] }, env: {} };
  child = Object.assign(new EventEmitter(), { connected: true, send() {} });
  constructor(status) {
    super();
    this.status = status;
  }

  get pid() {
    throw new Error('it is looked into');
  }
}

t.test('a worker that may not be looked into leaves the look to the next one', async (t) => {
  const pool = new EventEmitter();
  let latest;
  inPrimary({ pool }, '', (run) => (worker) => (latest = run(worker)));
  const block = (status) => {
    const blocked = new Blocked(status);
    pool.emit('worker', blocked);
    blocked.emit('blocked');
    return latest;
  };
  await block('stopping');
  await t.rejects(block('online'), { message: 'it is looked into' });
  await t.resolves(block('online'), 'no more than once in a minute');
});

t.test('by host and port, the most frequent first', async (t) => {
  const payments = { remoteAddress: '10.0.0.7', remotePort: 443, _host: 'payments' };
  const database = { remoteAddress: '10.0.0.8', remotePort: 5432 };
  const client = { remoteAddress: '10.0.0.9', remotePort: 40_000, server: {} };
  const pipe = {};
  const peers = peersOf([payments, client, pipe, database, database], []);
  t.same(peers, ['10.0.0.8:5432 ×2', 'payments:443']);
  const connecting = peersOf([], [{ address: '10.0.0.7', port: 80 }, { hostname: 'x' }]);
  t.same(connecting, ['10.0.0.7:80 (connecting)']);
  const many = Array.from({ length: 99 }, (_, port) => ({ remoteAddress: 'a', remotePort: port }));
  t.equal(peersOf(many, []).length, 10);
});

t.test('nothing is trusted', async (t) => {
  for (const peers of [undefined, null, 'a', [], [1, {}]]) t.same(checkPeers(peers), []);
  t.same(checkPeers(['a:1', 'b:2 ×3', 4]), ['a:1', 'b:2 ×3']);
  t.ok(checkPeers(Array(1e4).fill('a'.repeat(1e4))).join().length < 4000);
});

const URL = 'ws://127.0.0.1:36839/eefee39f-e898-421e-867d-b07205320063';
const OPENED = `Debugger listening on ${URL}\nFor help, see: https://nodejs.org/en/docs/inspector\n`;

const passed = (lines, chunks) =>
  chunks.map((chunk) => lines.filter(Buffer.from(chunk)).toString()).join('');

t.test('an inspector that is closed already is not waited for', async (t) => {
  class Closed extends EventTarget {
    static CLOSED = 3;
    readyState = 3;
    set onopen(opened) {
      opened();
    }
  }
  t.intercept(globalThis, 'WebSocket', { value: Closed });
  const session = await openSession('ws://localhost');
  const closed = session.closeInspector().then(() => 'closed');
  t.equal(await within(closed, 1000), 'closed');
});

t.test('what Node writes about its inspector is removed, and its address reported', async (t) => {
  const lines = new InspectorLines();
  const urls = [];
  lines.onOpen = (url) => urls.push(url);
  lines.expect();
  const text = `one\nhalf a line${OPENED} and its end\nDebugger attached.\nDebugger ending on ${URL}\ntwo €\n`;
  t.equal(passed(lines, [text]), 'one\nhalf a line and its end\ntwo €\n');
  t.same(urls, [URL]);
  for (const at of [20, 30, 60, 100, 130]) {
    const split = new InspectorLines();
    split.expect();
    split.onOpen = (url) => t.equal(url, URL);
    t.equal(passed(split, [`x\n${OPENED}y\n`.slice(0, at), `x\n${OPENED}y\n`.slice(at)]), 'x\ny\n');
  }
});

t.test('the same lines of a program pass while none is expected', async (t) => {
  const lines = new InspectorLines();
  t.equal(passed(lines, [OPENED]), OPENED);
  const chunk = Buffer.from('as it is');
  t.equal(lines.filter(chunk), chunk);
});
