/** Which argument or variable is named when the system refuses to start a program with them. */
import t from 'tap';
import { describeExcess, startWithin } from '../../src/shared/processes/exec-limits.js';

const STACK = 8 * 1024 * 1024;
const text = (length) => 'x'.repeat(length);
const of = (count, length) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`V${at}`, text(length + at)]));
const secret = `--password=s3cret${text(200_000)}`;

const rows = [
  [
    'a variable',
    { env: { A: '', BIG: text(200_000) } },
    'the variable BIG takes 195.3K, and the limit for one is 128K',
  ],
  ['its name counts', { env: { ['N'.repeat(200_000)]: '1' } }, /^the variable N{23}… takes 195.3K/],
  ['in bytes', { env: { A: 'ä'.repeat(70_000) } }, /^the variable A takes 136.7K/],
  ['a variable that is removed', { env: { A: text(200_000), TZ: undefined } }, /^the variable A /],
  ['an argument', { command: ['node', text(200_000)] }, /^the argument x{23}… takes 195.3K/],
  ['a secret', { command: ['node', secret] }, /^the argument '--password=\*+' takes 195.3K/],
  [
    'all',
    { env: of(40, 100_000) },
    /^41 arguments and variables take 3.8M, and the limit is 2M, a quarter of the stack limit \(ulimit -s\); the largest is the variable V39 with 97.7K$/,
  ],
  ['a small stack', { env: of(4, 100_000) }, /the limit is 128K/, 64 * 1024],
  ['no limit of the stack', { env: of(70, 100_000) }, /the limit is 6M/, Infinity],
];
for (const [name, execution, expected, stack = STACK] of rows) {
  t.test(name, async (t) => {
    const said = describeExcess({ command: ['node'], env: {}, ...execution }, stack);
    t.match(said, expected);
    t.notMatch(said, 's3cret');
  });
}

t.test('other errors stay as they are', async (t) => {
  const error = Object.assign(new Error('spawn EMFILE'), { code: 'EMFILE' });
  const start = () => {
    throw error;
  };
  t.throws(() => startWithin({ command: [], env: {} }, start), error);
  t.equal(
    startWithin({ command: [], env: {} }, () => 1),
    1,
  );
});
