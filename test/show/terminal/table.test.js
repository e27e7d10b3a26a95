import t from 'tap';
import { widthOf } from '../../../src/show/terminal/cells.js';
import { drawTable } from '../../../src/show/terminal/table.js';

t.test(
  'cells stand under each other, two columns apart, and no line ends with a space',
  async (t) => {
    const rows = [
      ['name', 'cpu', 'state'],
      ['a', '3.1%', ''],
    ];
    const columns = [{}, { align: 'right', width: 5 }, {}];
    t.same(drawTable(rows, columns), ['name    cpu  state', 'a      3.1%']);
  },
);

t.test('text is as wide as a terminal draws it, in every script', async (t) => {
  for (const text of ['日本語', 'ไม่ก็', 'مَرحبا', 'नि', '🫠🩷', '👩‍👩‍👧', 'e\u0301', '…']) {
    const [line, other] = drawTable(
      [
        [text, 'x'],
        ['y'.repeat(12), 'x'],
      ],
      [{}, {}],
    );
    t.ok(line.startsWith(text), text);
    t.equal(widthOf(line), 15, text);
    t.equal(widthOf(other), 15);
  }
});

t.test('colours take no room, and stay with their text', async (t) => {
  const red = (/** @type {string} */ text) => `\u001b[31m${text}\u001b[39m`;
  t.same(
    drawTable(
      [
        [red('é'), 'x'],
        [red('abc'), 'x'],
      ],
      [{}, {}],
    ),
    [`${red('é')}    x`, `${red('abc')}  x`],
  );
});

t.test('the last cell of a short row spans the rest', async (t) => {
  const rows = [
    ['a', 'a long text that spans'],
    ['b', 'c', 'd'],
  ];
  t.same(drawTable(rows, [{}, { width: 4 }, {}]), ['a  a long text that spans', 'b  c     d']);
});
