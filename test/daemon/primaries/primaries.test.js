/** Which process an app gets when the one that it could share does not answer at once. */
import t from 'tap';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { mock } from 'node:test';
import { App } from '../../../src/daemon/apps/app.js';
import { relaunchDelay, requestTimeout } from '../../../src/daemon/delays.js';
import { HeldSockets } from '../../../src/daemon/primaries/held-sockets.js';
import { Primaries, shareOf } from '../../../src/daemon/primaries/primaries.js';
import { NodeclusterError } from '../../../src/errors/error.js';
import { serve } from '../../../src/protocol/server.js';
import { ensureHome } from '../../../src/shared/home.js';
import { identify } from '../../../src/shared/processes/identity.js';
import { makeRecord } from '../../../src/shared/processes/primary-record.js';
import { specWith } from '../../support/spec.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const log = { of: () => log, info() {}, warn() {}, error() {} };
const FORK = { mode: 'fork', most: 100 };
/** Another one would be started. */
const ANOTHER = new Error('another');

/** A process with room, and what it does when it is asked to run an app. */
async function found(t, host, others = {}) {
  const paths = ensureHome(path.join(temporaryDirectory(t), 'home'));
  const { dir, identity, socket } = paths.primary(1);
  mkdirSync(dir);
  writeFileSync(identity, JSON.stringify(makeRecord(identify(process.pid), socket, FORK)));
  const none = () => null;
  const own = { subscribe: () => ({ apps: [] }), ping: none, bye: none, host };
  const methods = { ...own, ...others };
  const server = await serve(socket, { methods, hello: { role: 'primary' } });
  const primaries = new Primaries(paths, log, async () => {
    throw ANOTHER;
  });
  await primaries.find(() => []);
  const [primary] = primaries.all();
  const directory = process.cwd();
  t.teardown(async () => {
    process.chdir(directory);
    await primary.leave({ isLast: false });
    await server.close();
  });
  return { primaries, primary };
}

const linkOf = (note = async () => {}) => ({
  id: null,
  ...{ isHosted: false, isLeaving: false, heldSockets: new HeldSockets(), note },
});

/** An app that looks for a primary. */
function lodger(name, note) {
  const spec = specWith({ name, execMode: 'fork', instances: 1 });
  const order = { spec, generation: 1, slots: [0], stoppedSlots: [] };
  return { order, sockets: [], link: linkOf(note) };
}

t.test('without an answer it is asked again, and no other starts', async (t) => {
  const asked = [];
  const { primaries, primary } = await found(t, ({ spec: { name } }) => {
    asked.push(name);
    return asked.length === 1 ? new Promise(() => {}) : null;
  });
  const saved = [];
  const note = async (id) => saved.push([id, ...asked]);
  t.equal(await primaries.host(lodger('b', note)), primary);
  t.same(asked, ['b', 'b']);
  t.same(saved, [[1]], 'the next daemon knows where the app may be, before it is asked');
});

t.test('one that refuses does not run it, so another process does', async (t) => {
  const { primaries, primary } = await found(t, () => {
    throw new NodeclusterError('E_PROTOCOL_PARAMS', { method: 'host', key: 'spec' });
  });
  await t.rejects(primaries.host(lodger('b')), ANOTHER);
  t.equal(primary.size, 0);
});

t.test('apps that are on their way take their room', async (t) => {
  const { primaries, primary } = await found(t, () => null);
  for (let i = 1; i < 99; i++) primary.attach(`app-${i}`, linkOf());
  const both = ['b', 'c', 'd'].map((name) => primaries.host(lodger(name)));
  t.match(await Promise.allSettled(both), [
    { status: 'fulfilled' },
    { status: 'fulfilled' },
    { status: 'rejected', reason: ANOTHER },
  ]);
});

t.test('only a quiet connection is pinged', async (t) => {
  let nowMs = 0;
  let pings = 0;
  mock.timers.enable({ apis: ['setTimeout'] });
  mock.method(performance, 'now', () => nowMs);
  t.teardown(() => mock.reset());
  const ping = () => void (pings += 1);
  const { primary } = await found(t, () => null, { ping, 'flush-logs': () => null });
  const lookAfter = async (ms) => {
    await primary.request('b', 'flush-logs', {});
    nowMs += ms;
    mock.timers.tick(2000);
    await primary.request('b', 'flush-logs', {});
    return pings;
  };
  t.equal(await lookAfter(400), 0, 'both sides know that the other one runs');
  t.equal(await lookAfter(2000), 1);
});

