/** A few of the seeds that `npm run test:all` simulates. */
import t from 'tap';
import { replayed, simulated } from '../simulation/simulated.js';

t.test('a primary', (t) => simulated(t, 'primary', 1, 10_000));
t.test('commands, daemon and primaries', (t) => simulated(t, 'daemon', 1, 5_000));

for (const world of ['primary', 'daemon']) {
  t.test(`a seed of a ${world} can be replayed`, (t) => replayed(t, world, 2, 5000));
}
