/** A few of the seeds that `npm run test:all` simulates. */
import t from 'tap';
import { simulated } from '../simulation/simulated.js';

t.test('a primary', (t) => simulated(t, 'primary', 1, 10_000));
t.test('commands, daemon and primaries', (t) => simulated(t, 'daemon', 1, 5_000));
