import t from 'tap';
import { EventEmitter } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { collide, serves } from '../../../src/primary/sockets/addresses.js';
import { Admission } from '../../../src/primary/sockets/admission.js';
import { FairSharing } from '../../../src/primary/sockets/fair-sharing.js';
import { openFor, UnixPaths } from '../../../src/primary/sockets/listen-hooks.js';
import { AGENT_CMD, channelTo } from '../../../src/primary/worker/channel.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { eventOf, until } from '../../support/until.js';

const SOCKET = { name: 'socket' };

const report = (nextMs) => ({ cmd: AGENT_CMD, type: 'turns', nextMs });

/**
 * @param count of workers, `a`, `b`, …
 * @param how blocked: names of workers
 */
function appOf(count, { blocked = '' } = {}) {
  const sent = [];
  let nowMs = 0;
  let closedQueues = 0;
  const admission = new Admission();
  const open = () => ({ isIdle: true, close: () => (closedQueues += 1) });
  const rules = { isTakingTurns: () => false };
  const sharing = new FairSharing({ admission, open }, rules, () => nowMs);
  const workers = Array.from({ length: count }, (_, slot) => {
    const name = String.fromCharCode('a'.charCodeAt(0) + slot);
    const worker = Object.assign(new EventEmitter(), {
      name,
      connected: true,
      send: ({ type }, socket) => {
        sent.push(`${name} ${type}${socket === SOCKET ? ' with it' : ''}`);
        if (!blocked.includes(name)) worker.emit('internalMessage', report(0));
      },
    });
    const member = admission.join({ worker, slot, isAdmitted: true });
    channelTo(worker).onServerClosed.add(() => member.closed('*:80'));
    sharing.join(worker);
    return { ...member, worker };
  });
  const during = (act) => {
    sent.length = 0;
    act();
    return [...sent];
  };
  const listens = (slot) => {
    workers[slot].listens('*:80', '*:80');
    sharing.listens(workers[slot].worker, '*:80', SOCKET);
  };
  const close = { cmd: 'NODE_CLUSTER', act: 'close', key: '*:80', seq: 1 };
  const surplus = (load) =>
    sharing.mayTake(workers[0].worker, { key: '*:80', open: load, waiting: 0 });
  return {
    closedQueues: () => closedQueues,
    turns: (slot) => during(() => workers[slot].worker.emit('internalMessage', report(25))),
    listens: (slot) => during(() => listens(slot)),
    closed: (slot) => during(() => workers[slot].worker.emit('internalMessage', close)),
    surplus: (load) => during(() => surplus(load)),
    changes: () => during(() => admission.begin()),
    pass: (ms) =>
      during(() => {
        nowMs += ms;
        sharing.turns.look();
      }),
  };
}

t.test('of four workers each accepts', async (t) => {
  const { listens, closed } = appOf(4);
  for (const slot of [0, 1, 2, 3]) t.same(listens(slot), [`${'abcd'[slot]} accept with it`]);
  t.same(closed(0), ['a accept-no-more']);
  t.same(listens(0), ['a accept with it'], 'a server that listens again');
});

t.test('of many workers two accept, and more while these have more than their share', async (t) => {
  const { listens, surplus, changes, pass } = appOf(10);
  for (const slot of [0, 1, 2, 3]) t.equal(listens(slot).length, 1);
  t.same(listens(4), ['a accept', 'b accept', 'c accept-no-more', 'd accept-no-more']);
  for (const slot of [5, 6, 7, 8, 9]) t.same(listens(slot), []);
  t.same(surplus(0), [], 'a worker that did not know its limit');
  t.equal(surplus(400).length, 8, 'a has its share now, and all are needed');
  t.same(surplus(400), []);
  pass(20_000);
  t.equal(changes().length, 8, 'nobody has needed them for a while');
});

t.test('another one follows once one is blocked, and rests when that is over', async (t) => {
  const { listens, turns, pass } = appOf(5);
  for (const slot of [0, 1, 2, 3, 4]) listens(slot);
  turns(0);
  turns(1);
  pass(30);
  t.same(turns(1), []);
  t.same(pass(15), ['c accept with it'], 'a keeps the socket: it could not follow');
  t.same(turns(0), ['c accept-no-more']);
});

t.test('one that is called, and is blocked, is found too', async (t) => {
  const { listens, closed, pass } = appOf(8, { blocked: 'e' });
  for (const slot of [0, 1, 2, 3, 4, 5, 6, 7]) listens(slot);
  t.same(closed(0), ['c accept with it', 'a accept-no-more']);
  t.same(closed(1), ['d accept with it', 'b accept-no-more']);
  t.same(closed(2), ['e accept with it', 'c accept-no-more']);
  pass(30);
  t.same(pass(15), ['f accept with it'], 'it has not said that it accepts');
});

t.test('an address at which nobody listens any more is forgotten', async (t) => {
  const { closedQueues, listens, closed } = appOf(2);
  listens(0);
  listens(1);
  closed(0);
  t.equal(closedQueues(), 0);
  closed(1);
  await until(() => closedQueues() === 1, 'its queue to be closed');
  t.same(listens(0), ['a accept with it']);
});

/** The socket, what the program asks for, whether it gets it, and whether one excludes the other. */
const rows = [
  [':::3000', '*:3000', true, true],
  ['0.0.0.0:3000', '*:3000', true, true],
  [':::3000', '0.0.0.0:3000', true, true],
  ['0.0.0.0:3000', ':::3000', true, true],
  ['127.0.0.1:3000', '127.0.0.1:3000', true, false],
  ['::1:3000', '::1:3000', true, false],
  [':::3000', '127.0.0.1:3000', false, true],
  ['127.0.0.1:3000', '*:3000', false, true],
  ['127.0.0.1:3000', '::1:3000', false, false],
  [':::3000', '*:3001', false, false],
  [':::3000', '*:13000', false, false],
];

for (const [socket, asked, isServed, isExcluded] of rows) {
  const what = `${socket} and ${asked}`;
  t.equal(serves(socket, asked), isServed, what);
  t.equal(collide(socket, asked), isExcluded, what);
}

// Another worker unlinks the path of a unix socket just when the primary has bound it.

t.test('it is bound again', async (t) => {
  const folder = temporaryDirectory(t);
  const path = join(folder, 'app.sock');
  const paths = new UnixPaths({ home: '/home', app: 'app' });
  let binds = 0;
  const protect = (...args) => {
    if (++binds === 1) rmSync(path);
    return paths.protect(...args);
  };
  const unixPaths = { removeStale: () => {}, protect };
  const sockets = { opened: (_name, handle) => handle, unixPaths };
  let handle;
  openFor(sockets, () => (handle = net._createServerHandle(path, -1, -1)));
  handle.onconnection = (_error, client) => client.close();
  handle.listen(1);
  t.equal(binds, 2);
  rmSync(path);
  paths.restore();
  const client = net.connect(path);
  await eventOf(client, 'connect');
  client.destroy();
  await new Promise((resolve) => handle.close(resolve));
  paths.forget(handle);
  t.same(readdirSync(folder), []);
});
