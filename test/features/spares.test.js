import t from 'tap';
import { chooseSpares } from '../../src/features/spares/decide.js';
import { spares } from '../../src/features/spares/show.js';
import { eventText } from '../../src/show/event.js';
import { helpOf } from '../../src/show/help.js';
import { workerState } from '../../src/show/state.js';
import { exit, exited, killedBy } from '../support/snapshot.js';
import { ecosystemDirectory } from '../config/ecosystem-directory.js';

/** `+` fit to serve, `-` not, `x` stopped; `s`: a spare until now; `t`: on trial; then the generation of its worker. */
const candidate = (text, slot) => {
  const [, flags, generation = '1'] = /^(\D+)(\d*)$/.exec(text);
  const own = Number(generation);
  return {
    slot,
    isSpare: flags.includes('s'),
    isFit: flags.includes('+'),
    isStopped: flags.includes('x'),
    isOnTrial: flags.includes('t'),
    generation: own,
    replacedBy: [own],
  };
};

for (const [name, slots, count, spare] of [
  ['at first the last one', '- - -', 1, '2'],
  ['all well', '+ + +s', 1, '2'],
  ['none wanted any more', '+ + +s', 0, ''],
  ['one more wanted', '+ + -', 1, '2'],
  ['a death', '- + +s', 1, '0'],
  ['the only one dies', '- +s', 1, '0'],
  ['both die', '- -s', 1, '1'],
  ['it may stay where it has gone', '+s + +', 1, '0'],
  ['two deaths, one spare', '- - +s', 1, '0'],
  ['two deaths, two spares', '- - +s +s', 2, '0 1'],
  ['a spare that is not up yet', '- + -s', 1, '2'],
  ['scaled up: the spare serves, the new one boots', '+ + +s -', 1, '3'],
  ['scaled down to the spare and one', '+ +s', 1, '1'],
  ['the spare was removed', '+ +', 1, '1'],
  ['the one that cannot serve', '- + +', 1, '0'],
  ['only a spare is left', 'x +s', 1, '0'],
  ['one of two is stopped', 'x + +s', 1, '2'],
  ['one is stopped, and the other dies', 'x - +s', 1, '1'],
  ['of two, only spares are left', 'x x +s +s', 2, '0 3'],
  ['a stopped spare', '+ + xs', 1, '2'],
  ['all stopped', 'xs x x', 1, '0'],
  ['all stopped, and fewer', 'x x x', 2, '1 2'],
  ['one on trial serves', '+ +st', 1, '0'],
  ['one on trial that is not up', '+ -st', 1, '1'],
  ['a spare of another version takes no place', '-2 +s1', 1, '1'],
]) {
  const all = slots.split(' ').map(candidate);
  t.equal([...chooseSpares(all, count)].sort().join(' '), spare, name);
}

t.test('while a reload goes on, a spare of what served there will do', async (t) => {
  const [dead, spare] = ['-2', '+s1'].map(candidate);
  t.same([...chooseSpares([{ ...dead, replacedBy: [2, 1] }, spare], 1)], [0]);
});

t.test('why there is none', async (t) => {
  const app = { name: 'bot', workers: [], spares: { refused: 'silent', ready: [] } };
  t.match(spares.troubles(app, null).texts, [/^no spare: it listens on nothing, and would run/]);
  t.equal(spares.troubles(app, {}), null);
  t.equal(spares.troubles({ name: 'api', workers: [], spares: { ready: [1] } }, null), null);
  t.same(helpOf(app), [['nodecluster reload bot --spares 0', 'without a spare']]);
});

t.test('what a spare does', async (t) => {
  const NOW = 1_700_000_000_000;
  const final = { failures: 13, windowMs: 60_000, isLonger: false };
  for (const [worker, state, trouble] of [
    [{ pid: 7 }, 'spare'],
    [{ pid: 7 }, 'spare, starting'],
    [{}, 'spare, starting'],
    [killedBy('SIGKILL'), 'spare, starting'],
    [{ ...exited(1), retryAt: NOW + 3000 }, 'spare, backoff: exit 1', 'spare failing'],
    [{ pid: 7, blockedSince: NOW - 9000 }, 'spare, blocked'],
    [{ ...exited(1), pid: 7 }, 'spare, backoff: exit 1', 'spare failing'],
    [{ reason: exit(1, { final }), cause: 'no db' }, 'spare, errored: no db', 'spare failing'],
  ]) {
    const ready = state === 'spare' ? [1] : [];
    const workers = [{ slot: 1, status: 'spare', ...worker }];
    const app = { name: 'api', workers, spares: { ready } };
    t.equal(workerState(app, workers[0], NOW), state);
    t.same(spares.troubles(app, null)?.texts, trouble && [trouble], state);
    const help = trouble ? 'logs api:1' : worker.blockedSince && 'restart api';
    t.equal(helpOf(app, NOW)[0]?.[0].replace('nodecluster ', ''), help);
    const bare = { ...app, spares: { refused: 'udp', ready } };
    t.equal(workerState(bare, workers[0], NOW), 'no spare');
  }
});

t.test('one that takes over', async (t) => {
  const reason = { kind: 'spare', slot: 1, pid: 7 };
  const event = { type: 'worker.replaced', app: 'web', slot: 0, pid: 7, reason };
  t.equal(eventText(event), 'web:0 replaced: by its spare :1, pid 7');
});

t.test('apps that cannot have one', async (t) => {
  const { write, refusal, resolve } = ecosystemDirectory(t);
  for (const [lines, error] of [
    ['    exec_mode: fork\n', /spares: needs cluster mode, where workers share a port/],
    ['    interpreter: bash\n', /spares: needs cluster mode, where workers share a port/],
    ["    schedule: '* * * * *'\n", /spares: is not for an app with schedule/],
    ['    increment_var: PORT\n', /spares: is not for workers with ports of their own/],
  ]) {
    write('one.yml', `apps:\n  - script: app.js\n    spares: 1\n${lines}`);
    t.match((await refusal('one.yml')).text, error);
  }
  write('none.yml', 'apps:\n  - script: app.js\n    spares: 0\n    exec_mode: fork\n');
  t.equal((await resolve('none.yml')).specs[0].spares, 0);
});
