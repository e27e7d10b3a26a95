import t from 'tap';
import { rowsOf } from '../../src/show/rows.js';
import { statusesOf } from '../../src/show/statuses.js';

const NOW = 1_700_000_000_000;
const on = { status: 'online' };
const errors = { ...on, degraded: 'errors', requests: { open: 0, answered: 40, errors: 10 } };
const asked = { open: 2, answered: 0, errors: 0, unansweredSince: NOW - 60_000 };
const waits = { ...on, degraded: 'waits', requests: { ...asked, oldestSince: NOW - 60_000 } };

const rows = [
  [[], []],
  [[on, on], ['2 online good']],
  [
    [on, { status: 'waiting' }],
    ['1 online good', '1 waiting good'],
  ],
  [
    [on, { ...on, recentCrashes: 1 }],
    ['1 degraded warn', '1 online good'],
  ],
  [
    [errors, on, { status: 'errored' }],
    ['1 errored bad', '1 degraded warn', '1 online good'],
  ],
  [
    [waits, { status: 'backoff', pid: 4 }],
    ['1 failing bad', '1 starting again bad'],
  ],
];
for (const [workers, texts] of rows) {
  t.test(texts.join(', ') || 'none', async (t) => {
    const app = { name: 'api', status: 'online', workers };
    const found = statusesOf(rowsOf(app), NOW);
    t.same(
      found.map(({ status, count, tone }) => `${count} ${status} ${tone}`),
      texts,
    );
  });
}
