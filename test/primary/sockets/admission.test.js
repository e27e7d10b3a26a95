import t from 'tap';
import { Admission } from '../../../src/primary/sockets/admission.js';

/** @param {Admission} admission @param {string} worker @param {boolean} replaces */
function join(admission, worker, replaces) {
  /** @type {string[]} */
  const admitted = [];
  const onAdmitted = (/** @type {string} */ key) => admitted.push(key);
  const member = admission.join({ worker, slot: 0, isAdmitted: !replaces, onAdmitted });
  const listens = (/** @type {string} */ key) => member.listens(key, `address of ${key}`);
  return { ...member, admitted, listens };
}

/** @param {string[]} keys that an old worker serves; its replacement listens at the same */
function pair(...keys) {
  const admission = new Admission();
  const old = join(admission, 'old', false);
  const replacement = join(admission, 'new', true);
  for (const key of keys) {
    old.listens(key);
    replacement.listens(key);
  }
  return { admission, old, replacement };
}

t.test('which workers wait', async (t) => {
  const { old, admission, replacement } = pair('a');
  t.equal(replacement.mustWait('a'), true, 'where another one serves');
  t.equal(replacement.mustWait('b'), false, 'not where nobody does');
  t.equal(old.mustWait('a'), false, 'not one that replaces nobody');
  t.equal(join(admission, 'scaled up', false).mustWait('a'), false, 'nor any that comes later');
  const second = join(admission, 'second', true);
  second.listens('b');
  t.equal(replacement.mustWait('b'), false, 'not for another one that waits itself');
});

t.test('a replacement waits until it is online', async (t) => {
  const { admission, replacement } = pair('a', 'b');
  replacement.mustWait('a');
  admission.admit('somebody else');
  t.same(replacement.admitted, []);
  admission.admit('new');
  t.same(replacement.admitted, ['a'], 'said once, only where it was told to wait');
  admission.admit('new');
  t.same(replacement.admitted, ['a']);
  t.equal(replacement.mustWait('b'), false);
});

t.test('a replacement waits until no other worker is left', async (t) => {
  const { old, replacement } = pair('a', 'b');
  replacement.mustWait('a');
  replacement.mustWait('b');
  old.closed('a');
  t.same(replacement.admitted, ['a'], 'at that address');
  old.leave();
  t.same(replacement.admitted, ['a', 'b']);
});

t.test('a worker that has left, or closed its socket, is not admitted', async (t) => {
  for (const end of [(one) => one.leave(), (one) => one.closed('a')]) {
    const { old, replacement } = pair('a');
    replacement.mustWait('a');
    end(replacement);
    old.leave();
    t.same(replacement.admitted, []);
  }
});

t.test('which workers serve an address', async (t) => {
  const { admission, old, replacement } = pair('a');
  const served = () => admission.serversAt('address of a').map(({ worker }) => worker);
  t.same(served(), ['old'], 'not the replacement');
  admission.admit('new');
  t.same(served(), ['old', 'new'], 'both, until the old one has closed');
  old.closed('a');
  t.same(served(), ['new']);
  replacement.leave();
  t.same(served(), []);
  t.same(admission.serversAt('another'), []);
  const alone = join(admission, 'alone', true);
  let calls = 0;
  admission.onChange.add(() => (calls += 1));
  alone.listens('b');
  alone.listens('a');
  t.equal(calls, 2);
  t.same(served(), ['alone'], 'a replacement too, when no other one is left');
});
