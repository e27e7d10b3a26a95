import t from 'tap';
import { wrapText } from '../../../src/cli/render/wrap.js';

const rows = [
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
];

for (const [text, width, expected] of rows) {
  t.test(`${JSON.stringify(text)} in ${width} columns`, async (t) => {
    t.equal(wrapText(text, width), expected);
  });
}
