import t from 'tap';
import * as is from '../../src/shared/checks.js';

const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
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
