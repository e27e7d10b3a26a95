import t from 'tap';
import { ConfigValue, sourceWithoutFile } from '../../../src/config/file/config-value.js';
import { instancesType as instances } from '../../../src/config/options/instances.js';

/** @param {unknown} value */
function read(value) {
  const source = sourceWithoutFile(String);
  const taken = instances.read(new ConfigValue(value, [], source));
  const { problems } = source;
  return problems.length > 0 ? problems.map(({ text }) => text).join('; ') : taken;
}

const range = (parts) => ({ min: 1, max: 0, elu: 0.8, cooldownMs: 300_000, ...parts });

t.test('a number of instances, or a range', async (t) => {
  for (const [value, taken] of [
    [4, 4],
    ['4', 4],
    ['max', 0],
    [0, 0],
    [-1, -1],
    [{}, range()],
    [{ min: 2, max: 'max', elu: 0.8 }, range({ min: 2 })],
    [
      { min: '2', max: -1, elu: '0.5', cooldown: '90s' },
      range({ min: 2, max: -1, elu: 0.5, cooldownMs: 90_000 }),
    ],
    [{ min: 3, max: 3 }, range({ min: 3, max: 3 })],
    ['2..8', range({ min: 2, max: 8 })],
    ['2..max', range({ min: 2 })],
    ['2..', range({ min: 2 })],
    ['-3..-1', range({ min: -3, max: -1 })],
    [
      'x',
      'expected a number such as 4, max, -1 (all cores but one), or a range such as 2..max, got "x"',
    ],
    [1001, '1001 is more than 1000'],
    [-1001, '1001 is more than 1000'],
    ['2..1001', '1001 is more than 1000'],
    [[2, 8], /got a list$/],
    [null, /got nothing$/],
    [{ min: 4, max: 2 }, 'min is larger than max'],
    [{ min: 'max', max: -1 }, 'min is larger than max'],
    ['8..2', 'min is larger than max'],
    [{ min: 'few' }, /^expected a number such as 4, max, .*, got "few"$/],
    [{ elu: 80 }, 'expected a number above 0 and below 1, such as 0.8, got 80'],
    [{ elu: 1 }, /^expected a number above 0/],
    [{ cooldown: 5 }, 'expected a duration of at least 1s, got 5'],
    [{ most: 5 }, 'no such key; expected min, max, elu or cooldown'],
  ]) {
    t.match(read(value), taken, JSON.stringify(value));
  }
});

t.test('as a file has it', async (t) => {
  for (const [value, written] of [
    [4, 4],
    [0, 'max'],
    [range({ min: 2 }), { min: 2, max: 'max', elu: 0.8, cooldown: '5m' }],
  ]) {
    t.same(instances.write(value), written);
    t.same(read(written), value);
  }
});
