import t from 'tap';
import { keepsSocket } from '../../src/lifecycle/listening/socket-keeping.js';

const coming = { isComing: true, servingMs: null };
const rows = [
  ['no slot is left', [], false],
  ['nobody is left and nobody comes', [{ isComing: false, servingMs: null }], false],
  ['somebody is coming', [coming], true],
  ['somebody has just come, and may yet open it', [{ ...coming, servingMs: 999 }], true],
  ['somebody has been here long without it', [{ ...coming, servingMs: 1000 }], false],
  ['one has been here long, another is coming', [{ ...coming, servingMs: 1000 }, coming], true],
];
for (const [name, slots, kept] of rows) {
  t.test(name, async (t) => t.equal(keepsSocket(slots, 1000), kept));
}
