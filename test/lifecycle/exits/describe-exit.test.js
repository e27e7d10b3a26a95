import t from 'tap';
import { commandFailure, describeExit } from '../../../src/lifecycle/exits/describe-exit.js';

const exit = { code: null, signal: null, error: null };

t.test('describeExit', async (t) => {
  t.equal(describeExit({ code: 3, signal: null }), 'exited with code 3');
  t.equal(describeExit({ code: null, signal: 'SIGTERM' }), 'was killed by SIGTERM');
  t.equal(describeExit({ code: null, signal: null }), 'could not be started');
});

t.test('commandFailure', async (t) => {
  const rows = [
    [{ exit: { ...exit, code: 0 } }, null],
    [{ exit: { ...exit, code: 0 }, lastLine: 'done' }, null],
    [{ exit: { ...exit, code: 3 }, lastLine: 'no luck' }, 'ping exited with code 3: no luck'],
    [{ exit: { ...exit, signal: 'SIGTERM' } }, 'ping was killed by SIGTERM'],
    [{ exit: { ...exit, error: 'ENOENT' } }, 'ping could not be started (ENOENT)'],
    [
      { exit: { ...exit, signal: 'SIGKILL' }, excess: 'did not exit within 5 s', lastLine: 'x' },
      'ping did not exit within 5 s: x',
    ],
    // It ended when it was about to be killed.
    [{ exit: { ...exit, code: 0 }, excess: 'did not exit within 5 s' }, /did not exit within/],
  ];
  for (const [outcome, expected] of rows) {
    const failure = commandFailure('ping', { excess: null, lastLine: '', ...outcome });
    t.match(failure, expected, String(expected));
  }
});
