/** Wrong frames, from a seed; FRAMES=<number> sends more of them. */
import t from 'tap';
import { fuzz } from '../../support/fuzz/measure.js';

const FRAMES = Number(process.env.FRAMES ?? 2000);
const SEED = 1;

t.setTimeout(FRAMES * 15);

t.test('wrong frames on both sockets cost nobody anything', async (t) => {
  const { faults, seen } = await fuzz(FRAMES, SEED);
  t.same(faults, [], JSON.stringify(seen));
});
