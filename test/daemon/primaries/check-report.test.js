/** What a primary reports is used only as far as it is named, possible and not too large. */
import t from 'tap';
import { primaryResults } from '../../../src/daemon/checks.js';
import { checked } from '../../../src/daemon/primaries/connection.js';
import { SLOT, snapshotWith } from '../../support/snapshot.js';

const invalid = { code: 'E_PRIMARY_REPORT' };
const check = (changes) => () => checked('state', snapshotWith(changes));

t.test('an event has nothing that is not known', async (t) => {
  const event = { type: 'worker.exited', at: 1, slot: 0, reason: 'x', app: 'api' };
  const forged = { ...event, app: 'other', namespace: 'other', id: 7, padding: 'x' };
  t.same(checked('event', forged), { ...event, app: 'other' });
  t.same(checked('progress', { kind: 'online', app: 'other' }), { kind: 'online' });
  const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
  const wrong = [
    { at: 1e300 },
    { at: -1 },
    { data: 'x'.repeat(200_000) },
    { data: deep },
    { slot: '0' },
    { type: undefined },
  ];
  for (const part of wrong) {
    t.throws(() => checked('event', { ...event, ...part }), invalid);
  }
});

/** @returns all values in it */
function* valuesIn(value, path = []) {
  if (path.length > 0) yield { path, value };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) yield* valuesIn(each, [...path, key]);
}

/** @returns with another value there */
function replaceIn(value, [key, ...rest], other) {
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[key] = rest.length === 0 ? other : replaceIn(value[key], rest, other);
  return copy;
}

t.test('each value of a snapshot has its type, and the error says where it has not', async (t) => {
  const snapshot = snapshotWith();
  t.doesNotThrow(check({}));
  const unnoticed = [];
  let count = 0;
  // Of `spec`, which is compared only, it is enough that it is an object.
  const values = [...valuesIn(snapshot)].filter(({ path: [key] }) => key !== 'spec');
  for (const { path, value } of values) {
    const otherType = typeof value === 'string' ? 5 : 'x';
    for (const lie of [{ length: 1e9 }, [{}], Infinity, otherType, '\0'.repeat(2e5)]) {
      count += 1;
      const place = path.join('.');
      try {
        checked('state', replaceIn(snapshot, path, lie));
        unnoticed.push(`${place}: ${typeof lie}`);
      } catch (error) {
        if (!error.data.what.startsWith(place)) unnoticed.push(`${place}: ${error.message}`);
      }
    }
  }
  t.same(unnoticed, []);
  t.ok(count > 400, `${count} lies`);
});

t.test('whole numbers that are computed with are possible', async (t) => {
  const slots = [
    { slot: -1 },
    { slot: 0.5 },
    { slot: 1e6 },
    { pid: 0 },
    { pid: -1 },
    { generation: -1 },
    { restarts: 1e300 },
  ];
  for (const part of slots) t.throws(check({ slots: [{ ...SLOT, ...part }] }), invalid);
  t.throws(check({ spec: [] }), invalid);
});

t.test('a worker listens on addresses of a possible length and number', async (t) => {
  const of = (listening) => check({ slots: [{ ...SLOT, listening }] });
  const at = (address) => ({ address, protocol: null });
  t.doesNotThrow(of([at('*:80')]));
  t.throws(of([at('x'.repeat(5000))]), invalid);
  t.throws(of(Array(1001).fill(at('*:80'))), invalid);
  t.throws(check({ slots: Array(1001).fill(SLOT) }), invalid);
});

t.test('figures are numbers', async (t) => {
  const latency = { counts: [1], sumMs: 1 };
  const report = {
    atMs: 1,
    activeMs: 1,
    idleMs: 1,
    delay: { ...latency, maxMs: 1 },
    heapUsed: 1,
    heapTotal: 1,
    connections: 1,
    begun: 1,
    requests: 1,
    errors: 1,
    latency,
    lastMinute: [1],
    slowestMs: 1,
  };
  const faultOf = (wrong) =>
    primaryResults.telemetry?.({ workers: [{ pid: 1, report: { ...report, ...wrong } }] });
  t.equal(faultOf({}), null);
  for (const [key, value] of [
    ['heapUsed', { a: 1 }],
    ['connections', 'x'],
    ['delay', { counts: null }],
  ]) {
    t.match(faultOf({ [key]: value }), `workers.0.report.${key}`);
  }
});

t.test('what the programs count is limited', async (t) => {
  const samples = [['', { b: '' }, 1]];
  const family = { name: 'a_total', type: 'counter', help: '', samples, aggregator: 'sum' };
  const reply = { families: [family], failure: null };
  const faultOf = (wrong) => primaryResults['program-metrics']?.({ ...reply, ...wrong });
  t.equal(faultOf({}), null);
  for (const wrong of [
    { families: Array(10_001).fill(family) },
    { families: [{ ...family, samples: [['', { b: 1 }, 1]] }] },
    { families: [{ ...family, samples: [['', { b: '' }, 'x']] }] },
    { families: undefined },
    { failure: 1 },
  ]) {
    t.match(faultOf(wrong), Object.keys(wrong)[0]);
  }
});
