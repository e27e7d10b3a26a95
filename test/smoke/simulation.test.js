/** A few of the seeds that `npm run test:all` simulates, which are the same in each run. */
import t from 'tap';
import { replayed } from '../simulation/simulated.js';

t.test('a primary', (t) => replayed(t, 'primary', 1, 10_000));
t.test('commands, daemon and primaries', (t) => replayed(t, 'daemon', 1, 5_000));
