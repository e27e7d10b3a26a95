/** A program that leaves work to a primary of its own is told so, once. */
import t from 'tap';
import { ask } from '../../../support/http-ask.js';
import { until } from '../../../support/until.js';
import { FORK, startedPrimary } from '../../primary-under-test.js';

const NOTE = /^log4js sends its lines to a primary of its own/;

for (const instances of [1, 2]) {
  t.test(`${instances} in cluster mode`, async (t) => {
    const primary = await startedPrimary(t, 'leaves-work.cjs', { instances });
    const notes = Array(instances).fill({ note: { kind: 'left-work', text: NOTE } });
    t.match(primary.outcome, { ok: true, notes });
    const lines = async () => (await primary.log('error')).match(/log4js sends its lines/g);
    t.equal((await until(lines, 'the note in the log')).length, 1, 'once');
  });
}

for (const [script, text] of [
  ['asks-primary.cjs', /\.cjs:5 asks for cluster\.isPrimary.*of its own.*--exec-mode fork/],
  ['asks-primary.mjs', /asks-primary\.mjs:11 asks for/],
]) {
  t.test(`${script} asks whether it is a primary`, async (t) => {
    const primary = await startedPrimary(t, script);
    t.match(primary.outcome, { ok: true, notes: [{ note: { kind: 'left-work', text } }] });
    t.match(await primary.state(), { leftWork: text });
    if (script.endsWith('.mjs')) t.equal(await ask(primary.port), 'mine');
  });
}

for (const [what, script, change] of [
  ['in fork mode the program is its own primary', 'leaves-work.cjs', FORK],
  ['of a program in which only Node asks nothing is said', 'http-pid.cjs', {}],
]) {
  t.test(what, async (t) => {
    const primary = await startedPrimary(t, script, change);
    t.match(primary.outcome, { ok: true, notes: undefined });
    t.match(await primary.state(), { leftWork: null });
  });
}
