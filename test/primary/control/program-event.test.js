import t from 'tap';
import { EventBudget, readProgramEvent } from '../../../src/primary/control/program-event.js';

t.test('which messages are events', async (t) => {
  const event = { type: 'nodecluster:event', name: 'full', data: { rows: 3 } };
  const rows = [
    ['the documented form', event, { name: 'full', data: { rows: 3 } }],
    ['without data', { ...event, data: undefined }, { name: 'full', data: null }],
    ['that of PM2', { type: 'process:msg', data: 1 }, { name: 'process:msg', data: 1 }],
    ['without a name', { ...event, name: undefined }, null],
    ['a name that is long', { ...event, name: 'x'.repeat(101) }, null],
    ['too large', { ...event, data: 'x'.repeat(17_000) }, null],
    ['too deep', { ...event, data: JSON.parse('['.repeat(10_000) + ']'.repeat(10_000)) }, null],
    ['another message', { type: 'mine' }, null],
    ['a text', 'ready', null],
    ['nothing', null, null],
  ];
  for (const [what, message, expected] of rows) t.same(readProgramEvent(message), expected, what);
});

t.test('fifty at once, then ten a second; dropped events are counted', async (t) => {
  const budget = new EventBudget(0);
  const taken = Array.from({ length: 53 }, () => budget.take(0));
  t.equal(taken.filter(Boolean).length, 50);
  t.equal(budget.take(99), null);
  t.same(budget.take(200), { dropped: 4 });
  t.same(budget.take(300), { dropped: 0 });
  t.same(Array.from({ length: 60 }, () => budget.take(1e6)).filter(Boolean).length, 50);
});
