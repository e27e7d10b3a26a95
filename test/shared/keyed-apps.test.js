/** Records as an object, and back. */
import t from 'tap';
import { byName, inOrder } from '../../src/shared/keyed-apps.js';
import { mergePatch, patchBetween } from '../../src/shared/merge-patch.js';

const app = (name, ...slots) => ({
  name,
  workers: slots.map((slot) => ({ slot, status: 'online' })),
});

t.test('the same records in the same order', async (t) => {
  const apps = [app('web', 0, 1, 2, 10, 11), app('7'), app('constructor', 3), app('__proto__')];
  t.strictSame(inOrder(byName(apps)), apps);
});

t.test('what changes of a worker is all that a patch says', async (t) => {
  const before = byName([app('api', 0, 1), app('web', 0)]);
  const changed = app('api', 0, 1);
  changed.workers[1].status = 'backoff';
  const after = byName([app('web', 0), changed]);
  const patch = patchBetween(before, after);
  const apps = { api: { workers: { 1: { status: 'backoff' } } } };
  t.strictSame(patch, { order: ['web', 'api'], apps });
  t.strictSame(inOrder(mergePatch(before, patch)), [app('web', 0), changed]);
});
