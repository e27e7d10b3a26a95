import t from 'tap';
import { stepPrinter } from '../../../src/cli/render/steps.js';

/** What is written of these steps: lines, and `~` before what the next one takes the place of. */
function written(...steps) {
  return writtenTo({ isTerminal: true, width: 80 }, ...steps);
}

function writtenTo(terminal, ...steps) {
  const all = [];
  const print = stepPrinter({
    note: (text) => all.push(text),
    status: (text) => all.push(`~${text}`),
    stderr: { ...terminal, colours: false },
  });
  for (const step of steps) print({ app: 'api', ...step });
  return all;
}

const exited = { kind: 'exit', code: 1 };

t.test('a line for each worker of an app that has few', async (t) => {
  const step = (kind, slot, more) => ({ kind, slot, of: 2, pid: 7, ...more });
  t.strictSame(written(step('starting', 0), step('online', 0), step('online', 1)), [
    '~api:0 starting pid 7',
    'api:0 online pid 7',
    'api:1 online pid 7',
  ]);
  const replaced = [step('online', 0), step('draining', 0), step('stopped', 0)];
  t.strictSame(written(...replaced), ['api:0 online pid 7', '~api:0 draining pid 7']);
  const inForkMode = [step('stopped', 0), step('online', 0), step('stopped', 1), step('online', 1)];
  t.equal(written(...inForkMode).length, 4);
});

t.test('of more, one that counts; the outcome tells what has failed', async (t) => {
  const step = (kind, slot, more) => ({ kind, slot, of: 8, pid: 7, ...more });
  const steps = [step('starting', 0), step('online', 0), step('stopped', 0), step('online', 1)];
  const counted = ['~api: 1 worker online', '~api: 2 workers online'];
  t.strictSame(written(...steps), ['~api starting', ...counted]);
  t.strictSame(written(step('stopped', 3)), ['~api: 1 worker stopped']);
  t.strictSame(written(step('failed', 3, { reason: exited })), []);
  const waiting = { kind: 'waiting', reason: { kind: 'turn', of: 'stop' } };
  t.equal(written(waiting).length, 1);
});

t.test('on a pipe it begins with a sign of life of the app', async (t) => {
  const pipe = { isTerminal: false, width: null };
  const reason = { kind: 'uptime', ms: 1000, listens: true };
  for (const of of [2, 8]) {
    const steps = [0, 1].map((slot) => ({ kind: 'starting', slot, of, pid: 7, reason }));
    t.strictSame(writtenTo(pipe, ...steps), ['api starting: must listen and stay up for 1 s']);
  }
});
