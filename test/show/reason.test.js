import t from 'tap';
import { reasonText, reasonWithCause, workerReason } from '../../src/show/reason.js';
import { cannotListen, exit, killedBy, said } from '../support/snapshot.js';

const frame = { name: 'hash', file: '/srv/api/hash.js', line: 10, column: 5, origin: 'program' };
const hang = { kind: 'hang', ms: 12_900 };
const late = (what, more) => ({ kind: 'late', what, ...more });
const unhealthy = { afterMs: 30_000, text: 'GET /: 503' };
const moved = { addresses: ['*:1'], instead: ['*:2'] };
const channel = (what, limit) => ({ kind: 'channel', what, limit });
const final = { failures: 5, windowMs: 60_000, isLonger: false };
const IN_USE = 'could not listen on port 3000: in use by another process';
const NO_DESCRIPTOR =
  'EMFILE: no file descriptor is left; raise `ulimit -n`, or LimitNOFILE of a systemd unit';

const rows = [
  [exit(3), 'exited with code 3'],
  [exit(0, { stdinEnded: 'given' }), 'exited with code 0 at the end of its stdin'],
  [exit(0, { stdinEnded: 'empty' }), 'exited with code 0 because its stdin, /dev/null, is empty'],
  [{ kind: 'exit' }, 'could not be started'],
  [exit(0, { final: 'autorestart' }), 'exited with code 0 and autorestart is off'],
  [exit(0, { final: 'stop_exit_codes' }), 'exit code 0 is one of stop_exit_codes'],
  [
    { ...killedBy('SIGSEGV'), final: { ...final, failures: 1 } },
    'failed once within 1m; the last time it was killed by SIGSEGV',
  ],
  [
    exit(1, { final: { ...final, isLonger: true } }),
    'failed 5 times within 1m, not counting the time of failed starts; the last time it exited with code 1',
  ],
  [
    exit(1, { replaces: { kind: 'limit', setting: 'max_age', value: 60_000 } }),
    'reached the age of 1m and could not be replaced: the next one exited with code 1',
  ],
  [{ ...cannotListen('EADDRINUSE', 3000), final: 'autorestart' }, `${IN_USE}; autorestart is off`],
  [
    { ...cannotListen('EADDRINUSE', 3000), final: 'stop_exit_codes' },
    `${IN_USE}; its exit code is one of stop_exit_codes`,
  ],
  [{ kind: 'start', error: 'EMFILE' }, `could not be started (${NO_DESCRIPTOR})`],
  [{ kind: 'loss', errno: 'EMFILE' }, `could not be sent a socket (${NO_DESCRIPTOR})`],
  [{ kind: 'loss', errno: 'ENOMEM' }, 'could not be sent a message (ENOMEM)'],
  [hang, 'event loop blocked for 12s'],
  [{ ...hang, ms: 441_900, frame }, 'event loop blocked for 7m 21s in hash (hash.js:10:5)'],
  [{ ...hang, graceMs: 0 }, 'event loop blocked for 12s, killed without a drain'],
  [{ ...hang, graceMs: 2000 }, 'event loop blocked for 12s, killed unless it turns within 2 s'],
  [
    { ...hang, final },
    'failed 5 times within 1m; the last time it was killed, its event loop blocked for 12s',
  ],
  [late('ready', { afterMs: 500 }), "did not call process.send('ready') within 0.5 s (wait_ready)"],
  [late('load', { afterMs: 10_000 }), 'did not load within 10 s'],
  [late('listen', { afterMs: 10_000 }), 'did not listen within 10 s'],
  [late('listen', { ...moved, afterMs: 10_000 }), 'did not listen on *:1 but on *:2 within 10 s'],
  [late('turn'), 'event loop blocked since its start'],
  [late('turn', { afterMs: 12_000 }), 'event loop blocked since its start for 12 s'],
  [late('continue'), 'was stopped by a signal during its start'],
  [late('check', unhealthy), 'did not pass its health check within 30 s (GET /: 503)'],
  [late('exit', { afterMs: 10_000 }), 'did not exit within 10 s'],
  [late('serve'), 'is not online'],
  [{ kind: 'check', failures: 1, text: '503' }, 'failed its health check once (503)'],
  [{ kind: 'check', failures: 3, text: '503' }, 'failed its health check 3 times in a row (503)'],
  [{ kind: 'waits', ms: 9000, isSilent: false }, 'has not answered a request for 9s'],
  [{ kind: 'waits', ms: 9000, isSilent: true }, 'has answered no request for 9s'],
  [{ kind: 'errors', count: 4, total: 9 }, 'answered 4 of its last 9 requests with 5xx'],
  [{ kind: 'growth', bytesPerMinute: 3 * 1024 ** 2 }, 'uses 3 MiB more each minute'],
  [{ kind: 'files', open: 1500, limit: 1500 }, 'has 1500 of 1500 files open'],
  [channel('closed'), 'closed the channel to its parent'],
  [channel('invalid'), 'wrote invalid data to the channel to its parent'],
  [channel('long', 16 * 1024 ** 2), 'sent its parent a message of more than 16 MB'],
  [channel('unread', 10_000), 'did not read 10000 replies from its parent'],
  [{ kind: 'left', processes: ['sh (pid 7)', 'b'] }, 'ended with it: sh (pid 7), b'],
  [{ kind: 'undrained' }, 'ended before it answered the request to drain'],
  [{ kind: 'hurried' }, 'its drain was ended early'],
  [{ kind: 'stopped' }, 'was stopped before it had exited'],
  [{ kind: 'turn', of: 'reload' }, 'until its reload is done'],
  [{ kind: 'dependency', name: 'db' }, 'until db has exited'],
  [{ kind: 'uptime', ms: 1500 }, 'must stay up for 1.5 s'],
  [{ kind: 'uptime', ms: 1000, listens: true }, 'must listen and stay up for 1 s'],
  [{ kind: 'judging', forMs: 4000, beside: 2 }, 'for 4s, beside 2 old'],
  [{ ...hang, takenBack: true }, 'taken back: its event loop blocked for 12s'],
  [{ kind: 'superseded', takenBack: true }, 'taken back: another command was given'],
  [{ kind: 'unjudged', takenBack: true }, 'taken back: it could not be judged'],
  [{ kind: 'skipped', other: 'waiting' }, 'another run waits already'],
  [{ kind: 'skipped', other: 'beginning' }, 'another run is beginning'],
  [{ kind: 'skipped', other: 'running' }, 'the last run has not ended'],
  [{ kind: 'cores', count: 1 }, '1 core is available now'],
  [{ kind: 'cores', count: 3 }, '3 cores are available now'],
  [{ kind: 'idle', ms: 300_000 }, 'load was low for 5m'],
  [{ kind: 'stack', frames: [frame] }, 'is in hash (/srv/api/hash.js:10:5)'],
  [{ kind: 'stack', frames: [], doing: 'has exited' }, 'has exited'],
  [{ kind: 'error', code: 'E_X', text: 'No.' }, 'No.'],
  [said('did it'), 'did it'],
  [{ kind: 'of-later' }, 'failed for a reason that this version does not know'],
];
for (const [reason, text] of rows) t.equal(reasonText(reason), text, text);

t.test('with what else is known', async (t) => {
  t.equal(reasonWithCause({}), 'reason unknown');
  t.equal(reasonWithCause({ reason: exit(1), cause: 'no db' }), 'exited with code 1: no db');
  const hung = { reason: hang, cause: 'no db' };
  t.equal(reasonWithCause(hung), 'event loop blocked for 12s', 'not why it exited');
  t.equal(workerReason({ reason: exit(1) }, 0), 'exited with code 1');
  const stack = { frames: [], note: 'could not be seen' };
  const blocked = 'blocked 9s: it could not be seen';
  t.equal(workerReason({ blockedSince: 1000, stack }, 10_000), blocked);
});