t.test('an app never moves to the process in which it is', async (t) => {
  const { primaries, primary } = await found(t, () => t.fail('it was asked'));
  primary.attach('b', linkOf());
  await t.rejects(primaries.host(lodger('b')), ANOTHER);
});

t.test('which apps share', async (t) => {
  const small = { execMode: 'cluster', uid: null, gid: null, interpreter: '', instances: 4 };
  const share = (change, sockets = []) =>
    shareOf({ ...small, scheduling: 'fair', ...change }, sockets);
  const cluster = { mode: 'cluster', most: 20 };
  const alone = { mode: 'cluster', most: 1 };
  const aloneInFork = { mode: 'fork', most: 1 };
  const rows = [
    [cluster, {}],
    [cluster, { instances: { min: 1, max: 2 } }],
    [FORK, { execMode: 'fork', interpreter: 'python3', instances: 9 }],
    [alone, { instances: 5 }],
    [alone, { instances: { min: 1, max: 5 } }],
    [alone, { scheduling: 'round-robin' }],
    [alone, { interpreter: '/opt/node22/bin/node' }],
    [alone, { uid: 1000 }],
    [aloneInFork, { execMode: 'fork', gid: 1000 }],
  ];
  for (const [expected, change] of rows) t.same(share(change), expected, JSON.stringify(change));
  t.same(share({}, [{ name: '*:80', fd: 3, isLasting: true }]), alone, 'of the init system');
});

t.test('the restart delay of a primary grows', async (t) => {
  t.strictSame([1, 2, 3, 4, 50].map(relaunchDelay), [0, 100, 200, 400, 10_000]);
});

t.test('the settings of an app bound a request to its primary', async (t) => {
  const starts = { listenTimeoutMs: 10_000, holdTimeoutMs: 30_000, hangTimeoutMs: null };
  const spec = { ...starts, minUptimeMs: 1000, drainTimeoutMs: 30_000, killTimeoutMs: 5000 };
  const rows = [
    ['send', {}, 4, 60_000],
    ['start', {}, 4, 60_000 + 301_000],
    ['start', { listenTimeoutMs: 90_000 }, 4, 60_000 + 901_000],
    ['start', { hangTimeoutMs: 50_000 }, 4, 60_000 + 501_000],
    ['stop', {}, 4, 42_000],
    ['scale', {}, 4, 60_000 + 42_000 + 301_000],
    ['restart', { killTimeoutMs: 0 }, 4, 60_000 + 37_000 + 301_000],
    ['reload', {}, 1, 60_000 + 2 * 343_000],
    ['reload', {}, 4, 60_000 + 8 * 343_000],
    ['reload', { drainTimeoutMs: 10 ** 12 }, 4, 2 ** 31 - 1],
  ];
  for (const [method, settings, slots, expected] of rows) {
    const bound = requestTimeout(method, { ...spec, ...settings }, slots);
    t.equal(bound, expected, `${method} ${JSON.stringify(settings)} ${slots}`);
  }
});

t.test('a command of an app has the bound of its longer settings, old or new', async (t) => {
  const old = specWith({ listenTimeoutMs: 90_000 });
  const desired = { spec: old, slots: [0], stoppedSlots: [], ids: {}, rollout: null };
  const services = { pathsOf: () => {}, log: { of: () => {} }, holderOf: () => {} };
  const app = new App({ ...desired, generation: 1 }, services);
  const bounds = [];
  const link = { request: async (_method, _params, { timeoutMs }) => bounds.push(timeoutMs) };
  const spec = { ...old, listenTimeoutMs: 1000, drainTimeoutMs: 100_000 };
  await app.request('reload', { spec, generation: 2, slots: [0, 1] }, { link });
  await app.request('reset', {}, { link });
  const [before, after] = [old, spec].map((one) => requestTimeout('reload', one, 2));
  t.strictSame(bounds, [Math.max(before, after), requestTimeout('reset', old, 1)]);
});
