import t from 'tap';
import { health } from '../../../src/features/health/show.js';

const NOW = 1_700_000_000_000;
const fine = { slot: 0, health: { status: 'healthy' } };
const failing = { slot: 1, health: { reason: 'HTTP 500', failingSince: NOW - 12_000 } };

const apps = [
  ['no checks', [{ slot: 0 }], []],
  ['all succeed', [fine, { slot: 1 }], [['health', 'every check succeeds']]],
  ['one fails', [fine, failing], [['health', 'api:1 fails for 12s (HTTP 500)', 'bad']]],
];
for (const [name, workers, expected] of apps) {
  t.test(name, async (t) => t.same(health.facts({ name: 'api', workers }, NOW), expected));
}
