import t from 'tap';
import stringWidth from 'string-width';
import { cell, truncate, widthOf, fit, wrap } from '../../../src/show/terminal/cells.js';

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

for (const [text, width, expected] of cuts) {
  t.test(`${text} in ${width} columns`, async (t) => {
    t.equal(truncate(text, width), expected);
    t.ok(widthOf(truncate(text, width)) <= width);
  });
}

t.test('the length of a text does not matter', async (t) => {
  t.equal(truncate('used by pid 26797 (node', 15), 'used by pid…', 'no part of a number');
  t.equal(truncate(`Müller ${'x'.repeat(200_000)}`, 12), 'Müller xxxx…');
  t.equal(cell('ü'.repeat(200_000), 3), 'üü…');
});

t.test('colours take no room', async (t) => {
  t.equal(widthOf('\u001b[31mred\u001b[39m'), 3);
});

t.test('a cell is exactly as wide as told, and only its text is coloured', async (t) => {
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
  t.same(
    all.filter((character) => stringWidth(character) !== 1 || widthOf(character) !== 1),
    [],
  );
  for (const text of ['e\u0301', '✔\ufe0f', '©\ufe0f', 'a\u00adb', '#\u20e3', 'ü日'])
    t.equal(widthOf(text), stringWidth(text), text);
});

const name = { id: 'name', priority: Infinity, minWidth: 5, fullWidth: 10 };
const state = { id: 'state', priority: 9, minWidth: 6, fullWidth: 8 };
const pid = { id: 'pid', priority: 1, minWidth: 4, fullWidth: 4 };

/** room for name, state and pid with a gap of 1 → the widths */
const rows = [
  ['as much as it takes', null, { name: 10, state: 8, pid: 4 }],
  ['more than it takes', 100, { name: 10, state: 8, pid: 4 }],
  ['exactly that', 24, { name: 10, state: 8, pid: 4 }],
  ['the most important one grows first', 20, { name: 8, state: 6, pid: 4 }],
  ['the least widths', 17, { name: 5, state: 6, pid: 4 }],
  ['one column less: what it took is shared out', 16, { name: 9, state: 6 }],
  ['two less', 11, { name: 10 }],
  ['what always stays', 3, { name: 5 }],
];

for (const [what, room, widths] of rows) {
  t.test(what, async (t) => {
    const shown = fit([name, state, pid], room, 1);
    t.same(Object.fromEntries(shown.map(({ claim, width }) => [claim.id, width])), widths);
  });
}

t.test('columns stay in their order', async (t) => {
  const shown = fit([pid, name, state], 24, 1);
  t.same(
    shown.map(({ claim }) => claim.id),
    ['pid', 'name', 'state'],
  );
});

for (const [text, width, rows] of [
  ['', 3, ['']],
  ['abc', 3, ['abc']],
  ['abcd  ef', 3, ['abc', 'd  ', 'ef']],
  ['日本語', 5, ['日本', '語']],
  ['a👩‍👩‍👧b', 2, ['a', '👩‍👩‍👧', 'b']],
]) {
  t.test(`${JSON.stringify(text)} in rows of ${width} columns`, async (t) => {
    t.same(wrap(text, width), rows);
  });
}
