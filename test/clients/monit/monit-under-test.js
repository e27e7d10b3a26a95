/** A state of `monit` as frames and keys make it, without a daemon or a terminal. */
import { firstState } from '../../../src/clients/monit/state.js';
import { update } from '../../../src/clients/monit/update.js';

export const now = 1_700_000_000_000;
export const daemon = { pid: 1, version: '1.2.3' };

export function worker(slot, more = {}) {
  return {
    id: slot,
    slot,
    pid: 4000 + slot,
    status: 'online',
    cpu: 3.1,
    memory: 43_201_331,
    startedAt: now - 185_000,
    restarts: 0,
    generation: 1,
    listening: [],
    elu: 0.12,
    eventLoopDelayMs: { p50: 1, p99: 12 },
    heapUsed: 8_000_000,
    connections: 3,
    requestsPerSecond: 10,
    errorsPerSecond: 0,
    latencyMs: { p50: 4, p99: 29 },
    ...more,
  };
}

export function resting(slot, more = {}) {
  const { id, restarts, generation, listening } = worker(slot);
  return { id, slot, restarts, generation, listening, ...more };
}

export function app(name, workers, more = {}) {
  const { status } = workers.find((each) => each.status !== 'online') ?? workers[0];
  const common = { namespace: 'default', mode: 'cluster', generation: 1, restarts: 0 };
  const counts = { instances: workers.length, logDroppedBytes: 0 };
  return { name, status, ...common, ...counts, workers, ...more };
}

/**
 * Begins at the first row.
 * @param rows of the terminal
 */
export function monitWith(apps, rows = 24, columns = 80) {
  let state = firstState(now);
  const effects = [];
  const happen = (event, at = now) => {
    const step = update(state, event, { now: at, rows, columns });
    state = step.state;
    effects.push(...step.effects);
    return state;
  };
  happen({ kind: 'frame', daemon, apps });
  happen({ kind: 'key', text: 'g', key: { name: 'g' } });
  return {
    happen,
    effects,
    frame: (changed) => happen({ kind: 'frame', daemon, apps: changed }),
    /** @param names what is typed, or `<name of a key>` */
    press(...names) {
      for (const name of names) {
        const [, special] = /^<(.+)>$/.exec(name) ?? [];
        const plain = name === ' ' ? 'space' : name.toLowerCase();
        const key = special ? keyNamed(special) : { name: plain, sequence: name };
        happen({ kind: 'key', text: special ? undefined : name, key });
      }
      return state;
    },
    get state() {
      return state;
    },
  };
}

function keyNamed(name) {
  return name.startsWith('ctrl-') ? { ctrl: true, name: name.slice(5) } : { name };
}
