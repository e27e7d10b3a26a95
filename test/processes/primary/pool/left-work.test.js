/** A program that leaves work to a primary of its own is told so, once. */
import t from 'tap';
import { ask } from '../../../support/http-ask.js';
import { until } from '../../../support/until.js';
import { startedPrimary } from '../../primary-under-test.js';

const NOTE = /^log4js sends its lines to a primary of its own/;

for (const instances of [1, 2]) {
  t.test(`${instances} in cluster mode`, async (t) => {
    const primary = await startedPrimary(t, 'leaves-work.cjs', { instances });
    t.match(primary.outcome, {
      ok: true,
      notes: Array(instances).fill({ note: { kind: 'left-work', text: NOTE } }),
    });
    const lines = async () => (await primary.log('error')).match(/log4js sends its lines/g);
    t.equal((await until(lines, 'the note in the log')).length, 1, 'once');
  });
}

t.test('in fork mode the program is its own primary', async (t) => {
  const change = { instances: 1, execMode: 'fork', interpreter: 'node' };
  const primary = await startedPrimary(t, 'leaves-work.cjs', change);
  t.match(primary.outcome, { ok: true });
  t.notOk(primary.outcome.notes);
});

for (const [name, place] of [
  [
    'asks-primary.cjs',
    /asks-primary\.cjs:5 asks for cluster\.isPrimary.*of its own.*--exec-mode fork/,
  ],
  ['asks-primary.mjs', /asks-primary\.mjs:11 asks for/],
]) {
  t.test(`${name} asks whether it is a primary`, async (t) => {
    const primary = await startedPrimary(t, name, { instances: 1 });
    t.match(primary.outcome, { ok: true, notes: [{ note: { kind: 'left-work', text: place } }] });
    t.match(await primary.state(), { leftWork: place });
    if (name.endsWith('.mjs')) t.equal(await ask(primary.port), 'mine');
  });
}

t.test('of a program in which only Node asks nothing is said', async (t) => {
  const primary = await startedPrimary(t, 'http-pid.cjs', { instances: 1 });
  t.notOk(primary.outcome.notes);
  t.match(await primary.state(), { leftWork: null });
});
