import t from 'tap';
import { EventEmitter } from 'node:events';
import { Turns } from '../../../src/primary/sockets/fair-sharing.js';
import { Admission } from '../../../src/primary/sockets/admission.js';
import { chooseWorker } from '../../../src/primary/sockets/queues.js';
import { AGENT_CMD } from '../../../src/primary/worker/channel.js';

/**
 * Each step is a time in ms and what happens then: `a+` worker a reports and will again in 25 ms, `a-` in 500 ms, `a.` not
 * again, `ax` it exits; and then which workers are blocked (`a!`). In between the primary looks every 5 ms, unless the step
 * begins with `!`.
 */
const ROWS = {
  'one that reports in time is not blocked': '0 a+ | 25 a+ | 60 a+',
  'one that is silent is blocked': '0 a+ | 35 | 40: a!',
  'beside one that is not': '0 a+ b+ | 25 b+ | 50 b+: a!',
  'one that rests may be silent for longer': '0 a+ | 25 a- | 535 | 540: a!',
  'one that accepts no more is not judged': '0 a+ | 25 a. | 5000',
  'until it reports, and again': '0 a+ | 50: a! | 50 a+ | 75 a+ | 115: a!',
  'a primary that did not run judges nobody': '0 a+ | !500 | 535 | 540: a!',
  'it hears what was reported meanwhile': '0 a+ | !500 a+ | 535',
  'one that exits is forgotten': '0 a+ | 50: a! | 50 ax',
};

/** @returns the steps with what was found */
function play(steps) {
  const workers = new Map(['a', 'b'].map((name) => [name, new EventEmitter()]));
  let nowMs = 0;
  const turns = new Turns(
    () => {},
    () => nowMs,
  );
  for (const child of workers.values()) turns.watch(child);
  const next = new Map([
    ['+', 25],
    ['-', 500],
    ['.', null],
  ]);
  return steps.split(' | ').map((row) => {
    const [step] = row.split(':');
    const [time, ...reports] = step.replace('!', '').split(' ');
    while (!step.startsWith('!') && nowMs < Number(time)) {
      nowMs = Math.min(nowMs + 5, Number(time));
      turns.look();
    }
    nowMs = Number(time);
    for (const [name, sign] of reports) {
      const report = { cmd: AGENT_CMD, type: 'turns', nextMs: next.get(sign) };
      if (next.has(sign)) workers.get(name)?.emit('internalMessage', report);
      else workers.get(name)?.emit('exit');
    }
    if (step.startsWith('!')) turns.look();
    const found = [...workers].flatMap(([name, worker]) =>
      turns.isBlocked(worker) ? [`${name}!`] : [],
    );
    return found.length > 0 ? `${step}: ${found.join(' ')}` : step;
  });
}

t.test('which workers are blocked', async (t) => {
  for (const [name, steps] of Object.entries(ROWS)) t.equal(play(steps).join(' | '), steps, name);
});

const CLIENTS = Array.from({ length: 4000 }, (_, n) => [
  `10.0.${n >> 8}.${n & 255}`,
  `2001:db8::${n.toString(16)}`,
]).flat();

const workers = (count) => Array.from({ length: count }, (_, slot) => ({ slot }));

const slotOf = (client, list) => chooseWorker(client, list)?.slot;

t.test('each slot gets about its share', async (t) => {
  for (const count of [2, 3, 4, 8, 64]) {
    const list = workers(count);
    const shares = new Array(count).fill(0);
    for (const client of CLIENTS) shares[slotOf(client, list)] += 1;
    const fair = CLIENTS.length / count;
    // Four standard deviations of a fair choice.
    const slack = 4 * Math.sqrt(fair * (1 - 1 / count));
    const isFair = shares.every((share) => Math.abs(share - fair) < slack);
    t.ok(isFair, `${count} workers: ${shares}`);
  }
});

