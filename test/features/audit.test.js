import t from 'tap';
import { textOf } from '../../src/features/audit/show.js';

const time = '2026-11-26T22:20:04.118Z';
const by = { role: 'cli', user: 'alice', account: 'alice', login: 'alice' };
const place = { cwd: '/srv/my shop' };

const senders = [
  ['whole', { ...by, ...place }, `by alice in '/srv/my shop'`],
  ['sudo', { ...by, ...place, account: 'root' }, `by root (login alice) in '/srv/my shop'`],
  ['a claim', { ...by, user: 'root, uid 0' }, `by alice (says 'root, uid 0')`],
  ['a program', { ...by, role: 'program' }, 'by alice (program)'],
  ['a login without a name', { ...by, login: '5' }, 'by alice (login 5)'],
  ['only a claim', { ...by, account: null, login: null }, 'by an unknown user (says alice)'],
  ['a line that has less', { role: 'web' }, 'by an unknown user (web)'],
  ['a line that has nothing', {}, 'by an unknown user'],
  ['no sender', null, 'by an unknown user'],
  ['a newline', { ...by, cwd: 'a\nb', user: 7 }, String.raw`by alice (says 7) in 'a\x0ab'`],
];
for (const [name, given, expected] of senders)
  t.equal(textOf({ time, event: 'save', by: given }), `save ${expected}`, name);

const commands = [
  [{ event: 'reload', selectors: ['all'], apps: ['shop', 'pay:1'] }, 'reload shop pay:1'],
  [{ event: 'start', apps: ['shop'] }, 'start shop'],
  [{ event: 'kill' }, 'kill'],
  [{ event: 'scale', apps: ['shop'], selector: 'shop', instances: '+1' }, 'scale shop +1'],
  [{ event: 'signal', apps: ['shop'], signal: 'SIGHUP' }, 'signal shop SIGHUP'],
  [{ event: 'stop', selectors: ['\u001b[31mx\n'], refused: 'E_X' }, 'stop x\\x0a refused: E_X'],
];
for (const [record, expected] of commands)
  t.equal(textOf({ time, event: '', ...record }), `${expected} by an unknown user`);

t.test('what is lost', async (t) => {
  const lost = { time, event: 'log.lost', lines: 2, since: time, reason: 'ENOSPC' };
  t.match(textOf(lost), /^2 lines of the audit could not be written since .*: ENOSPC$/);
});
