import t from 'tap';
import { Admission } from '../../../src/primary/sockets/admission.js';

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

t.test('what changes is said, and where', async (t) => {
  const { admission, old, replacement } = pair('a');
  const changes = [];
  admission.onChange.add((address) => changes.push(address));
  replacement.listens('b');
  old.closed('a');
  admission.admit('new');
  admission.admit('new');
  t.same(changes, ['address of b', 'address of a', undefined], 'once');
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
