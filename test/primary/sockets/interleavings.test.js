/**
 * Every order of the steps of a primary and a worker to which it hands a connection: each step may be
 * delayed by any time, as if the process had been stopped by a signal just before it.
 */
import t from 'tap';
import { mustAsk } from '../../../src/agent/leases.cjs';
import { outcomeOf, stateAt } from '../../../src/primary/sockets/lease.js';

const LEASE_MS = 50;
/** Before, at the end of, and after the lease. */
const TIMES = [1, 50, 51, 99];

const START = {
  nowMs: TIMES[0],
  /** What the worker has written, and the primary has not read. */
  toPrimary: [],
  /** The other way round. */
  toWorker: ['connection'],
  /** What the worker does next. */
  worker: 'idle',
  handed: { leaseMs: LEASE_MS, state: 'sent' },
  /** Whether the connection has ended for the primary: how. */
  end: null,
  /** The primary looks whether the channel is empty, since then. */
  lookedMs: null,
  isTakenBack: false,
  isRefusing: false,
  /** Otherwise what the worker sends waits in a buffer of its own first. */
  isFlushed: true,
  buffered: [],
  /** Who may read from the connection. */
  readers: [],
};

/** Each returns the next state, or null if the step is not possible now. */
const STEPS = {
  timePasses(now) {
    const nowMs = TIMES[TIMES.indexOf(now.nowMs) + 1];
    return nowMs === undefined ? null : { ...now, nowMs };
  },
  workerReceives(now) {
    if (now.worker !== 'idle' || now.toWorker[0] !== 'connection') return null;
    return { ...now, toWorker: now.toWorker.slice(1), worker: 'received' };
  },
  workerAcknowledges(now) {
    if (now.worker !== 'received') return null;
    const worker = now.isRefusing ? 'closed' : 'acknowledged';
    const ack = now.isRefusing ? 'refused' : 'accepted';
    return written({ ...now, worker }, ack);
  },
  workerReadsClock(now) {
    if (now.worker !== 'acknowledged') return null;
    const { nowMs, isFlushed } = now;
    if (mustAsk({ leaseMs: LEASE_MS, nowMs, isWritten: isFlushed })) {
      return written({ ...now, worker: 'asked' }, 'late');
    }
    return { ...now, worker: 'reads', readers: [...now.readers, 'worker'] };
  },
  workerGetsReply(now) {
    const [reply] = now.toWorker;
    if (now.worker !== 'asked' || (reply !== 'yours' && reply !== 'not yours')) return null;
    const readers = reply === 'yours' ? [...now.readers, 'worker'] : now.readers;
    return { ...now, toWorker: [], worker: reply === 'yours' ? 'reads' : 'closed', readers };
  },
  workerFlushes(now) {
    const { buffered, worker, toPrimary } = now;
    if (buffered.length === 0 || worker === 'dead') return null;
    return { ...now, buffered: [], toPrimary: [...toPrimary, ...buffered] };
  },
  workerDies(now) {
    if (now.worker === 'dead') return null;
    const wasReader = now.readers.includes('worker');
    return { ...now, worker: 'dead', wasReader, readers: now.readers.filter(isOther) };
  },
  primaryReads(now) {
    const [message, ...toPrimary] = now.toPrimary;
    if (message === undefined) return null;
    const next = { ...now, toPrimary, lookedMs: null };
    if (message === 'late') {
      return { ...next, toWorker: [...now.toWorker, now.isTakenBack ? 'not yours' : 'yours'] };
    }
    return ended(next, outcomeOf(now.handed.state, message === 'accepted'));
  },
  primaryLooks(now) {
    return now.lookedMs === null && now.end === null ? { ...now, lookedMs: now.nowMs } : null;
  },
  primaryFindsNothing(now) {
    if (now.lookedMs === null || now.toPrimary.length > 0 || now.end !== null) return null;
    const state = stateAt(now.handed, now.lookedMs);
    return { ...now, lookedMs: null, handed: { ...now.handed, state } };
  },
  primaryTakesBack(now) {
    if (now.handed.state !== 'overdue' || now.end !== null) return null;
    const handed = { ...now.handed, state: 'taken back' };
    return { ...now, handed, isTakenBack: true, readers: [...now.readers, 'other'] };
  },
  primaryNoticesDeath(now) {
    if (now.worker !== 'dead' || now.toPrimary.length > 0 || now.end !== null) return null;
    return ended(now, outcomeOf(now.handed.state, false));
  },
};

/** @param {any} now @param {string} message of the worker */
function written(now, message) {
  const { isFlushed, buffered, toPrimary } = now;
  if (!isFlushed) return { ...now, buffered: [...buffered, message] };
  return { ...now, toPrimary: [...toPrimary, message] };
}

/** @param {any} now @param {'accepted' | 'refused' | 'elsewhere'} end */
function ended(now, end) {
  return { ...now, end, readers: end === 'refused' ? [...now.readers, 'other'] : now.readers };
}

/** @param {string} reader */
function isOther(reader) {
  return reader === 'other';
}

/** @param {object} start @returns {any[]} all states that can be reached */
function reachable(start) {
  const seen = new Map([[JSON.stringify(start), start]]);
  for (const now of seen.values()) {
    for (const step of Object.values(STEPS)) {
      const next = step(now);
      if (next) seen.set(JSON.stringify(next), next);
    }
  }
  return [...seen.values()];
}

/** @param {any} now @returns {boolean} nothing more can happen to it */
function isFinal(now) {
  return Object.values(STEPS).every((step) => step === STEPS.workerDies || step(now) === null);
}

for (const isFlushed of [true, false]) {
  for (const isRefusing of [false, true]) {
    t.test(`acknowledgement written: ${isFlushed}, refused: ${isRefusing}`, (t) => {
      const states = reachable({ ...START, isFlushed, isRefusing });
      t.same(
        states.filter(({ readers }) => readers.length > 1),
        [],
        'two read from it',
      );
      const finals = states.filter(isFinal);
      // The connections of a dead worker end with it.
      const lost = finals.filter(
        ({ readers, worker, end }) =>
          readers.length === 0 && !(worker === 'dead' && end === 'accepted'),
      );
      t.same(lost, [], 'nobody reads from it');
      t.ok(finals.some(({ readers }) => readers[0] === 'other'));
      t.equal(
        finals.some(({ readers }) => readers[0] === 'worker'),
        !isRefusing,
      );
      t.ok(finals.length > 5 && states.length > 100, `${states.length} states`);
      t.end();
    });
  }
}
