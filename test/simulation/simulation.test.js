/** The simulation: always the same seeds, and others every day. */
import t from 'tap';
import { simulated } from './simulated.js';

t.jobs = 2;

/** Seeds of one day are as far apart from those of the next. */
const PER_DAY = 100_000;
const today = Math.floor(Date.now() / 86_400_000) * PER_DAY;

for (const [world, seed, steps] of [
  ['primary', 1, 50_000],
  ['daemon', 1, 30_000],
  ['primary', today, 10_000],
  ['daemon', today, 10_000],
]) {
  t.test(`${world}, from seed ${seed}`, (t) => simulated(t, world, seed, steps));
}
