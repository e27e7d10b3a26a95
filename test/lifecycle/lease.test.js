/**
 * Every order of the steps of a sender and a receiver of a connection, in both directions: each step may be
 * delayed by any time, as if the process had been stopped by a signal just before it.
 */
import t from 'tap';
import { mustAsk, outcomeOf, stateAt } from '../../src/lifecycle/lease.cjs';

const LEASE_MS = 50;
/** Before, at the end of, and after the lease. */
const TIMES = [1, 50, 51, 99];

/**
 * `asksUnlessWritten`: the receiver goes on without knowing whether its confirmation was written, and asks
 * then; otherwise it waits until that was written. `keepsReading`: a receiver that dies has handed over what
 * it has, so somebody goes on reading.
 */
const TO_WORKER = { asksUnlessWritten: true, keepsReading: false };
const TO_PRIMARY = { asksUnlessWritten: false, keepsReading: true };

const START = {
  nowMs: TIMES[0],
  /** What the receiver has written, and the sender has not read. */
  toSender: [],
  /** The other way round. */
  toReceiver: ['connection'],
  /** What the receiver does next. */
  receiver: 'idle',
  isSenderDead: false,
  leased: { leaseMs: LEASE_MS, state: 'sent' },
  /** Whether the connection has ended for the sender: how. */
  end: null,
  /** The sender looks whether the channel is empty, since then. */
  lookedMs: null,
  isTakenBack: false,
  isRefusing: false,
  /** Otherwise what the receiver sends waits in a buffer of its own first. */
  isFlushed: true,
  buffered: [],
  /** On whose side somebody reads from the connection. */
  readers: [],
};

/** Each returns the next state, or null if the step is not possible now. */
const STEPS = {
  timePasses(now) {
    const nowMs = TIMES[TIMES.indexOf(now.nowMs) + 1];
    return nowMs === undefined ? null : { ...now, nowMs };
  },
  receiverReceives(now) {
    if (now.receiver !== 'idle' || now.toReceiver[0] !== 'connection') return null;
    return { ...now, toReceiver: now.toReceiver.slice(1), receiver: 'received' };
  },
  receiverConfirms(now) {
    if (now.receiver !== 'received') return null;
    const receiver = now.isRefusing ? 'closed' : 'confirmed';
    return written({ ...now, receiver }, now.isRefusing ? 'refused' : 'accepted');
  },
  receiverReadsClock(now) {
    const { nowMs, buffered, asksUnlessWritten, isFlushed } = now;
    if (now.receiver !== 'confirmed' || (!asksUnlessWritten && buffered.length > 0)) return null;
    const isWritten = !asksUnlessWritten || isFlushed;
    if (mustAsk({ leaseMs: LEASE_MS, nowMs, isWritten })) {
      return written({ ...now, receiver: 'asked' }, 'late');
    }
    return { ...now, receiver: 'reads', readers: [...now.readers, 'receiver'] };
  },
  receiverGetsReply(now) {
    const [reply] = now.toReceiver;
    if (now.receiver !== 'asked' || (reply !== 'yours' && reply !== 'not yours')) return null;
    const readers = reply === 'yours' ? [...now.readers, 'receiver'] : now.readers;
    return { ...now, toReceiver: [], receiver: reply === 'yours' ? 'reads' : 'closed', readers };
  },
  receiverFlushes(now) {
    const { buffered, receiver, toSender } = now;
    if (buffered.length === 0 || receiver === 'dead') return null;
    return { ...now, buffered: [], toSender: [...toSender, ...buffered] };
  },
  receiverDies(now) {
    if (now.receiver === 'dead') return null;
    const readers = now.keepsReading ? now.readers : without(now.readers, 'receiver');
    return { ...now, receiver: 'dead', readers };
  },
  receiverNoticesDeath(now) {
    if (!now.isSenderDead || now.toReceiver.length > 0) return null;
    // It may have read from it.
    if (now.receiver === 'asked') return { ...now, receiver: 'closed' };
    // Whether the confirmation was written is not known: it cannot be read any more.
    if (now.asksUnlessWritten || now.receiver !== 'confirmed') return null;
    return { ...now, receiver: 'reads', readers: [...now.readers, 'receiver'] };
  },
  senderReads(now) {
    const [message, ...toSender] = now.toSender;
    if (message === undefined || now.isSenderDead) return null;
    const next = { ...now, toSender, lookedMs: null };
    if (message === 'late') {
      return { ...next, toReceiver: [...now.toReceiver, now.isTakenBack ? 'not yours' : 'yours'] };
    }
    return ended(next, outcomeOf(now.leased.state, message === 'accepted'));
  },
  senderLooks(now) {
    if (now.lookedMs !== null || now.end !== null || now.isSenderDead) return null;
    return { ...now, lookedMs: now.nowMs };
  },
  senderFindsNothing(now) {
    if (now.lookedMs === null || now.toSender.length > 0 || now.end !== null) return null;
    if (now.isSenderDead) return null;
    const state = stateAt(now.leased, now.lookedMs);
    return { ...now, lookedMs: null, leased: { ...now.leased, state } };
  },
  senderTakesBack(now) {
    if (now.leased.state !== 'overdue' || now.end !== null || now.isSenderDead) return null;
    const leased = { ...now.leased, state: 'taken back' };
    return { ...now, leased, isTakenBack: true, readers: [...now.readers, 'sender'] };
  },
  senderNoticesDeath(now) {
    if (now.receiver !== 'dead' || now.toSender.length > 0 || now.end !== null) return null;
    return now.isSenderDead ? null : ended(now, outcomeOf(now.leased.state, false));
  },
  senderDies(now) {
    if (now.isSenderDead) return null;
    return { ...now, isSenderDead: true, readers: without(now.readers, 'sender') };
  },
};

