import t from 'tap';
import { noteText } from '../../src/show/worker-note.js';

const places = [{ address: '*:9100', by: 'child 65' }];
/** @type {[note: import('../../src/protocol/shapes.js').Note, text: RegExp][]} */
const rows = [
  [{ kind: 'silent' }, /^runs, but listens on nothing$/],
  [{ kind: 'manager', program: 'npm' }, /^runs npm; what that starts has not listened yet$/],
  [
    { kind: 'elsewhere', ports: [3001, 80], asked: 3000 },
    /^listens on port 3001, 80 instead of 3000$/,
  ],
  [
    { kind: 'below', places, isAlone: false },
    /^listens on 9100 by child 65, .* as an app of its own$/,
  ],
  [{ kind: 'below', places, isAlone: true }, /Start the program that listens in its place$/],
  [{ kind: 'left-work', text: 'log4js …' }, /^log4js …$/],
  [{ kind: 'ended' }, /^ended with code 0 and is started again; .*stop_exit_codes: 0/],
];
for (const [note, text] of rows) t.test(note.kind, async (t) => t.match(noteText(note), text));
