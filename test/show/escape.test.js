import t from 'tap';
import { jsonText, escapeLine, escapeText } from '../../src/show/escape.js';

const rows = [
  ['plain text', 'plain text'],
  ['ä, 漢字 and 👍 stay', 'ä, 漢字 and 👍 stay'],
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b[2J\u001b[Hwiped', '\\x1b[2J\\x1b[Hwiped'],
  ['\u001b]0;title\u0007', '\\x1b]0;title\\x07'],
  ['back\b\b\b\bhidden\r', 'back\\x08\\x08\\x08\\x08hidden\\x0d'],
  ['8-bit \u009b31m', '8-bit \\x9b31m'],
  ['turned \u202etxt.exe', 'turned \\u202etxt.exe'],
  ['a\tb', 'a  b'],
  ['two\nlines', 'two\\x0alines'],
];

t.test('no control character of a program reaches the terminal', async (t) => {
  for (const [given, shown] of rows) t.equal(escapeLine(given), shown);
});

t.test('text keeps its lines', async (t) => {
  t.equal(escapeText('one\r\n\u001b[1mtwo\u001b[0m'), 'one\ntwo');
});

t.test('what is no text is spelled out', async (t) => {
  t.equal(escapeLine(undefined), 'undefined');
  t.equal(escapeLine(7), '7');
});

t.test('JSON says the same as the value and holds nothing to obey', async (t) => {
  const value = { name: 'a\u009bb\u202ec\u001b' };
  const text = jsonText(value);
  t.same(JSON.parse(text), value);
  // eslint-disable-next-line no-control-regex -- that is the question
  t.notMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});
