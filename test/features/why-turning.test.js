import t from 'tap';
import net from 'node:net';
import { describeTurning } from '../../src/features/why/command-turning.js';
import { listening } from '../support/listening.js';
import { exit } from '../support/snapshot.js';
import { eventOf } from '../support/until.js';

const at = new Date(2023, 10, 14, 22, 13, 20).getTime();

const said = (peers, own, others = [], stack = { state: 'running' }) => {
  const shown = { slot: 0, status: 'online', listening: [], ...own };
  const app = { name: 'api', status: 'online', workers: [shown] };
  const stacks = [{ name: 'api', workers: [{ slot: 0, frames: [], peers, ...stack }] }];
  return describeTurning(stacks, [app, ...others], at)[0].workers[0].note;
};

t.test('one whose event loop turns', async (t) => {
  const since = at - 59_000;
  const requests = { open: 12, answered: 0, errors: 0, oldestSince: since, unansweredSince: since };
  const waits = { degraded: 'waits', requests };
  const listening = [{ address: '127.0.0.1:4310' }];
  const payments = { name: 'payments', status: 'online', workers: [{ slot: 0, listening }] };
  t.equal(said([]), 'no problem: its event loop turns');
  t.equal(said(['db:5432']), 'no problem: its event loop turns, and it is connected to db:5432');
  t.equal(
    said(['127.0.0.1:4310 ×3', 'db:5432'], waits, [payments]),
    'failing, nothing answered for 59s: 12 requests wait, the oldest for 59s, and it is connected to ' +
      '127.0.0.1:4310 ×3 of payments, db:5432',
  );
  const one = said([], { ...waits, requests: { ...requests, open: 1 } });
  t.match(one, /: 1 request waits, .* no server$/);
  const errors = { degraded: 'errors', requests: { open: 0, answered: 260, errors: 78 } };
  t.equal(said([], errors), 'degraded, 5xx 78/260');
});

const cause = 'Error: no database';
const away = { state: 'unknown', note: 'does not run' };
t.test('one that crashes says so; one that is blocked keeps its place', async (t) => {
  for (const [own, stack, text] of [
    [{ status: 'backoff' }, away, 'backoff: '],
    [{ crash: { at, reason: exit(1), cause } }, undefined, 'degraded, crashed 0s ago: '],
    [{ status: 'errored' }, away, 'errored: '],
  ]) {
    const worker = { reason: exit(1), cause, ...own };
    t.equal(said(stack ? undefined : [], worker, [], stack), text + cause);
  }
  const stack = { state: 'blocked', frames: [{}] };
  t.equal(said(undefined, { status: 'unresponsive', crash: { at } }, [], stack), undefined);
});

const isLinux = process.platform === 'linux';
t.test('who listens where a worker is connected', { skip: !isLinux && 'Linux' }, async (t) => {
  const server = net.createServer();
  const port = await listening(t, server);
  const client = net.connect(port, '127.0.0.1');
  t.teardown(() => client.destroy());
  const connected = eventOf(client, 'connect');
  const [[accepted]] = await Promise.all([eventOf(server, 'connection'), connected]);
  t.teardown(() => accepted.destroy());
  const peer = `127.0.0.1:${port} ×1`;
  t.match(said([peer]), new RegExp(` ${peer} of pid ${process.pid} \\(node`));
  server.close();
  t.match(said([peer]), / ×1$/, 'its connection is not who listens');
});
