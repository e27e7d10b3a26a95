import t from 'tap';
import { noteListening, keepsSocket } from '../../src/lifecycle/listening.js';

const facts = { listening: [], mayListen: true, port: null, usual: [] };
const notes = [
  ['a server without a socket', {}, 'runs, but listens on nothing yet'],
  ['a program that is no server', { mayListen: false }, null],
  ['a server', { listening: ['*:3000'] }, null],
  ['its PORT', { listening: ['[::1]:3000', '*:9000'], port: 3000 }, null],
  [
    'another port than its PORT',
    { listening: ['*:3001'], port: 3000 },
    'listens on port 3001 instead of 3000',
  ],
  ['PORT is 0', { listening: ['*:41234'], port: 0 }, null],
  ['a port of its own', { listening: ['*:3001'], usual: ['*:3000'] }, null],
  [
    'a random one, while its siblings have another',
    { listening: ['*:41234'], usual: ['*:3000'] },
    'listens on port 41234 instead of 3000',
  ],
  ['a random one each time', { listening: ['*:41234'], usual: ['*:38000'] }, null],
  ['a unix socket', { listening: ['/run/api.sock'], port: 3000, usual: ['*:3000'] }, null],
];
for (const [name, change, note] of notes) {
  t.test(name, async (t) => t.equal(noteListening({ ...facts, ...change }), note));
}

const coming = { isComing: true, servingMs: null };
const keepings = [
  ['no slot is left', [], false],
  ['nobody is left and nobody comes', [{ isComing: false, servingMs: null }], false],
  ['somebody is coming', [coming], true],
  ['somebody has just come, and may yet open it', [{ ...coming, servingMs: 999 }], true],
  ['somebody has been here long without it', [{ ...coming, servingMs: 1000 }], false],
  ['one has been here long, another is coming', [{ ...coming, servingMs: 1000 }, coming], true],
];
for (const [name, slots, kept] of keepings) {
  t.test(name, async (t) => t.equal(keepsSocket(slots, 1000), kept));
}
