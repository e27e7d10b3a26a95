import t from 'tap';
import { nameHolder, PortHolders, explain } from '../../src/daemon/ports.js';
import { exit, said } from '../support/snapshot.js';

const fault = { kind: 'listen', errno: 'EADDRINUSE', port: 3000 };
const on = (...addresses) => addresses.map((address) => ({ address, protocol: null }));
const process = (pid, commandLine, group = pid) => ({ pid, group, commandLine });

/** @param workers the addresses of each, the first of which has the pid after that of the primary */
const appOf = (name, primaryPid, ...workers) => ({
  ...{ name, primaryPid },
  slots: workers.map((listening, slot) => ({ slot, pid: primaryPid + 1 + slot, listening })),
});
const api = appOf('api', 10, on('*:3000'), on('*:3000', '/run/api.sock'));
const npm = appOf('npm', 20, []);
const local = appOf('local', 30, on('[::1]:5000'));
/** They share a primary, and a daemon that has just begun has not heard of their workers. */
const shared = ['shop', 'mail', 'second'].map((name) => ({ name, primaryPid: 40, slots: [] }));
const sharing = process(40, 'nodecluster: 3 apps\0');
const apps = [api, npm, local, ...shared];

const at4000 = { port: 4000 };
const ofDaemon = process(5, 'nodecluster: daemon\0');
const ofNpm = process(20, 'nodecluster: npm\0');
const ofFive = process(80, 'nodecluster: 5 apps\0');
const ofRun = process(5, 'nodecluster: run\0');
const ofShop = process(70, 'nodecluster: shop\0\0\0');
const ofOthers = { processes: [], isOfOthers: true };
/** What asks for the port, which processes have it, who is named. */
const rows = [
  ['another app', {}, [], 'api'],
  ['another app, when one host is asked for', { address: '127.0.0.1' }, [], 'api'],
  ['an IPv6 host', { address: '::1', port: 5000 }, [], 'local'],
  ['another host of the same port', { address: '127.0.0.1', port: 5000 }, [], undefined],
  ['a unix socket', { address: '/run/api.sock', port: undefined }, [], 'api'],
  ['another worker of the same app', { app: 'api' }, [], 'api:0'],
  ['a child of an app in fork mode', { port: 4000 }, [process(99, 'node\0server.js\0', 21)], 'npm'],
  ['a primary that holds it while no worker listens', at4000, [ofDaemon, ofNpm], 'npm'],
  ['one of those that share a primary', at4000, [sharing], 'pid 40 (nodecluster: 3 apps)'],
  [
    'a primary of this home, whose apps are not found yet',
    at4000,
    [ofFive],
    'pid 80 (nodecluster: 5 apps)',
  ],
  ['an app of another home', at4000, [ofRun, ofShop], 'pid 70 (nodecluster: shop)'],
  ...[
    ['a foreign process', 'nginx: master process nginx\0', 'nginx'],
    ['a foreign Node program', '/bin/node\0/srv/server.js\0--key\0secret\0', 'node server.js'],
    ['one without a file', 'node\0--no-warnings\0-e\0listen("secret")\0', 'node'],
    ['one whose code is part of an option', 'node\0--eval=get("/secret")\0', 'node'],
    ['a long name', `nodecluster:${'x'.repeat(5000)}\0`, `nodecluster:${'x'.repeat(48)}`],
    ['one that is named like a primary', `nodecluster: ${'x'.repeat(5000)}\0`, 'nodecluster'],
  ].map(([name, commandLine, shown]) => {
    return [name, { port: 4000 }, [process(4711, commandLine)], `pid 4711 (${shown})`];
  }),
  ['a process of another user', { port: 4000 }, ofOthers, 'a process of another user'],
  ['unknown', { port: 4000 }, [], undefined],
];

for (const [name, { app = 'second', ...asked }, processes, expected] of rows) {
  const found = Array.isArray(processes) ? { processes, isOfOthers: false } : processes;
  const named = () => nameHolder({ ...fault, ...asked }, app, apps, () => found);
  t.equal(named(), expected, name);
}

t.test('a holder is remembered, and not looked up for a failure before this daemon', async (t) => {
  let program = 'nginx';
  t.intercept(performance, 'now', { value: () => 1 });
  const find = () => {
    const processes = program === null ? [] : [process(7, `${program}\0`)];
    return { processes, isOfOthers: false };
  };
  const holders = new PortHolders(() => [], find);
  const nowMs = Date.now();
  t.equal(holders.holderOf('api', fault, nowMs), 'pid 7 (nginx)');
  program = 'caddy';
  t.equal(holders.holderOf('api', fault, nowMs), 'pid 7 (nginx)', 'it was nginx then');
  t.equal(holders.holderOf('api', fault, nowMs + 5000), 'pid 7 (caddy)', 'a later failure');
  program = null;
  t.equal(holders.holderOf('api', fault, nowMs + 9000), 'pid 7 (caddy)', 'not found: it stays');
  t.equal(holders.holderOf('web', fault, performance.timeOrigin - 1), undefined);
});

t.test('an app that reports failure after failure does not occupy the daemon', async (t) => {
  let searches = 0;
  let nowMs = performance.now();
  t.intercept(performance, 'now', { value: () => nowMs });
  const find = () => {
    searches += 1;
    nowMs += 110;
    return { processes: [], isOfOthers: true };
  };
  const holders = new PortHolders(() => [], find);
  const nameNext = (app, port) => holders.holderOf(app, { ...fault, port });
  for (let port = 1; port <= 1000; port++) nameNext('liar', port);
  t.ok(searches < 20, `${searches} searches`);
  t.equal(nameNext('liar', 2000), undefined);
  t.equal(nameNext('api', 2000), 'a process of another user', 'others are not affected');
});

const holder = 'api';
const known = { ...fault, holder };
const old = { ...fault, at: 1 };
const slot = { reason: fault, lastExit: old };
for (const [what, reported, expected = reported] of [
  ['a failure', { reason: fault }, { reason: known }],
  ['the start after it', { after: fault }, { after: known }],
  ['in a list', { slots: [{ reason: fault }] }, { slots: [{ reason: known }] }],
  ['another failure', { reason: exit(1) }],
  ['the start after a hang', { after: said('hung') }],
  ['a failure before this daemon', { slots: [slot], old }],
  ['what a program sent', { data: fault }],
]) {
  const given = structuredClone(reported);
  const explained = explain(given, (_fault, atMs) => (atMs === 1 ? undefined : holder));
  t.strictSame(explained, expected, what);
}
