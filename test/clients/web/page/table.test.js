import t from 'tap';
import { countTones } from '../../../../src/clients/web/page/table.js';

const rows = [
  [['bad'], '1 red'],
  [['bad', 'bad', 'warn', 'good', '', ''], '2 red, 1 amber, 1 green, 2 other'],
];
for (const [tones, text] of rows) {
  t.test(text, async (t) => {
    t.equal(countTones(tones.map((tone) => ({ tone }))), text);
  });
}
