/** Who has a port that an app could not get. */
import t from 'tap';
import { nameHolder, PortHolders, explainFailure } from '../../src/daemon/ports.js';

// Who is named as the one that listens on a port.

const fault = { code: 'EADDRINUSE', address: null, port: 3000 };
const nothing = { processes: [], isOfOthers: false };
const on = (...addresses) => addresses.map((address) => ({ address, protocol: null }));
const process = (pid, commandLine, group = pid) => ({ pid, group, commandLine });

const api = {
  name: 'api',
  primaryPid: 10,
  addresses: [],
  slots: [
    { slot: 0, pid: 11, listening: on('*:3000') },
    { slot: 1, pid: 12, listening: on('*:3000', '/run/api.sock') },
  ],
};
const npm = {
  name: 'npm',
  primaryPid: 20,
  addresses: [],
  slots: [{ slot: 0, pid: 21, listening: [] }],
};
const local = {
  name: 'local',
  primaryPid: 30,
  addresses: [],
  slots: [{ slot: 0, pid: 31, listening: on('[::1]:5000') }],
};
/** They share a primary, and a daemon that has just begun has not heard of their workers. */
const shared = Object.entries({
  shop: ['*:6000', '*:6001'],
  mail: ['*:6001', '*:6002'],
  second: ['*:6000', '*:6003'],
}).map(([name, addresses]) => ({ name, primaryPid: 40, slots: [], addresses }));
const apps = [api, npm, local, ...shared];

const rows = {
  'another app': { expected: 'api' },
  'another app, when one host is asked for': {
    fault: { ...fault, address: '127.0.0.1' },
    expected: 'api',
  },
  'an IPv6 host': { fault: { ...fault, address: '::1', port: 5000 }, expected: 'local' },
  'another host of the same port': {
    fault: { ...fault, address: '127.0.0.1', port: 5000 },
    expected: undefined,
  },
  'a unix socket': {
    fault: { ...fault, address: '/run/api.sock', port: null },
    expected: 'api',
  },
  'another worker of the same app': { app: 'api', expected: 'api:0' },
  'a child of an app in fork mode': {
    fault: { ...fault, port: 4000 },
    found: { processes: [process(99, 'node\0server.js\0', 21)], isOfOthers: false },
    expected: 'npm',
  },
  'a primary that holds the socket while no worker listens': {
    fault: { ...fault, port: 4000 },
    found: {
      processes: [process(5, 'nodecluster: daemon\0'), process(20, 'nodecluster: npm\0')],
      isOfOthers: false,
    },
    expected: 'npm',
  },
  'one of those that share a primary, which listened there before': {
    fault: { ...fault, port: 6000 },
    found: { processes: [process(40, 'nodecluster: 3 apps\0')], isOfOthers: false },
    expected: 'shop',
  },
  'two of those that share a primary': {
    fault: { ...fault, port: 6001 },
    found: { processes: [process(40, 'nodecluster: 3 apps\0')], isOfOthers: false },
    expected: undefined,
  },
  'none of those that share a primary but the one that fails': {
    fault: { ...fault, port: 6003 },
    found: { processes: [process(40, 'nodecluster: 3 apps\0')], isOfOthers: false },
    expected: undefined,
  },
  'an app of another home': {
    fault: { ...fault, port: 4000 },
    found: {
      processes: [process(5, 'nodecluster: run\0'), process(70, 'nodecluster: shop\0\0\0')],
      isOfOthers: false,
    },
    expected: 'shop of another home directory (pid 70)',
  },
  'a foreign process': {
    fault: { ...fault, port: 4000 },
    found: { processes: [process(4711, 'nginx: master process nginx\0')], isOfOthers: false },
    expected: 'pid 4711 (nginx)',
  },
  'a foreign Node program': {
    fault: { ...fault, port: 4000 },
    found: {
      processes: [process(4711, '/usr/bin/node\0--inspect\0-r\0/x.cjs\0/srv/server.js\0')],
      isOfOthers: false,
    },
    expected: 'pid 4711 (node server.js)',
  },
  'a foreign Node program without a file': {
    fault: { ...fault, port: 4000 },
    found: {
      processes: [process(4711, 'node\0--no-warnings\0-e\0listen("secret")\0')],
      isOfOthers: false,
    },
    expected: 'pid 4711 (node -e)',
  },
  'a foreign Node program whose code is part of an option': {
    fault: { ...fault, port: 4000 },
    found: { processes: [process(4711, 'node\0--eval=get("/secret")\0')], isOfOthers: false },
    expected: 'pid 4711 (node --eval)',
  },
  'a foreign process with a long name': {
    fault: { ...fault, port: 4000 },
    found: { processes: [process(4711, `nodecluster:${'x'.repeat(5000)}\0`)], isOfOthers: false },
    expected: `pid 4711 (nodecluster:${'x'.repeat(48)})`,
  },
  'a foreign process that calls itself like a primary': {
    fault: { ...fault, port: 4000 },
    found: {
      processes: [process(4711, `nodecluster: ${'x'.repeat(5000)}\0`)],
      isOfOthers: false,
    },
    expected: 'pid 4711 (nodecluster)',
  },
  'a process of another user': {
    fault: { ...fault, port: 4000 },
    found: { processes: [], isOfOthers: true },
    expected: 'a process of another user',
  },
  unknown: { fault: { ...fault, port: 4000 }, expected: undefined },
};

for (const [
  name,
  { fault: own = fault, app = 'second', found = nothing, expected },
] of Object.entries(rows)) {
  t.test(name, async (t) =>
    t.equal(
      nameHolder(own, app, apps, () => found),
      expected,
    ),
  );
}

// Who had a port is what was found at that time, and never guessed later.

t.test('a holder is remembered, and not looked up for a failure before this daemon', async (t) => {
  let program = 'nginx';
  const find = () => ({
    processes: program === null ? [] : [{ pid: 7, group: 7, commandLine: `${program}\0` }],
    isOfOthers: false,
  });
  const holders = new PortHolders(() => [], find);
  const nowMs = Date.now();
  t.equal(holders.holderOf('api', fault, nowMs), 'pid 7 (nginx)');
  program = 'caddy';
  t.equal(holders.holderOf('api', fault, nowMs), 'pid 7 (nginx)', 'it was nginx then');
  t.equal(holders.holderOf('api', fault, nowMs + 5000), 'pid 7 (caddy)', 'a later failure');
  program = null;
  t.equal(
    holders.holderOf('api', fault, nowMs + 9000),
    'pid 7 (caddy)',
    'not found again: it stays',
  );
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

const listenFault = { code: 'EADDRINUSE', address: null, port: 3000, isHandled: false };
const unnamed = 'could not listen on port 3000: in use by another process';
const named = 'could not listen on port 3000: in use by api';
const holderOf = () => 'api';

const explanationRows = [
  ['a failure', { reason: unnamed, fault: listenFault }, { reason: named, fault: listenFault }],
  [
    'the start after a failure',
    { after: unnamed, fault: listenFault },
    { after: named, fault: listenFault },
  ],
  ['another failure', { reason: 'exited with code 1' }, { reason: 'exited with code 1' }],
  [
    'the start after a hang',
    { after: 'was killed', fault: null },
    { after: 'was killed', fault: null },
  ],
];

for (const [what, failure, explained] of explanationRows) {
  t.test(what, async (t) => t.strictSame(explainFailure(failure, holderOf), explained));
}
