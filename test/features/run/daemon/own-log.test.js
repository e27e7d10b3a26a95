/** What `run` says about which event. */
import t from 'tap';
import { projectFiles, read } from '../../../support/sources.js';
import { Features } from '../../../../src/daemon/features.js';
import { features } from '../../../../src/features/daemon.js';
import { ownLine } from '../../../../src/features/run/daemon/own-log.js';

/** They get nothing to do here. */
const { words } = new Features(
  features,
  /** @type {any} */ ({ paths: {}, table: { all: () => [] }, events: {}, log: { of: () => ({}) } }),
);

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
    { ...ended, then: 'errored', why: 'failed 13 times within 60 s' },
    'worker 1 failed 13 times within 60 s; it stays errored',
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
    'worker 0 is unhealthy: GET /health: 503 no pool',
  ],
  [
    { event: 'app.unhealthy', level: 'error', reason: 'GET /health: 503 no pool' },
    'the health check fails on every worker, so none is replaced: GET /health: 503 no pool',
  ],
  [
    { event: 'worker.replacing', level: 'info', slot: 0, reason: 'it was old' },
    'worker 0 is replaced: it was old',
  ],
  [{ event: 'daemon.started', level: 'info', home: '/h' }, null],
  [
    { event: 'primary.lost', level: 'warn', app: 'api', primary: 7 },
    'the connection to its primary (pid 7) was lost',
  ],
]) {
  t.equal(ownLine(/** @type {any} */ (entry), words), line, String(line));
}

/** Those of a daemon that starts or is started by others, and reads a saved state: `run` is and does not. */
const NOT_IN_RUN =
  /^(daemon\.failed|service\.unrecorded|sockets\.ignored|state\.(incomplete|set-aside|unknown-settings|unreadable))$/;

t.test('each event that is a warning or an error has words', async (t) => {
  const sources = projectFiles()
    .filter((file) => /^src\/(daemon|features\/[\w-]+\/daemon)\b/.test(file))
    .map(read);
  const found = sources.flatMap((text) => [
    ...text.matchAll(/\blog\)?\.(?:warn|error)\(\s*'([a-z.-]+)'/g),
  ]);
  const events = new Set(found.map(([, event]) => event));
  t.ok(events.size > 30);
  for (const event of events) {
    if (NOT_IN_RUN.test(event)) continue;
    t.notMatch(ownLine({ event, level: 'warn', inMs: 1 }, words), `${event}:`, event);
  }
});
