import t from 'tap';
import { canary } from '../../../src/features/canary/daemon.js';

t.test('whether the last reload failed because its canary was taken back', async (t) => {
  const recordOf = (
    /** @type {object | null} */ snapshot,
    /** @type {object | null} */ lastReload,
  ) => canary().record?.(/** @type {any} */ ({ link: { snapshot }, lastReload }), []);
  const failed = { ok: false };
  t.same(recordOf(null, null), {});
  t.same(recordOf({ canary: null }, failed), {}, 'of a primary that does not say it');
  t.same(recordOf({ canary: null, canaryTakenBack: false }, failed), {});
  t.same(recordOf({ canary: null, canaryTakenBack: true }, failed), { canaryTakenBack: true });
  t.same(recordOf({ canary: null, canaryTakenBack: true }, { ok: true }), {}, 'an earlier one');
});
