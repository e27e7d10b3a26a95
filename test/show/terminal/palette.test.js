import t from 'tap';
import { usesColours, wrapText } from '../../../src/show/terminal/palette.js';

/** @type {[string, boolean, Record<string, string>, string[], boolean][]} */
const rows = [
  ['a terminal', true, {}, [], true],
  ['a pipe', false, {}, [], false],
  ['a dumb terminal', true, { TERM: 'dumb' }, [], false],
  ['FORCE_COLOR on a pipe', false, { FORCE_COLOR: '1' }, [], true],
  ['FORCE_COLOR=3 on a pipe', false, { FORCE_COLOR: '3' }, [], true],
  ['FORCE_COLOR without a value', false, { FORCE_COLOR: '' }, [], true],
  ['FORCE_COLOR=0 on a terminal', true, { FORCE_COLOR: '0' }, [], false],
  ['FORCE_COLOR=false on a terminal', true, { FORCE_COLOR: 'false' }, [], false],
  ['NO_COLOR wins', true, { FORCE_COLOR: '1', NO_COLOR: '1' }, ['--color'], false],
  ['an empty NO_COLOR is none', true, { NO_COLOR: '' }, [], true],
  ['--no-color', true, { FORCE_COLOR: '1' }, ['ls', '--no-color'], false],
  ['--color on a pipe', false, {}, ['ls', '--color'], true],
  ['--color of the program', false, {}, ['start', 'a.js', '--', '--color'], false],
];

for (const [name, isTerminal, env, argv, expected] of rows) {
  t.test(name, async (t) => t.equal(usesColours({ isTerminal, env, argv }), expected));
}

const wrapRows = [
  ['one two three', null, 'one two three'],
  ['one two three', 20, 'one two three'],
  ['one two three four five six', 20, 'one two three four\nfive six'],
  ['  -v  one two three four five six', 24, '  -v  one two three four\n  five six'],
  ['\u001b[1mone\u001b[22m two three fours', 20, '\u001b[1mone\u001b[22m two three fours'],
  ['\u001b[2m  short\u001b[22m', 20, '\u001b[2m  short\u001b[22m'],
  [
    '\u001b[2mone two three four five\u001b[22m',
    20,
    '\u001b[2mone two three four\u001b[22m\n\u001b[2mfive\u001b[22m',
  ],
  ['a /very/long/path/that/is/not/broken b', 20, 'a\n/very/long/path/that/is/not/broken\nb'],
  ['one\n\ntwo', null, '12:00 one\n12:00 \n12:00 two', '12:00 '],
  ['one\rtwo\n', null, '! one\rtwo\n! ', '! '],
  ['one two three four five', 26, '12:00 one two three four\n      five', '12:00 '],
  ['  one two three four five', 28, '!   one two three four five', '! '],
  ['  one two three four five', 26, '!   one two three four\n    five', '! '],
  ['a '.repeat(3000), 80, 'a '.repeat(3000)],
];

for (const [text, width, expected, head] of wrapRows) {
  t.test(`${JSON.stringify(text.slice(0, 40))} in ${width} columns`, async (t) => {
    t.equal(wrapText(text, width, head), expected);
  });
}
