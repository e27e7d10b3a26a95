/** How long a worker has to acknowledge a connection, after what it took before. */
import t from 'tap';
import { leaseTime, withAckTime } from '../../../src/primary/sockets/lease.js';

const times = (/** @type {number} */ ms, /** @type {number} */ count) => Array(count).fill(ms);
/** @type {[string, number[], number, number][]} acknowledged in these ms: the lease is from, to */
const rows = [
  ['a new worker', [], 50, 50],
  ['the first one at once', [0.4], 3, 3],
  ['always at once', times(0.4, 20), 3, 3],
  ['always 5 ms', times(5, 40), 5, 5.1],
  ['5 or 15 ms in turn', times(0, 40).map((_, at) => (at % 2 ? 5 : 15)), 25, 35],
  ['blocked for a minute, once', [...times(0.4, 20), 60_000], 50, 50],
  ['and then as before', [...times(0.4, 20), 60_000, ...times(0.4, 20)], 3, 8],
  ['always late', times(400, 20), 50, 50],
];
for (const [name, acknowledgedMs, least, most] of rows) {
  t.test(name, async (t) => {
    /** @type {ReturnType<typeof withAckTime> | null} */
    let known = null;
    for (const ms of acknowledgedMs) known = withAckTime(known, ms);
    const lease = leaseTime(known);
    t.ok(least <= lease && lease <= most, `${lease} ms`);
  });
}
