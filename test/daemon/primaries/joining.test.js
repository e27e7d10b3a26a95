/** Which process an app in fork mode gets when the one that it could share does not answer at once. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import t from 'tap';
import { SharedPrimaries, sharedModeOf } from '../../../src/daemon/primaries/shared-primaries.js';
import { NodeclusterError } from '../../../src/errors/error.js';
import { serve } from '../../../src/protocol/server.js';
import { PACKAGE_ROOT } from '../../../src/shared/package/root.js';
import { identify } from '../../../src/shared/processes/identity.js';
import { VERSION } from '../../../src/shared/version.js';

/** A process that runs the app `a`, and what it does when it is asked to run others. */
async function sharedBy(t, host) {
  const directory = t.testdir();
  const socket = path.join(directory, 'a.sock');
  const server = await serve(socket, {
    methods: { host },
    hello: { role: 'primary', version: VERSION },
  });
  t.teardown(() => server.close());
  const own = { root: PACKAGE_ROOT, node: process.version, shares: 'fork' };
  const record = { ...identify(process.pid), ...own, socket };
  const shared = new SharedPrimaries();
  shared.note('a', record);
  const pathsOf = (name) => ({
    launch: path.join(directory, `${name}.json`),
    socket: path.join(directory, `${name}.sock`),
    record: path.join(directory, `${name}.record`),
  });
  return { shared, record, pathsOf };
}

/** To start an app in fork mode. */
const orderOf = (name) => ({ spec: { name }, shares: 'fork' });
/** A process started for an app. */
const STARTED = { pid: 1, startTime: '1', bootId: '1', socket: '/started' };

t.test('without an answer it is asked again, and no other starts', async (t) => {
  const asked = [];
  const { shared, record, pathsOf } = await sharedBy(t, ({ launch }) => {
    asked.push(launch);
    return asked.length === 1 ? new Promise(() => {}) : null;
  });
  const paths = pathsOf('b');
  const start = async () => t.fail('a second process was started');
  t.same(await shared.launch(orderOf('b'), paths, [], start), {
    ...record,
    socket: paths.socket,
  });
  t.same(asked, [paths.launch, paths.launch]);
  t.ok(existsSync(paths.record), 'the next daemon knows where the app may be');
});

t.test('one that refuses does not run it, so another process does', async (t) => {
  const { shared, pathsOf } = await sharedBy(t, () => {
    throw new NodeclusterError('E_PROTOCOL_PARAMS', { method: 'host', key: 'launch' });
  });
  const paths = pathsOf('b');
  t.equal(await shared.launch(orderOf('b'), paths, [], async () => STARTED), STARTED);
  t.notOk(existsSync(paths.record));
});

t.test('apps that are on their way take their room', async (t) => {
  const { shared, record, pathsOf } = await sharedBy(t, () => null);
  for (let i = 2; i < 100; i++) shared.note(`app-${i}`, record);
  let started = 0;
  const start = async () => {
    started += 1;
    return STARTED;
  };
  await Promise.all(
    ['b', 'c'].map((name) => shared.launch(orderOf(name), pathsOf(name), [], start)),
  );
  t.equal(started, 1, 'the hundredth has joined it, the next one not');
});

t.test('a successor never joins the process of its predecessor', async (t) => {
  const { shared, record, pathsOf } = await sharedBy(t, () => t.fail('it was asked'));
  const order = { ...orderOf('b'), after: record };
  t.equal(await shared.launch(order, pathsOf('b'), [], async () => STARTED), STARTED);
});

t.test('which apps share', async (t) => {
  const small = { execMode: 'cluster', uid: null, gid: null, interpreter: '', instances: 4 };
  const mode = (change, sockets = []) =>
    sharedModeOf({ ...small, scheduling: 'fair', ...change }, sockets);
  const rows = [
    ['cluster', {}],
    ['cluster', { instances: { min: 1, max: 2 } }],
    ['fork', { execMode: 'fork', interpreter: 'python3', instances: 9 }],
    [undefined, { instances: 5 }],
    [undefined, { instances: { min: 1, max: 5 } }],
    [undefined, { scheduling: 'round-robin' }],
    [undefined, { interpreter: '/opt/node22/bin/node' }],
    [undefined, { uid: 1000 }],
    [undefined, { execMode: 'fork', gid: 1000 }],
  ];
  for (const [expected, change] of rows) t.equal(mode(change), expected, JSON.stringify(change));
  t.equal(mode({}, [{ name: '*:80', fd: 3, isLasting: true }]), undefined, 'of the init system');
});
