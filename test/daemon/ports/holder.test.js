/** Who is named as the one that listens on a port. */
import t from 'tap';
import { nameHolder } from '../../../src/daemon/ports.js';

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

/** @type {Record<string, {fault?: object, app?: string, found?: object, expected: string | undefined}>} */
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
