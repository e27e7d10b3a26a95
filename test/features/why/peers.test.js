/** Whom a worker is connected to: what its agent finds, and what its primary says of it. */
import t from 'tap';
import { peersOf } from '../../../src/features/why/agent.cjs';
import { checkPeers } from '../../../src/features/why/primary.js';

t.test('by host and port, the most frequent first', async (t) => {
  const payments = { remoteAddress: '10.0.0.7', remotePort: 443, _host: 'payments' };
  const database = { remoteAddress: '10.0.0.8', remotePort: 5432 };
  const client = { remoteAddress: '10.0.0.9', remotePort: 40_000, server: {} };
  const pipe = {};
  t.same(peersOf([payments, client, pipe, database, database], []), [
    '10.0.0.8:5432 ×2',
    'payments:443',
  ]);
  t.same(peersOf([], [{ address: '10.0.0.7', port: 80 }, { hostname: 'x' }]), [
    '10.0.0.7:80 (connecting)',
  ]);
  const many = Array.from({ length: 99 }, (_, port) => ({ remoteAddress: 'a', remotePort: port }));
  t.equal(peersOf(many, []).length, 10);
});

t.test('nothing is trusted', async (t) => {
  for (const peers of [undefined, null, 'a', [], [1, {}]]) t.same(checkPeers(peers), []);
  t.same(checkPeers(['a:1', 'b:2 ×3', 4]), ['a:1', 'b:2 ×3']);
  t.ok(checkPeers(Array(1e4).fill('a'.repeat(1e4))).join().length < 4000);
});