function written(now, message) {
  const { isFlushed, buffered, toSender } = now;
  if (!isFlushed) return { ...now, buffered: [...buffered, message] };
  return { ...now, toSender: [...toSender, message] };
}

function ended(now, end) {
  return { ...now, end, readers: end === 'refused' ? [...now.readers, 'sender'] : now.readers };
}

function without(readers, side) {
  return readers.filter((reader) => reader !== side);
}

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

function isFinal(now) {
  const deaths = [STEPS.receiverDies, STEPS.senderDies];
  return Object.values(STEPS).every((step) => deaths.includes(step) || step(now) === null);
}

for (const [direction, rules] of Object.entries({ TO_WORKER, TO_PRIMARY })) {
  for (const isFlushed of [true, false]) {
    for (const isRefusing of [false, true]) {
      t.test(`${direction}, written: ${isFlushed}, refused: ${isRefusing}`, async (t) => {
        const states = reachable({ ...START, ...rules, isFlushed, isRefusing });
        const wrong = states.filter(({ readers }) => readers.length > 1);
        t.same(wrong, [], 'two read from it');
        const finals = states.filter(isFinal);
        // The connections of a dead process end with it.
        const lost = finals.filter(
          ({ readers, receiver, isSenderDead, end }) =>
            readers.length === 0 && !isSenderDead && !(receiver === 'dead' && end === 'accepted'),
        );
        t.same(lost, [], 'nobody reads from it');
        t.ok(finals.some(({ readers }) => readers[0] === 'sender'));
        const isReceived = finals.some(({ readers }) => readers[0] === 'receiver');
        t.equal(isReceived, !isRefusing);
        t.ok(finals.length > 5 && states.length > 100, `${states.length} states`);
      });
    }
  }
}

t.test('a lease that a program has forged is never kept', async (t) => {
  for (const leaseMs of [NaN, undefined, null, 'soon', {}])
    t.ok(mustAsk({ leaseMs, nowMs: 1 }), `${leaseMs}`);
});
