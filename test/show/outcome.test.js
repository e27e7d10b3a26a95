import t from 'tap';
import { plain } from '../../src/show/paint.js';
import { renderOutcome } from '../../src/show/outcome.js';
import { cannotListen, exit, inUse, said } from '../support/snapshot.js';

function outcome(more) {
  const workers = { done: [0, 1], failed: [], kept: [], rolledBack: [] };
  return { name: 'api', action: 'start', ok: true, ...workers, minReady: null, ...more };
}

function summary(more) {
  return { workers: 2, online: [], stopped: [], ...more };
}

const silent = (id) => ({ id, slot: id, note: { kind: 'silent' } });
const two = { online: [0, 1] };
const both = summary(two);
const [first, second] = [0, 1].map((slot) => summary({ online: [slot] }));
const four = summary({ workers: 4, online: [0, 1, 2, 3] });
const bound = (...listening) => summary({ ...two, listening });
const http = { address: '*:3000', protocol: 'http' };
const tcp = { address: '*:9000', protocol: null };
const killed = { workers: 1, afterMs: 1600, signal: 'SIGTERM' };
const died = (slot, reason, lastLines = []) => ({ id: slot, slot, reason, lastLines });
const failure = died(3, said('exit code 1'));
const failing = (...failed) => ({ ok: false, done: [], failed });
const IN_USE = ['Error: bind EADDRINUSE null:3000 {', "  code: 'EADDRINUSE',"];
const idle = { before: both, after: both };
const none = { action: 'none', durationMs: 312 };
const reload = (more) => ({ action: 'reload', durationMs: 2400, ...more });
const [off, allOff] = [[0], [0, 1, 2]].map((stopped) => summary({ stopped }));
const quick = { action: 'scale', done: [], durationMs: 1 };
/** The outcome of each case; its text is in the snapshot. */
const cases = {
  start: { durationMs: 312 },
  'start from a shell with other variables': { durationMs: 312, shell: ['DATABASE_URL', 'PORT'] },
  'start of a server': { durationMs: 312, after: bound(http, http, tcp) },
  'start on a port of root': failing(
    died(0, cannotListen('EACCES', 80), ['Error: bind EACCES null:80']),
  ),
  'start on a port that is in use': failing(died(0, inUse({ holder: 'api' }).reason, IN_USE)),
  'start on a socket that is left': failing(
    died(0, { ...cannotListen('EADDRINUSE'), address: '/run/\u001b]0;x\u0007' }),
  ),
  'start of what is not tried again': failing(died(0, exit(1, { final: 'autorestart' }))),
  'run of a job that fails': { action: 'run', ...failing(died(0, exit(1))) },
  'start of a program that ends by itself': failing(died(0, exit(0))),
  'start, and one has exited': { durationMs: 500, after: second },
  'start of what runs': { action: 'none', done: [] },
  'start of work that a recovery has done': { done: [], after: summary() },
  'apply of work that is done': { action: 'none', done: [], before: summary(), after: summary() },
  'apply of what has been lost since': { action: 'none', before: both, after: summary() },
  'resume of one of two': { action: 'start', durationMs: 300, before: second, after: both },
  reload: reload({ minReady: 2 }),
  'reload that left none ready for a while': reload({ minReady: 0, before: bound(http) }),
  'failed reload of an app that is emptied first': {
    ...{ ...failing(died(0, exit(1))), action: 'reload', kept: [1], rolledBack: [0] },
    ...idle,
  },
  'reload of what listens on nothing': reload({ minReady: 0, before: bound(), after: bound() }),
  'start of what does not listen': { durationMs: 10_000, after: both, notes: [0, 1].map(silent) },
  'reload beside a stopped worker': reload({ done: [1], minReady: 1, before: second, after: off }),
  'scale of what is stopped, and its spare': { ...quick, before: four, after: allOff },
  'stop that killed a worker': { action: 'stop', durationMs: 1700, killed },
  'reload that adds workers': reload({ done: [0, 1, 2, 3], before: both, after: four }),
  'start of what is in backoff, and runs again': { ...none, before: first, after: both },
  'start of what keeps crashing': {
    ...{ action: 'none', ok: false, done: [0], failed: [failure] },
    ...{ before: first, after: first },
  },
  'scale that changes nothing': {
    ...failing(died(null, { kind: 'error', code: 'E_HOME_WRITE', text: 'the disk is full' })),
    action: 'scale',
    ...idle,
  },
  stop: { action: 'stop', done: [3], durationMs: 100 },
  'stop of what waits for its next try': {
    ...{ action: 'stop', durationMs: 1 },
    before: summary(),
  },
  'start of what was not ready in time': failing(died(0, { kind: 'late', what: 'ready' })),
  'stop of what does not run': { action: 'stop', done: [], durationMs: 1 },
  reset: { action: 'reset', durationMs: 0 },
  'reset of what does not run': { action: 'reset', done: [], durationMs: 0 },
  scale: { action: 'scale', done: [], durationMs: 1000 },
  'scale that fails': {
    ...{ ...quick, ok: false, done: [2], failed: [failure] },
    ...{ before: summary({}), after: summary({ workers: 4, online: [0, 1, 2] }) },
  },
};

for (const [name, more] of Object.entries(cases)) {
  t.test(name, async (t) => t.matchSnapshot(renderOutcome(outcome(more), plain), name));
}

t.test('a failure shows the last lines of the worker, masked', async (t) => {
  const lastLines = ['Error: \u001b[31mno\u001b[39m \u0007'];
  const failed = died(1, said('exit code 1'), lastLines);
  const more = { ...failing(failed), action: 'reload', kept: [0, 1] };
  const text = renderOutcome(outcome(more), plain);
  t.notMatch(text, '\u001b');
  t.match(text, '    | Error: no \\x07');
  t.matchSnapshot(text, 'failure');
});

t.test('a reload that fails half-way says which workers run what', async (t) => {
  const failed = [died(2, said('exit code 1'))];
  const half = { action: 'reload', ok: false, failed, kept: [2] };
  const nothing = { action: 'reload', ok: false, failed, done: [], after: summary() };
  t.matchSnapshot(renderOutcome(outcome(nothing), plain), 'nothing runs');
  t.matchSnapshot(renderOutcome(outcome({ ...half, done: [0, 1] }), plain), 'kept');
  const back = { ...half, done: [], rolledBack: [0, 1] };
  t.matchSnapshot(renderOutcome(outcome(back), plain), 'rolled back');
  const gone = { ...nothing, failed: [{ ...died(2, said('exit code 1')), isOldGone: true }] };
  t.match(renderOutcome(outcome(gone), plain), 'The old version is gone.');
});

t.test('a command that nobody waits for is only accepted', async (t) => {
  const text = renderOutcome(outcome({ action: 'reload', done: [], accepted: true }), plain);
  t.matchSnapshot(text, 'accepted');
});

t.test('workers that did not run keep no version; equal failures are listed once', async (t) => {
  const failed = [0, 1, 2].map((slot) => died(slot, said('exit code 1'), ['no']));
  const more = { ...failing(...failed), action: 'reload', kept: [0, 1] };
  t.matchSnapshot(renderOutcome(outcome({ ...more, before: summary({}) }), plain), 'down');
  const one = { ...more, before: summary({ online: [1] }) };
  t.matchSnapshot(renderOutcome(outcome(one), plain), 'one was online');
});
