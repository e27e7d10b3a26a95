import t from 'tap';
import { senderText, whatText } from '../../../src/features/audit/show.js';

const by = {
  ...{ role: 'cli', user: 'alice', pid: 4711, uid: 1000, loginUid: 1000 },
  ...{ terminal: 'pts/3', command: 'node nodecluster reload shop' },
};

/** @type {[name: string, by: object | null, expected: string][]} */
const senders = [
  ['whole', by, 'by alice (uid 1000, pts/3, pid 4711): node nodecluster reload shop'],
  [
    'sudo',
    { ...by, uid: 0 },
    'by alice (uid 0, login 1000, pts/3, pid 4711): node nodecluster reload shop',
  ],
  [
    'only what the client says',
    { ...by, uid: null, loginUid: null, terminal: null, command: null },
    'by alice (pid 4711)',
  ],
  ['nothing', { role: 'web', user: null, pid: null, uid: null, loginUid: null }, 'by web'],
  ['a line that has less', { role: 'web' }, 'by web'],
  ['a line that has nothing', {}, 'by an unknown sender'],
  ['no sender', null, 'by an unknown sender'],
];
for (const [name, given, expected] of senders) {
  t.test(name, async (t) => t.equal(senderText({ event: 'reload', by: given }), expected));
}

/** @type {[record: object, expected: string][]} */
const commands = [
  [{ event: 'reload', selectors: ['shop', 'pay'] }, 'reload shop pay'],
  [{ event: 'start', apps: ['shop'] }, 'start shop'],
  [{ event: 'kill' }, 'kill'],
  [
    { event: 'stop', selectors: ['\u001b[31mx'], refused: 'E_APP_UNKNOWN' },
    'stop x refused: E_APP_UNKNOWN',
  ],
];
for (const [record, expected] of commands) {
  t.test(expected, async (t) => t.equal(whatText({ by, ...record }), expected));
}
