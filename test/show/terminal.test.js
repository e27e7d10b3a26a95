/** What is drawn on a terminal: colours, cells and tables. */
import t from 'tap';
import stringWidth from 'string-width';
import { cell, truncate, widthOf, fit, wrap } from '../../src/show/terminal/cells.js';
import { usesColours, wrapText } from '../../src/show/terminal/palette.js';
import { drawTable } from '../../src/show/terminal/table.js';

const rows = [
  ['a terminal', true, {}, [], true],
  ['a pipe', false, {}, [], false],
  ['a dumb terminal', true, { TERM: 'dumb' }, [], false],
  ['FORCE_COLOR=3 on a pipe', false, { FORCE_COLOR: '3' }, [], true],
  ['FORCE_COLOR=0 on a terminal', true, { FORCE_COLOR: '0' }, [], false],
  ['NO_COLOR wins', true, { FORCE_COLOR: '1', NO_COLOR: '1' }, ['--color'], false],
  ['--no-color', true, { FORCE_COLOR: '1' }, ['ls', '--no-color'], false],
  ['--color on a pipe', false, {}, ['ls', '--color'], true],
  ['--color of the program', false, {}, ['start', 'a.js', '--', '--color'], false],
];

for (const [name, isTerminal, env, argv, expected] of rows)
  t.equal(usesColours({ isTerminal, env, argv }), expected, name);

const wrapRows = [
  ['one two three', null, 'one two three'],
  ['one two three four five six', 20, 'one two three four\nfive six'],
  ['  -v  one two three four five six', 24, '  -v  one two three four\n  five six'],
  [
    '\u001b[2mone two three four five\u001b[22m',
    20,
    '\u001b[2mone two three four\u001b[22m\n\u001b[2mfive\u001b[22m',
  ],
  ['a /very/long/path/that/is/not/broken b', 20, 'a\n/very/long/path/that/is/not/broken\nb'],
  ['one\n\ntwo', null, '12:00 one\n12:00 \n12:00 two', '12:00 '],
  ['one two three four five', 26, '12:00 one two three four\n      five', '12:00 '],
  ['  one two three four five', 26, '!   one two three four\n    five', '! '],
  ['a '.repeat(3000), 80, 'a '.repeat(3000)],
];

for (const [text, width, expected, head] of wrapRows)
  t.equal(wrapText(text, width, head), expected, `${text.slice(0, 40)} in ${width} columns`);

const cuts = [
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['日本語', 6, '日本語'],
  ['日本語', 5, '日本…'],
  ['日本語', 4, '日…'],
  ['👩‍👩‍👧x', 2, '…'],
  ['abc', 1, '…'],
  ['abc', 0, ''],
];

for (const [text, width, expected] of cuts)
  t.equal(truncate(text, width), expected, `${text} cut to ${width} columns`);

t.test('a cell is as wide as told, and only its text is coloured', async (t) => {
  t.equal(truncate('used by pid 26797 (node', 15), 'used by pid…', 'no part of a number');
  t.equal(truncate(`Müller ${'x'.repeat(200_000)}`, 12), 'Müller xxxx…');
  t.equal(cell('ü'.repeat(200_000), 3), 'üü…');
  t.equal(cell('日', 4), '日  ');
  t.equal(cell('7', 3, { align: 'right' }), '  7');
  t.equal(cell('on', 4, { colour: (text) => `<${text}>` }), '<on>  ');
  t.equal(cell('', 2, { colour: (text) => `<${text}>` }), '  ');
});

t.test('characters that are not measured by string-width take one column', async (t) => {
  const ranges = [
    [0x20, 0x7e],
    [0xa1, 0xac],
    [0xae, 0x17f],
  ];
  const letters = ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index)),
  );
  const all = [...letters, ...'–—…→✔✖'];
  const wrong = all.filter((character) => stringWidth(character) !== 1 || widthOf(character) !== 1);
  t.same(wrong, []);
  for (const text of ['e\u0301', '✔\ufe0f', '©\ufe0f', 'a\u00adb', '#\u20e3', 'ü日'])
    t.equal(widthOf(text), stringWidth(text), text);
});

const name = { id: 'name', priority: Infinity, minWidth: 5, fullWidth: 10 };
const state = { id: 'state', priority: 9, minWidth: 6, fullWidth: 8 };
const pid = { id: 'pid', priority: 1, minWidth: 4, fullWidth: 4 };

/** room for name, state and pid with a gap of 1 → the widths */
const cellRows = [
  ['as much as it takes', null, { name: 10, state: 8, pid: 4 }],
  ['more than it takes', 100, { name: 10, state: 8, pid: 4 }],
  ['exactly that', 24, { name: 10, state: 8, pid: 4 }],
  ['the most important one grows first', 20, { name: 8, state: 6, pid: 4 }],
  ['the least widths', 17, { name: 5, state: 6, pid: 4 }],
  ['one column less: what it took is shared out', 16, { name: 9, state: 6 }],
  ['two less', 11, { name: 10 }],
  ['what always stays', 3, { name: 5 }],
];

for (const [what, room, widths] of cellRows) {
  const shown = fit([name, state, pid], room, 1);
  t.same(Object.fromEntries(shown.map(({ claim, width }) => [claim.id, width])), widths, what);
}

for (const [text, width, rows] of [
  ['', 3, ['']],
  ['abc', 3, ['abc']],
  ['abcd  ef', 3, ['abc', 'd  ', 'ef']],
  ['日本語', 5, ['日本', '語']],
  ['a👩‍👩‍👧b', 2, ['a', '👩‍👩‍👧', 'b']],
])
  t.same(wrap(text, width), rows, `${JSON.stringify(text)} in rows of ${width} columns`);

t.test('text is as wide as a terminal draws it, and colours take no room', async (t) => {
  const red = (text) => `\u001b[31m${text}\u001b[39m`;
  const scripts = ['日本語', 'ไม่ก็', 'مَرحبا', 'नि', '🫠🩷', '👩‍👩‍👧', 'e\u0301', '…'];
  const longest = red('y'.repeat(12));
  for (const text of [...scripts, red('é')]) {
    const rows = [text, longest].map((each) => [each, 'x']);
    const padded = `${text}${' '.repeat(12 - stringWidth(text))}`;
    t.same(drawTable(rows, [{}, {}]), [`${padded}  x`, `${longest}  x`], text);
  }
});

t.test('the last cell of a short row spans the rest', async (t) => {
  const rows = [
    ['a', 'a long text that spans'],
    ['b', 'c', 'd'],
  ];
  t.same(drawTable(rows, [{}, { width: 4 }, {}]), ['a  a long text that spans', 'b  c     d']);
});
