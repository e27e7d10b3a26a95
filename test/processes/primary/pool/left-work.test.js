/** A program that leaves work to a primary of its own is told so, once. */
import t from 'tap';
import { startedPrimary } from '../../primary-under-test.js';

const NOTE = /^log4js sends its lines to a primary of its own/;

for (const instances of [1, 2]) {
  t.test(`${instances} in cluster mode`, async (t) => {
    const primary = await startedPrimary(t, 'leaves-work.cjs', { instances });
    t.match(primary.outcome, {
      ok: true,
      notes: Array(instances).fill({ note: { kind: 'left-work', text: NOTE } }),
    });
    const lines = (await primary.log('error')).match(/log4js sends its lines/g);
    t.equal(lines?.length, 1, 'one line in the log');
  });
}

t.test('in fork mode the program is its own primary', async (t) => {
  const change = { instances: 1, execMode: 'fork', interpreter: 'node' };
  const primary = await startedPrimary(t, 'leaves-work.cjs', change);
  t.match(primary.outcome, { ok: true });
  t.notOk(primary.outcome.notes);
});
