/** Differences between two states, as RFC 7396 applies them, and checks of what comes from others. */
import t from 'tap';
import * as is from '../../src/shared/checks.js';
import * as patches from '../../src/shared/merge-patch.js';

const { mergePatch, patchBetween, withoutNulls, byName, inOrder } = patches;

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
    t.strictSame(mergePatch(before, patch ?? {}), after, `${name}, applied`);
  }
});

t.test('a name that JavaScript gives a meaning', async (t) => {
  const named = JSON.parse('{"apps":{"__proto__":{"pid":1}}}');
  t.equal(JSON.stringify(patchBetween({ apps: {} }, named)), JSON.stringify(named));
  t.equal(patchBetween(named, named), null);
});

t.test('members that are null are left out', async (t) => {
  const state = { a: null, b: { c: null, d: undefined, e: 0 }, f: [{ h: null }], g: '' };
  t.strictSame(withoutNulls(state), { b: { e: 0 }, f: [{}], g: '' });
});

t.test('merge patches, the examples of RFC 7396', async (t) => {
  const rows = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [['a'], ['c', 'd'], ['c', 'd']],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [target, patch, result] of rows) {
    t.same(mergePatch(target, patch), result, JSON.stringify([target, patch]));
  }
});

t.test('and it can be patched', async (t) => {
  const [added, changed] = [{ pid: 1 }, { pid: 2 }].map((app) => ({
    apps: JSON.parse(`{"__proto__":${JSON.stringify(app)}}`),
  }));
  const first = mergePatch({ apps: { api: {} } }, added);
  t.same(Object.entries(first.apps), [
    ['api', {}],
    ['__proto__', { pid: 1 }],
  ]);
  const second = mergePatch(first, changed);
  t.same(second.apps.__proto__, { pid: 2 });
  t.same(Object.keys(mergePatch(second, JSON.parse('{"apps":{"__proto__":null}}')).apps), ['api']);
});

t.test('what a patch does not mention stays the same object', async (t) => {
  const state = { apps: { api: { workers: { 1: { status: 'online' } } }, web: {} } };
  const next = mergePatch(state, { apps: { web: { busy: 'reload' } } });
  t.equal(next.apps.api, state.apps.api);
  t.not(next.apps, state.apps);
  t.same(state.apps.web, {}, 'the state itself is not changed');
});

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

const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
const of = is.orNewer(
  is.either(is.object({ kind: is.oneOf('a'), n: is.number }), is.object({ kind: is.oneOf('b') })),
);
const person = is.object({
  name: is.string,
  age: is.optional(is.numberOf({ integer: true, minimum: 0 })),
});

const rows = [
  ['anything', is.anything, deep, null],
  ['boolean', is.boolean, false, null],
  ['boolean', is.boolean, 0, ''],
  ['oneOf', is.oneOf('a', 'b'), 'b', null],
  ['oneOf', is.oneOf('a', 'b'), 'toString', ''],
  ['number', is.numberOf({ minimum: 1, maximum: 2 }), 1.5, null],
  ['number', is.numberOf({ minimum: 1, maximum: 2 }), 0.5, ''],
  ['number', is.numberOf({ minimum: 1, maximum: 2 }), 2.5, ''],
  ['number', is.number, JSON.parse('1e400'), ''],
  ['number', is.number, NaN, ''],
  ['number', is.number, '1', ''],
  ['integer', is.numberOf({ integer: true, minimum: 0, maximum: 9 }), 9, null],
  ['integer', is.numberOf({ integer: true, minimum: 0, maximum: 9 }), 10, ''],
  ['integer', is.numberOf({ integer: true, minimum: 0 }), -1, ''],
  ['integer', is.numberOf({ integer: true }), 0.5, ''],
  ['integer', is.numberOf({ integer: true }), 2 ** 53, ''],
  ['string', is.string, 'x'.repeat(2 ** 17), null],
  ['string', is.string, 'x'.repeat(2 ** 17 + 1), ''],
  ['string', is.string, ['a'], ''],
  ['string', is.stringOf({ maxLength: 2 }), 'abc', ''],
  ['string', is.stringOf({ pattern: /^a+$/ }), 'aa', null],
  ['string', is.stringOf({ pattern: /^a+$/ }), 'ab', ''],
  ['json', is.json(5), [1, 2], null],
  ['json', is.json(5), [1, 22], ''],
  ['json', is.json(1e9), deep, ''],
  ['nullable', is.nullable(is.boolean), null, null],
  ['nullable', is.nullable(is.boolean), undefined, ''],
  ['either', is.either(is.boolean, is.number), 5, null],
  ['either', is.either(is.boolean, is.number), '5', ''],
  ['orNewer', of, { kind: 'a', n: 1 }, null],
  ['orNewer', of, { kind: 'a' }, ''],
  ['orNewer', of, { kind: 'c' }, null],
  ['orNewer', of, { kind: 5 }, ''],
  ['orNewer', of, { kind: 'c', deep }, ''],
  ['orNewer', of, 'c', ''],
  ['list', is.list(is.boolean), [], null],
  ['list', is.list(is.boolean), [true, 1], '1'],
  ['list', is.list(is.boolean), { length: 0 }, ''],
  ['list', is.list(is.boolean, { minItems: 1 }), [], ''],
  ['list', is.list(is.anything, { maxItems: 2 }), [1, 2, 3], ''],
  ['list', is.list(is.anything, { uniqueItems: true }), [1, 2, 1], ''],
  ['tuple', is.tuple(is.string, is.number), ['a', 1], null],
  ['tuple', is.tuple(is.string, is.number), ['a', 'b'], '1'],
  ['tuple', is.tuple(is.string), ['a', 'b'], ''],
  ['map', is.map(is.stringOf({ maxLength: 1 }), is.boolean), { a: true }, null],
  ['map', is.map(is.stringOf({ maxLength: 1 }), is.boolean), { a: 1 }, 'a'],
  ['map', is.map(is.stringOf({ maxLength: 1 }), is.boolean), { ab: true }, 'ab'],
  ['map', is.map(is.string, is.boolean), JSON.parse('{"__proto__": 1}'), '__proto__'],
  ['map', is.map(is.string, is.boolean), [], ''],
  // The service links of Kubernetes, as variables.
  ['map', is.map(is.string, is.anything), { ...Array(12_000).fill(0) }, null],
  ['object', person, { name: 'a', other: 1 }, null],
  ['object', person, { name: 'a', age: 1 }, null],
  ['object', person, { age: 1 }, 'name'],
  ['object', person, { name: 'a', age: null }, 'age'],
  ['object', person, null, ''],
  ['object', person, [], ''],
  ['nested', is.list(is.object({ who: person })), [{ who: { name: 1 } }], '0.who.name'],
];

for (const [index, [name, check, value, path]] of rows.entries())
  t.equal(check(value), path, `${name}, row ${index}`);

t.test('what an object does not declare can be left out', async (t) => {
  t.same(is.withoutOthers({ name: 'a', id: 7 }, person), { name: 'a' });
});
