/** Differences between two states, as RFC 7396 applies them. */
import t from 'tap';
import { patchBetween, withoutNulls } from '../../../src/clients/web/merge-patch.js';

t.test('what changed, and only that', async (t) => {
  const rows = [
    [{}, {}, null],
    [{ a: 1 }, { a: 1 }, null],
    [{ a: 1 }, { a: 2 }, { a: 2 }],
    [{ a: 1 }, {}, { a: null }],
    [{}, { a: { b: 1 } }, { a: { b: 1 } }],
    [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { c: 3 } }],
    [{ a: { b: 1 } }, { a: {} }, { a: { b: null } }],
    [{ a: [1, 2] }, { a: [1, 2] }, null],
    [{ a: [1, null] }, { a: [1] }, { a: [1] }],
    [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }, { a: [{ b: 2 }] }],
    [{ a: { b: 1 } }, { a: 1 }, { a: 1 }],
    [{ a: 1 }, { a: { b: 1 } }, { a: { b: 1 } }],
    [{ a: [1] }, { a: { b: 1 } }, { a: { b: 1 } }],
    [{ constructor: 1 }, { constructor: 2 }, { constructor: 2 }],
    [{}, { constructor: 1 }, { constructor: 1 }],
  ];
  for (const [before, after, patch] of rows) {
    const name = `${JSON.stringify(before)} → ${JSON.stringify(after)}`;
    t.strictSame(patchBetween(before, after), patch, name);
    t.strictSame(applied(before, patch), after, `${name}, applied`);
  }
});

t.test('a name that JavaScript gives a meaning', async (t) => {
  const named = JSON.parse('{"apps":{"__proto__":{"pid":1}}}');
  t.equal(JSON.stringify(patchBetween({ apps: {} }, named)), JSON.stringify(named));
  t.equal(patchBetween(named, named), null);
});

t.test('members that are null are left out', async (t) => {
  t.strictSame(withoutNulls({ a: null, b: { c: null, d: undefined, e: 0 }, f: [null], g: '' }), {
    b: { e: 0 },
    f: [null],
    g: '',
  });
});

/** RFC 7396, section 2. */
function applied(target, patch) {
  if (patch === null) return target;
  if (typeof patch !== 'object' || Array.isArray(patch)) return patch;
  const result = typeof target === 'object' && !Array.isArray(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = applied(Object.hasOwn(result, key) ? result[key] : undefined, value);
  }
  return result;
}
