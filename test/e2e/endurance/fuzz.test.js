/** A short run of bench:fuzz. */
import t from 'tap';
import { fuzz } from '../../../bench/endurance/fuzz/measure.js';

const SEED = 1;

t.test('wrong frames on both sockets cost nobody anything', async (t) => {
  const { rows, faults } = await fuzz(2000, SEED, () => {});
  t.same(faults, [], JSON.stringify(rows));
});
