/** What a primary reports, complete. */

const fault = { code: 'EADDRINUSE', address: '::1', port: 80 };
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
  error: 'spawn EAGAIN',
  fault,
  reason: 'exited with code 1',
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
  reason: 'crashed',
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
    canary: {
      slots: [0],
      since: 1,
      forMs: 1,
      canary: figures,
      old: figures,
    },
    healthFailsEverywhere: false,
    lastReload: {
      ok: true,
      at: 1,
      reason: 'failed',
      fault,
      durationMs: 1,
      generation: 1,
      done: [0],
      kept: [0],
      rolledBack: [0],
    },
    lastReplacement: { slot: 0, at: 1, reason: 'max_age' },
    leftWork: 'cluster.isPrimary',
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
export const exited = (code) => ({ reason: `exited with code ${code}`, ending: { code } });

/** @param more address, or port; holder: its name */
export function inUse({ port = 3000, holder: name, isApp = false, ...more }) {
  const fault = { code: 'EADDRINUSE', port, holder: { name, isApp }, ...more };
  const reason = `could not listen on port ${port}: in use by ${name}`;
  return { reason, ending: { code: 1, fault }, fault };
}
