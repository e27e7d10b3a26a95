/** What the daemon holds for a primary, and when it lets go of it. */
import { EventEmitter } from 'node:events';
import t from 'tap';
import { SocketCopies } from '../../../src/daemon/primaries/socket-copies.js';
import { ask } from '../../support/http-ask.js';
import { until } from '../../support/until.js';
import { daemonUnderTest, webSpec } from '../daemon-under-test.js';

let nextFd = 100;
const closed = new Set();
const handle = () => {
  const fd = nextFd++;
  return { fd, close: () => closed.add(fd) };
};
/** @param {number} timeoutMs @param {number} count of sockets that the primary listens on */
function held(timeoutMs, count) {
  const copies = new SocketCopies();
  const primary = new EventEmitter();
  copies.listenTo(primary, timeoutMs);
  const handles = Array.from({ length: count }, handle);
  handles.forEach((each, index) => primary.emit('message', { hold: `*:${index}` }, each));
  const open = () => handles.filter(({ fd }) => !closed.has(fd)).length;
  return { copies, primary, handles, open };
}

t.test('copies follow the sockets that the primary closes and opens', async (t) => {
  const { copies, primary, handles } = held(60_000, 2);
  t.same(
    copies.all,
    handles.map(({ fd }, index) => ({ name: `*:${index}`, fd })),
  );
  primary.emit('message', { release: '*:0' });
  t.ok(closed.has(handles[0].fd));
  const again = handle();
  primary.emit('message', { hold: '*:1' }, again);
  t.ok(closed.has(handles[1].fd));
  t.same(copies.all, [{ name: '*:1', fd: again.fd }]);
  primary.emit('message', { release: '*:7' });
  primary.emit('message', { hold: '*:8' }, undefined);
  t.equal(copies.all.length, 1, 'a missing socket is ignored');
});

t.test('the number of copies is limited', async (t) => {
  const { copies, open } = held(60_000, 70);
  t.same([copies.all.length, open()], [64, 64]);
});

t.test('without a primary the copies are closed after a timeout', async (t) => {
  const { copies, open } = held(20, 3);
  copies.expire();
  await until(() => open() === 0, 'all to be closed');
  t.same(copies.all, []);
});

t.test('the copies stay when there is a primary again', async (t) => {
  const { copies, open } = held(20, 1);
  const other = held(20, 1);
  copies.expire();
  copies.cancelExpiry();
  other.copies.expire();
  await until(() => other.open() === 0, 'the others to be closed');
  t.equal(open(), 1);
});

t.test('nothing is kept of a primary that ends on purpose', async (t) => {
  const { copies, primary, open } = held(60_000, 2);
  copies.releaseAll();
  t.equal(open(), 0);
  const late = handle();
  primary.emit('message', { hold: '*:3' }, late);
  t.ok(closed.has(late.fd));
  t.same(copies.all, []);
});

t.test('a restart that needs another primary refuses no connection', async (t) => {
  const daemon = daemonUnderTest(t);
  await daemon.start();
  const spec = await webSpec();
  await daemon.ask('start', { specs: [spec] });
  for (const scheduling of ['shared', 'round-robin']) {
    const { primaryPid } = await daemon.view('web');
    let isDone = false;
    const order = { specs: [{ ...spec, scheduling }], action: 'restart' };
    const restarted = daemon.ask('apply', order).finally(() => (isDone = true));
    const refused = [];
    while (!isDone) {
      const failure = await ask(Number(spec.env.PORT)).then(
        () => null,
        ({ code }) => code,
      );
      if (failure === 'ECONNREFUSED') refused.push(failure);
    }
    t.match(await restarted, { apps: [{ action: 'restart', ok: true, done: [0, 1] }] });
    t.same(refused, [], scheduling);
    t.not((await daemon.view('web')).primaryPid, primaryPid);
  }
  await daemon.ask('stop', { selectors: ['web'] });
  await t.rejects(ask(Number(spec.env.PORT)), { code: 'ECONNREFUSED' }, 'and a stop does');
});
