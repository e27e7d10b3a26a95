import net from 'node:net';
import t from 'tap';
import { describeTurning, holderAt } from '../../../src/features/why/command-peers.js';
import { eventOf } from '../../support/until.js';

const at = new Date(2023, 10, 14, 22, 13, 20).getTime();

t.test('one whose event loop turns', async (t) => {
  /** @param {object} own @param {string[]} peers */
  const said = (own, peers) => {
    const shown = { slot: 0, status: 'online', ...own };
    const app = { name: 'api', status: 'online', workers: [shown] };
    const row = { key: 'api:0', kind: 'worker', app, worker: shown };
    const holders = new Map([['127.0.0.1:4310 ×3', 'pid 77 (node upstream.cjs)']]);
    return describeTurning({ peers }, row, at, holders);
  };
  const since = at - 59_000;
  const requests = { open: 12, answered: 0, errors: 0, oldestSince: since, unansweredSince: since };
  const waits = { degraded: 'waits', requests };
  t.equal(said({}, []), 'is not blocked: its event loop turns');
  t.equal(
    said({}, ['db:5432']),
    'is not blocked: its event loop turns, and it is connected to db:5432',
  );
  t.equal(
    said(waits, ['127.0.0.1:4310 ×3', 'db:5432']),
    'failing, nothing answered for 59s: 12 requests wait, the oldest for 59s, and it is connected to ' +
      '127.0.0.1:4310 ×3 of pid 77 (node upstream.cjs), db:5432',
  );
  t.match(
    said({ ...waits, requests: { ...requests, open: 1 } }, []),
    /: 1 request waits, .* no server$/,
  );
});

const isLinux = process.platform === 'linux';
t.test('who listens where a worker is connected', { skip: !isLinux && 'Linux' }, async (t) => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await eventOf(server, 'listening');
  const { port } = server.address();
  const client = net.connect(port, '127.0.0.1');
  t.teardown(() => client.destroy());
  const [[accepted]] = await Promise.all([
    eventOf(server, 'connection'),
    eventOf(client, 'connect'),
  ]);
  t.teardown(() => accepted.destroy());
  t.match(holderAt(`127.0.0.1:${port} ×1`, []), /^pid \d+ \(node /);
  server.close();
  t.equal(holderAt(`127.0.0.1:${port} ×1`, []), undefined, 'its connection is not who listens');
});
