/** What a primary reports, complete. */

export const exit = (code, more) => ({ kind: 'exit', code, ...more });
export const killedBy = (signal) => ({ kind: 'exit', signal });
export const said = (text) => ({ kind: 'reported', text });
export const cannotListen = (errno, port) => ({ kind: 'listen', errno, port });

const figures = { requests: 10, errors: 0, p99Ms: 3 };
const stack = {
  state: 'blocked',
  frames: [{ name: 'loop', file: '/srv/app.js', line: 1, column: 2, origin: 'program' }],
  note: 'was busy',
  at: 1,
};
const lastExit = {
  code: 1,
  signal: 'SIGTERM',
  reason: { kind: 'listen', errno: 'EADDRINUSE', address: '::1', port: 80 },
  uptimeMs: 5,
  at: 1,
  lastLines: ['Error'],
};

/** A worker. */
export const SLOT = {
  slot: 0,
  status: 'online',
  pid: 4107,
  beside: [4106],
  isReady: true,
  health: { status: 'healthy', failures: 0, reason: 'timeout', failingSince: 1 },
  generation: 1,
  restarts: 0,
  startedMs: 1,
  reason: { kind: 'start', error: 'spawn EAGAIN' },
  retryAtMs: 1,
  blockedSinceMs: 1,
  stack,
  listening: [{ address: '*:80', protocol: 'http' }],
  lastExit,
  earlierExits: [lastExit],
};

export function snapshotWith(changes) {
  return {
    name: 'api',
    generation: 1,
    mode: 'cluster',
    node: '22.0.0',
    spec: {},
    busy: 'reload',
    canary: { slots: [0], since: 1, forMs: 1, canary: figures, old: figures },
    healthFailsEverywhere: false,
    lastReload: {
      ok: true,
      at: 1,
      reason: exit(1, { final: { failures: 16, windowMs: 60_000, isLonger: true } }),
      durationMs: 1,
      generation: 1,
      done: [0],
      kept: [0],
      rolledBack: [0],
    },
    lastReplacement: { slot: 0, at: 1, reason: { kind: 'limit', setting: 'max_age', value: 1 } },
    reloads: { ok: 0, failed: 0, rolledBack: 0 },
    logDroppedBytes: 0,
    logDropReason: 'ENOSPC',
    connectionsGivenUp: 0,
    listeningRecord: { input: 'hash', addresses: ['*:80'] },
    slots: [SLOT],
    retiring: [4106],
    ...changes,
  };
}

/** Why a worker is not online, as its record has it. */
export const exited = (code) => ({ reason: { kind: 'exit', code } });

/** @param more address, or port; holder: its name */
export function inUse({ port = 3000, holder, ...more }) {
  const reason = { kind: 'listen', errno: 'EADDRINUSE', port, holder, ...more };
  return { reason, text: `could not listen on port ${port}: in use by ${holder}` };
}
