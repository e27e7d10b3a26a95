import t from 'tap';
import { keepsSocket } from '../../src/lifecycle/socket-keeping.js';

const rows = [
  ['nobody is left and nobody comes', { isComing: false, servingMs: null }, false],
  ['somebody is coming', { isComing: true, servingMs: null }, true],
  ['somebody has just come, and may yet open it', { isComing: true, servingMs: 999 }, true],
  ['somebody has been here long without it', { isComing: true, servingMs: 1000 }, false],
];
for (const [name, view, kept] of rows) {
  t.test(name, async (t) => t.equal(keepsSocket({ settleMs: 1000, ...view }), kept));
}
