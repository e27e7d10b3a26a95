/** What `run` says about which event. */
import t from 'tap';
import { ownLine } from '../../../../src/features/run/daemon/own-log.js';

const ended = {
  event: 'worker.exited',
  level: 'warn',
  app: 'api',
  slot: 1,
  reason: 'exited with code 1',
  after: '2s',
};

for (const [entry, line] of [
  [
    { ...ended, then: 'started again' },
    'worker 1 exited with code 1 (uptime 2s); it is started again',
  ],
  [
    { ...ended, then: 'backoff', inMs: 100 },
    'worker 1 exited with code 1 (uptime 2s); it starts again in 100ms',
  ],
  [
    { ...ended, then: 'the old worker stays' },
    'the new worker 1 exited with code 1 (uptime 2s); the old one stays',
  ],
  [
    { ...ended, then: 'errored', why: 'failed 13 times within 1m' },
    'worker 1 failed 13 times within 1m; it stays errored',
  ],
  [{ event: 'worker.online', level: 'info', slot: 0, restarts: 0 }, null],
  [{ event: 'worker.online', level: 'info', slot: 0, restarts: 2 }, 'worker 0 is online again'],
  [{ event: 'action.ended', level: 'error', action: 'reload', ok: false }, null],
  [{ event: 'run.stopping', level: 'info', signal: 'SIGINT', requests: 1 }, 'SIGINT: stopping'],
  [
    { event: 'run.stopping', level: 'info', signal: 'SIGINT', requests: 2 },
    'SIGINT again: stopping without waiting for requests',
  ],
  [
    {
      event: 'worker.unhealthy',
      level: 'warn',
      slot: 0,
      pid: 7,
      reason: 'GET /health: 503 no pool',
    },
    'worker 0 unhealthy: GET /health: 503 no pool (pid=7)',
  ],
  [
    { event: 'app.unhealthy', level: 'error', reason: 'GET /health: 503 no pool' },
    'app unhealthy: GET /health: 503 no pool',
  ],
  [
    { event: 'worker.replacing', level: 'info', slot: 0, reason: 'it was old' },
    'worker 0 replacing: it was old',
  ],
  [{ event: 'worker.started', level: 'info', slot: 0, pid: 7, why: 'start' }, null],
  [{ event: 'worker.responsive', level: 'info', slot: 0, pid: 7 }, 'worker 0 responsive (pid=7)'],
  [{ event: 'daemon.started', level: 'info', home: '/h' }, null],
  [
    { event: 'dependency.missing', level: 'warn', app: 'api', dependency: 'db', time: '2026' },
    'dependency missing (dependency=db)',
  ],
  [
    { event: 'logs.reopen-failed', level: 'error', app: 'api', reason: 'EIO' },
    'logs reopen failed: EIO',
  ],
  [{ event: 'primary.lost', level: 'warn', app: 'api', primary: 7 }, 'primary lost (primary=7)'],
]) {
  t.equal(ownLine(/** @type {any} */ (entry)), line, String(line));
}