t.test('only the clients of a lost worker move, and one more takes its share', async (t) => {
  const four = workers(4);
  const five = workers(5);
  const rest = four.filter(({ slot }) => slot !== 2);
  let moved = 0;
  for (const client of CLIENTS) {
    const slot = slotOf(client, four);
    if (slot === 2) moved += 1;
    else if (slotOf(client, rest) !== slot) t.fail(`${client} moved from ${slot}`);
    const after = slotOf(client, five);
    if (after !== slot && after !== 4) t.fail(`${client} moved from ${slot} to ${after}`);
  }
  t.ok(moved > 0);
  const orphans = CLIENTS.filter((client) => slotOf(client, four) === 0);
  const heirs = new Set(orphans.map((client) => slotOf(client, four.slice(1))));
  t.same([...heirs].sort(), [1, 2, 3]);
});

t.test('which worker a client belongs to', async (t) => {
  const list = workers(3);
  const slot = slotOf('192.0.2.7', list);
  t.equal(slotOf('::ffff:192.0.2.7', list), slot, 'the same client on a socket for IPv6');
  t.equal(slotOf('192.0.2.7', [...list].reverse()), slot, 'in any order');
  const newer = { slot, isNew: true };
  t.equal(chooseWorker('192.0.2.7', [...list, newer]), newer, 'the newer one of a slot');
  t.equal(chooseWorker('', list) !== null, true, 'a client that has closed already');
  t.equal(chooseWorker('192.0.2.7', []), null, 'nobody serves');
});

function join(admission, worker, replaces) {
  const member = admission.join({ worker, slot: 0, isAdmitted: !replaces });
  const listens = (key) => member.listens(key, `address of ${key}`);
  return { ...member, listens };
}

/** @param keys that an old worker serves; its replacement listens at the same */
function pair(...keys) {
  const admission = new Admission();
  const old = join(admission, 'old', false);
  const replacement = join(admission, 'new', true);
  for (const key of keys) {
    old.listens(key);
    replacement.listens(key);
  }
  const at = (key) => admission.serversAt(`address of ${key}`).map(({ worker }) => worker);
  return { admission, old, replacement, at };
}

t.test('which workers wait', async (t) => {
  const { admission, replacement, at } = pair('a');
  t.same(at('a'), ['old'], 'a replacement, where another one serves');
  replacement.listens('b');
  t.same(at('b'), ['new'], 'not where nobody does');
  join(admission, 'scaled up', false).listens('a');
  t.same(at('a'), ['old', 'scaled up'], 'nor one that replaces nobody');
  join(admission, 'second', true).listens('b');
  t.same(at('b'), ['new', 'second'], 'nor for another one that waits itself');
});

t.test('a replacement waits until it is online', async (t) => {
  const { admission, at } = pair('a', 'b');
  admission.admit('somebody else');
  t.same(at('a'), ['old']);
  admission.admit('new');
  t.same(at('a'), ['old', 'new']);
  t.same(at('b'), ['old', 'new']);
});

t.test('a replacement waits until no other worker is left', async (t) => {
  const { old, at } = pair('a', 'b');
  old.closed('a');
  t.same(at('a'), ['new'], 'at that address');
  t.same(at('b'), ['old']);
  old.leave();
  t.same(at('b'), ['new']);
});

t.test('a worker that has left, or closed its socket, is not admitted', async (t) => {
  for (const end of [(one) => one.leave(), (one) => one.closed('a')]) {
    const { old, replacement, at } = pair('a');
    end(replacement);
    old.leave();
    t.same(at('a'), []);
  }
});

t.test('while another primary serves nobody gets any', async (t) => {
  const { admission, at } = pair('a');
  admission.predecessorServes = true;
  admission.admit('new');
  t.same(at('a'), []);
  admission.begin();
  t.same(at('a'), ['old', 'new']);
});

t.test('each change is said', async (t) => {
  const { admission, old, replacement } = pair('a');
  let changes = 0;
  admission.onChange.add(() => (changes += 1));
  replacement.listens('b');
  old.closed('a');
  admission.admit('new');
  admission.admit('new');
  t.equal(changes, 3, 'once');
});

t.test('one at a time, a replacement too, when no other one is left', async (t) => {
  const { admission, old, replacement, at } = pair('a');
  old.closed('a');
  replacement.leave();
  t.same(at('a'), []);
  t.same(admission.serversAt('another'), []);
  const alone = join(admission, 'alone', true);
  let calls = 0;
  admission.onChange.add(() => (calls += 1));
  alone.listens('b');
  alone.listens('a');
  t.equal(calls, 2);
  t.same(at('a'), ['alone']);
});
