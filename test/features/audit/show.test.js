import t from 'tap';
import {
  commandsOf,
  concerns,
  isEntry,
  isWithin,
  lossText,
  senderText,
  whatText,
} from '../../../src/features/audit/show.js';

const time = '2026-11-26T22:20:04.118Z';
const by = {
  ...{ role: 'cli', user: 'alice', pid: 4711, uid: 1000, account: 'alice' },
  ...{ loginUid: 1000, login: 'alice', terminal: 'pts/3', origin: null, cwd: '/srv/my shop' },
  ...{ parent: 'bash deploy.sh', command: 'nodecluster reload shop' },
};
const PLACE = `: nodecluster reload shop; parent: bash deploy.sh; in '/srv/my shop'`;
const NOWHERE = { terminal: null, command: null, parent: null, cwd: null };

/** @type {[name: string, by: object | null, expected: string][]} */
const senders = [
  ['whole', by, `by alice (uid 1000, pts/3, pid 4711)${PLACE}`],
  [
    'sudo',
    { ...by, uid: 0, account: 'root' },
    `by root (uid 0, says alice, login alice, pts/3, pid 4711)${PLACE}`,
  ],
  [
    'a claim',
    { ...by, ...NOWHERE, user: 'root, uid 0' },
    `by alice (uid 1000, says 'root, uid 0', pid 4711)`,
  ],
  [
    'over SSH, by a program',
    { ...by, ...NOWHERE, role: 'program', origin: '198.51.100.7' },
    'by alice (uid 1000, program, pid 4711, from 198.51.100.7)',
  ],
  [
    'a login without a name',
    { ...by, ...NOWHERE, login: null, loginUid: 5 },
    'by alice (uid 1000, login 5, pid 4711)',
  ],
  [
    'only what the client says',
    { ...by, ...NOWHERE, uid: null, account: null, loginUid: null, login: null },
    'by an unknown user (says alice, pid 4711)',
  ],
  [
    'of an earlier version',
    { role: 'cli', user: 'alice', pid: 1, uid: 0, loginUid: 1000 },
    'by uid 0 (says alice, login 1000, pid 1)',
  ],
  ['a line that has less', { role: 'web' }, 'by an unknown user (web)'],
  ['a line that has nothing', {}, 'by an unknown user'],
  ['no sender', null, 'by an unknown user'],
  [
    'a newline',
    { ...by, ...NOWHERE, terminal: null, command: 'a\nb', user: 7 },
    String.raw`by alice (uid 1000, says 7, pid 4711): a\x0ab`,
  ],
];
for (const [name, given, expected] of senders) {
  t.test(name, async (t) => t.equal(senderText({ time, event: 'reload', by: given }), expected));
}

/** @type {[record: object, expected: string][]} */
const commands = [
  [{ event: 'reload', selectors: ['all'], apps: ['shop', 'pay:1'] }, 'reload shop pay:1'],
  [{ event: 'start', apps: ['shop'] }, 'start shop'],
  [{ event: 'kill' }, 'kill'],
  [{ event: 'scale', apps: ['shop'], selector: 'shop', instances: '+1' }, 'scale shop +1'],
  [{ event: 'signal', apps: ['shop'], signal: 'SIGHUP' }, 'signal shop SIGHUP'],
  [
    { event: 'stop', apps: [], selectors: ['\u001b[31mx\n'], refused: 'E_APP_UNKNOWN' },
    String.raw`stop x\x0a refused: E_APP_UNKNOWN`,
  ],
];
for (const [record, expected] of commands) {
  t.test(expected, async (t) => t.equal(whatText({ time, event: '', ...record }), expected));
}

t.test('which apps a command concerns', async (t) => {
  const record = (/** @type {object} */ more) => ({ time, event: 'reload', ...more });
  const rows = /** @type {[object, string[], boolean][]} */ ([
    [{ apps: ['shop', 'pay:1'] }, [], true],
    [{ apps: ['shop', 'pay:1'] }, ['shop'], true],
    [{ apps: ['shop', 'pay:1'] }, ['pay'], true],
    [{ apps: ['shop'] }, ['shop:0'], true],
    [{ apps: ['pay:1'] }, ['pay:0'], false],
    [{ apps: ['shop'] }, ['all'], true],
    [{ apps: ['shop'] }, ['sho', 'hop'], false],
    [{ apps: ['a', '…'] }, ['shop'], true],
    [{ apps: ['a'], selectors: ['a', '…'] }, ['shop'], false],
    [{ apps: [], selectors: ['shop'] }, ['shop'], true],
    [{ event: 'log.lost' }, ['shop'], true],
    [{}, ['shop'], false],
  ]);
  for (const [more, words, expected] of rows) {
    t.equal(concerns(record(more), words), expected, JSON.stringify([more, words]));
  }
});

t.test('one for each command; lines that are not entries', async (t) => {
  const asked = { time, daemon: 1, number: 1, event: 'stop' };
  const refused = { ...asked, refused: 'E_APP_UNKNOWN' };
  t.same(commandsOf([asked, refused]), [refused]);
  t.same(commandsOf([{ ...asked, daemon: 2 }, refused]).length, 2);
  t.same(commandsOf([refused]), [refused]);
  const others = [undefined, {}, { event: 1, time }, { event: 'x' }, { event: 'x', time: 'y' }];
  for (const other of others) t.notOk(isEntry(other));
  t.ok(isEntry(asked));
});

t.test('what is lost has a beginning', async (t) => {
  const at = Date.parse(time);
  const since = new Date(at - 5000).toISOString();
  const lost = { time, event: 'log.lost', lines: 2, since, reason: 'ENOSPC' };
  t.match(lossText(lost), /^2 lines of the audit could not be written since .*: ENOSPC$/);
  t.equal(
    lossText({ time, event: 'log.lost', lines: 1 }),
    '1 line of the audit could not be written',
  );
  t.ok(isWithin(lost, at - 9000, at - 4000));
  t.notOk(isWithin(lost, at + 1, Infinity));
  t.notOk(isWithin({ time, event: 'save', since }, 0, at - 1));
});
