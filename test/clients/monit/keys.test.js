import t from 'tap';
import { actionFor } from '../../../src/clients/monit/keys.js';

/** mode, what is typed, its name → what it means */
const rows = [
  ['table', 'j', { name: 'j' }, { action: 'down' }],
  ['table', undefined, { name: 'down' }, { action: 'down' }],
  ['table', 'g', { name: 'g' }, { action: 'first' }],
  ['table', 'G', { name: 'g', shift: true }, { action: 'last' }],
  ['table', 'r', { name: 'r' }, { action: 'reload' }],
  ['table', 'R', { name: 'r', shift: true }, { action: 'restart' }],
  ['table', '\r', { name: 'return' }, { action: 'describe' }],
  ['table', ' ', { name: 'space' }, { action: 'fold' }],
  ['table', '\u0003', { name: 'c', ctrl: true }, { action: 'quit' }],
  ['table', 'x', { name: 'x' }, null],
  ['table', 'constructor', { name: 'constructor' }, null],
  ['table', undefined, { name: 'q', meta: true }, null],
  ['page', 'j', { name: 'j' }, { action: 'down' }],
  ['page', 'r', { name: 'r' }, null],
  ['page', '\u001b', { name: 'escape', meta: true }, { action: 'close' }],
  ['confirmation', 'y', { name: 'y' }, { action: 'yes' }],
  ['confirmation', '+', { sequence: '+' }, { action: 'more' }],
  ['confirmation', '\r', { name: 'return' }, { action: 'no' }],
  ['confirmation', undefined, { name: 'down' }, { action: 'no' }],
  ['confirmation', '\u0003', { name: 'c', ctrl: true }, { action: 'quit' }],
  ['confirmation', '\u0001', { name: 'a', ctrl: true }, { action: 'no' }],
  ['filter', 'q', { name: 'q' }, { action: 'type', text: 'q' }],
  ['filter', 'é', {}, { action: 'type', text: 'é' }],
  ['filter', '\u007f', { name: 'backspace' }, { action: 'erase' }],
  ['filter', '\t', { name: 'tab' }, null],
  ['filter', '\r', { name: 'return' }, { action: 'done' }],
];

for (const [mode, text, key, expected] of rows) {
  t.test(`${mode}: ${JSON.stringify(text ?? key.name)}`, async (t) => {
    t.same(actionFor(mode, text, key), expected);
  });
}
