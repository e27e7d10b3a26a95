/** When `run` is over, in rows. */
import t from 'tap';
import { judgeRun } from '../../../../src/features/run/daemon/run-apps.js';

/** @import { Status } from '../../../../src/protocol/shapes.js' */

/** @param {string} name @param {Status[]} statuses @param {boolean} [comesBack] */
const app = (name, statuses, comesBack = false) => ({ name, statuses, comesBack });

const OVER = { outcome: 'exited' };

for (const [what, apps, verdict] of [
  ['every worker serves', [app('a', ['online', 'online'])], null],
  ['it is about to start again', [app('a', ['backoff'])], null],
  ['one worker of two is errored', [app('a', ['errored', 'online'])], null],
  ['nobody knows', [app('a', ['unknown'])], null],
  ['it has exited', [app('a', ['exited'])], OVER],
  ['one of two has exited', [app('a', ['exited']), app('b', ['online'])], null],
  ['both have exited', [app('a', ['exited']), app('b', ['exited'])], OVER],
  ['errored', [app('a', ['errored'])], { outcome: 'errored', apps: ['a'] }],
  [
    'one of two is errored',
    [app('a', ['errored', 'exited']), app('b', ['online'])],
    { outcome: 'errored', apps: ['a'] },
  ],
  ['a job waits for its schedule', [app('a', ['exited'], true)], null],
  ['a job has failed and waits', [app('a', ['errored'], true)], null],
  ['a person has stopped it', [app('a', ['stopped'])], null],
  ['one stopped, the other exited', [app('a', ['stopped']), app('b', ['exited'])], OVER],
  ['all were deleted', [], OVER],
]) {
  t.same(judgeRun(/** @type {any} */ (apps), { isChanging: false }), verdict, String(what));
}

t.test('while a command may add apps', async (t) => {
  t.same(judgeRun([app('migrate', ['exited'])], { isChanging: true }), null, 'others wait for it');
  t.same(judgeRun([], { isChanging: true }), null);
  t.match(judgeRun([app('migrate', ['errored'])], { isChanging: true }), { outcome: 'errored' });
});

t.test('no app could be added', async (t) => {
  const state = { isChanging: false, refused: ['api', 'web'] };
  t.same(judgeRun([], state), { outcome: 'errored', apps: ['api', 'web'] });
  t.equal(judgeRun([app('db', ['online'])], state), null, 'another app serves');
});
