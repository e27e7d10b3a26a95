import t from 'tap';
import * as rules from '../../src/lifecycle/listening.js';

const facts = {
  ...{ listening: [], mayListen: true, port: null, usual: [] },
  ...{ hasChildren: false, script: '/srv/app.js' },
};
const elsewhere = (...ports) => ({ kind: 'elsewhere', ports, asked: 3000 });
const NOT_YET = { kind: 'manager', program: 'npm' };
const notes = [
  ['a server without a socket', {}, { kind: 'silent' }],
  ['a program that is no server', { mayListen: false }, null],
  ['a launcher, whose children run', { hasChildren: true }, { kind: 'manager', program: 'app.js' }],
  ['children that nobody sees', { hasChildren: true, script: null }, { kind: 'silent' }],
  ['npm, below which nobody listens yet', { mayListen: false, script: '/usr/bin/npm' }, NOT_YET],
  ['npm, below which somebody listens', { listening: ['*:3000'], script: 'npm' }, null],
  ['a server', { listening: ['*:3000'] }, null],
  ['its PORT', { listening: ['[::1]:3000', '*:9000'], port: 3000 }, null],
  ['another port than its PORT', { listening: ['*:3001'], port: 3000 }, elsewhere(3001)],
  ['PORT is 0', { listening: ['*:41234'], port: 0 }, null],
  ['a port of its own', { listening: ['*:3001'], usual: ['*:3000'] }, null],
  ['a random one beside others', { listening: ['*:41234'], usual: ['*:3000'] }, elsewhere(41234)],
  ['a random one each time', { listening: ['*:41234'], usual: ['*:38000'] }, null],
  ['a unix socket', { listening: ['/run/api.sock'], port: 3000, usual: ['*:3000'] }, null],
];
for (const [name, change, note] of notes)
  t.same(rules.noteListening({ ...facts, ...change }), note, name);

const departures = [
  ['all are there', ['*:80', '/run/a.sock'], ['/run/a.sock', '*:80', '*:81'], []],
  ['one is not', ['*:80', '/run/a.sock'], ['*:80'], ['/run/a.sock']],
  ['one that the system may have chosen', ['*:80', '*:41234'], ['*:80'], []],
];
for (const [name, before, now, gone] of departures)
  t.same(rules.goneFrom(before, now), gone, `where nobody listens any more: ${name}`);

t.test('what no longer holds once it listens', async (t) => {
  t.ok(rules.notesNoPort({ note: NOT_YET }));
  t.ok(rules.notesNoPort({ note: { kind: 'silent' } }));
  t.notOk(rules.notesNoPort({ note: { kind: 'elsewhere' } }));
});

const coming = { isComing: true, servingMs: null };
const keepings = [
  ['no slot is left', [], false],
  ['nobody is left and nobody comes', [{ isComing: false, servingMs: null }], false],
  ['somebody is coming', [coming], true],
  ['somebody has just come, and may yet open it', [{ ...coming, servingMs: 999 }], true],
  ['somebody has been here long without it', [{ ...coming, servingMs: 1000 }], false],
  ['one has been here long, another is coming', [{ ...coming, servingMs: 1000 }, coming], true],
];
for (const [name, slots, kept] of keepings) t.equal(rules.keepsSocket(slots, 1000), kept, name);

t.test('a port of a child that only its parent knows', async (t) => {
  t.ok(rules.isPrivatePlace('127.0.0.1:41234'));
  t.ok(rules.isPrivatePlace('[::1]:41234'));
  t.notOk(rules.isPrivatePlace('127.0.0.1:9222'), 'a port that somebody chose');
  t.notOk(rules.isPrivatePlace('*:41234'), 'others reach it');
});

t.test('a child may get another port from the system', async (t) => {
  t.same(rules.replacedBy(['*:3000', '*:41234'], ['*:45678']), ['*:41234']);
  t.same(rules.replacedBy(['*:41234'], ['*:9100']), [], 'not one that somebody chose');
  t.same(rules.replacedBy(['*:41234', '*:45678'], ['*:45678']), [], 'which is expected itself');
});

const inUse = { code: 'EADDRINUSE', address: null, port: 3000 };
const ANY = '10.0.0.9:3000: no network interface has that address (EADDRNOTAVAIL)';
const faults = [
  ['EADDRINUSE', null, 3000, 'port 3000: in use by api', 'api'],
  ['EADDRINUSE', null, 3000, 'port 3000: in use by pid 4711 (nginx)', 'pid 4711 (nginx)'],
  ['EADDRINUSE', null, 3000, 'port 3000: in use by another process'],
  ['EADDRINUSE', '::', 3000, 'port 3000: in use by api', 'api'],
  ['EADDRINUSE', '127.0.0.1', 3000, '127.0.0.1:3000: in use by api', 'api'],
  ['EADDRINUSE', '::1', 3000, '[::1]:3000: in use by api', 'api'],
  ['EADDRINUSE', '/run/api.sock', null, '/run/api.sock: in use by api', 'api'],
  ['EADDRINUSE', '/run/api.sock', null, '/run/api.sock: in use'],
  ['EACCES', '0.0.0.0', 80, 'port 80: only root may (EACCES)'],
  ['EACCES', '/run/api.sock', null, '/run/api.sock: permission denied (EACCES)'],
  ['EADDRNOTAVAIL', '10.0.0.9', 3000, ANY],
  ['EINVAL', null, 3000, 'port 3000 (EINVAL)'],
];

t.test('why it could not listen', async (t) => {
  for (const [code, address, port, text, holder] of faults) {
    const said = rules.describeListenFault({ code, address, port }, holder);
    t.equal(said, `could not listen on ${text}`);
  }
});

t.test('advice for a port', async (t) => {
  t.match(rules.adviseOnListenFault({ code: 'EACCES', address: null, port: 80 }), /_ports: 80`/);
  const local = { code: 'EACCES', address: '127.0.0.1', port: 80 };
  t.match(rules.adviseOnListenFault(local), /_ports: 127\.0\.0\.1:80`/);
  t.equal(rules.adviseOnListenFault({ code: 'EACCES', address: '/run/x', port: null }), null);
  t.match(rules.adviseOnListenFault(inUse), /--set-env PORT=/);
  t.equal(rules.adviseOnListenFault({ ...inUse, address: '/run/x', port: null }), null);
});
