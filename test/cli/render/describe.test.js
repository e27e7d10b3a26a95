import t from 'tap';
import { renderDescription } from '../../../src/cli/render/describe.js';

const plain = { width: null, colours: false };
const now = 1_700_000_000_000;
const worker = {
  ...{ id: 0, slot: 0, pid: 4000, status: 'online', cpu: 1, memory: 1024 },
  ...{ uptimeMs: 5000, restarts: 1, generation: 2 },
};
const api = {
  ...{ name: 'api', namespace: 'default', status: 'online', mode: 'cluster', instances: 1 },
  ...{ script: '/srv/app\u001b[2J.js', scheduling: 'round-robin', generation: 2, primaryPid: 3999 },
  workers: [worker],
  spec: {
    killTimeoutMs: 5000,
    maxMemoryRestartBytes: 512 * 1024 ** 2,
    hangTimeoutMs: null,
    nodeArgs: ['--inspect', 'a b'],
    interpreter: null,
    waitReady: false,
  },
  lastReload: { at: now - 60_000, ok: true, durationMs: 2400, generation: 2, reason: null },
  slots: [
    {
      slot: 0,
      listening: ['0.0.0.0:3000'],
      lastExit: {
        ...{ code: null, signal: 'SIGKILL', reason: 'was killed by SIGKILL' },
        ...{ uptimeMs: 61_000, at: now - 5000, lastLines: ['bye\u0007'] },
      },
      earlierExits: [
        {
          ...{ code: null, signal: 'SIGABRT', reason: 'event loop blocked for 12 s' },
          ...{ uptimeMs: 20_000, at: now - 66_000, lastLines: [] },
        },
        { code: 1, signal: null, reason: 'exited with code 1', uptimeMs: 400, at: now - 90_000 },
      ],
    },
  ],
  logs: { out: '/h/logs/api-out.log', error: '/h/logs/api-error.log' },
};

t.test('facts, settings by their names in a file, workers and last deaths', async (t) => {
  const text = renderDescription([api], plain, now);
  for (const line of [
    /^api online$/m,
    /^ {2}script +\/srv\/app\\x1b\[2J\.js$/m,
    /^ {2}last reload +1m ago, took 2\.4 s$/m,
    /^ {2}listens on +0\.0\.0\.0:3000$/m,
    /^ {2}kill_timeout +5s$/m,
    /^ {2}node_args +"--inspect" "a b"$/m,
    /^ {2}wait_ready +false$/m,
    /^id +name/m,
    /^api:0 last ended 5s ago with signal SIGKILL, after 1m 1s$/m,
    /^ {2}before: 1m 6s ago with signal SIGABRT \(event loop blocked for 12 s\), after 20s$/m,
    /^ {2}before: 1m 30s ago with exit code 1, after 400ms$/m,
    /^ {2}max_memory_restart +512M$/m,
    /^ {2}\| bye\\x07$/m,
  ]) {
    t.match(text, line);
  }
  t.notMatch(text, /interpreter|undefined|null/);
});

t.test('a failed reload says why', async (t) => {
  const lastReload = { ...api.lastReload, ok: false, reason: 'exit code 1' };
  t.match(renderDescription([{ ...api, lastReload }], plain, now), /failed 1m ago: exit code 1/);
});

t.test('an app of which little is known is shown all the same', async (t) => {
  const bare = { name: 'x', namespace: 'default', status: 'unknown', mode: 'fork', workers: [] };
  t.match(renderDescription([bare], plain, now), /^x unknown$/m);
});
