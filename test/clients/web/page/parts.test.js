import t from 'tap';
import { badgeOf } from '../../../../src/clients/web/page/badge.js';
import { Chart } from '../../../../src/clients/web/page/chart.js';
import { chartsSince } from '../../../../src/clients/web/page/charts.js';
import { History } from '../../../../src/clients/web/page/data/history.js';
import { firstState, receive } from '../../../../src/clients/web/page/data/store.js';
import { marksOf, pathOf, textAt } from '../../../../src/clients/web/page/series.js';
import { byName } from '../../../../src/shared/merge-patch.js';
import { formatClock } from '../../../../src/show/quantity.js';

function event(type, at, fields) {
  return { type, at, app: 'api', text: `${type} ${at}`, ...fields };
}

t.test('marks', async (t) => {
  const events = [
    event('reload.begun', 1),
    event('worker.online', 2),
    event('reload.ended', 3, { ok: true }),
    event('restart.begun', 4),
    event('restart.ended', 5, { ok: false }),
    event('worker.exited', 6),
    event('worker.exited', 6, { app: 'web' }),
    event('primary.lost', 7),
    event('stop.begun', 8),
    event('job.started', 8),
    event('job.ended', 9, { ok: true }),
    { type: 'missed', at: 9, count: 2, text: '2 events were missed' },
  ];
  t.same(marksOf(events, 'api', 10), [
    { from: 1, to: 3, look: 'band', text: 'reload.ended 3' },
    { from: 4, to: 5, look: 'bad', text: 'restart.ended 5' },
    { from: 6, to: 6, look: 'bad', text: 'worker.exited 6' },
    { from: 7, to: 7, look: 'bad', text: 'primary.lost 7' },
    { from: 8, to: 10, look: 'band', text: 'stop.begun 8' },
    { from: 8, to: 9, look: 'band', text: 'job.ended 9' },
  ]);
});

t.test('a blocked worker is a band of the time in which it was', async (t) => {
  const blocked = (slot, at) => event('worker.unresponsive', at, { slot, durationMs: 5 });
  const events = [
    blocked(0, 10),
    blocked(1, 12),
    event('worker.responsive', 30, { slot: 0, durationMs: 25 }),
    event('worker.stopped', 32, { slot: 1 }),
    event('worker.responsive', 33, { slot: 1 }),
    blocked(2, 40),
  ];
  t.same(marksOf(events, 'api', 50), [
    { from: 5, to: 30, look: 'bad', text: 'worker.responsive 30' },
    { from: 7, to: 32, look: 'bad', text: 'worker.unresponsive 12' },
    { from: 35, to: 50, look: 'bad', text: 'worker.unresponsive 40' },
  ]);
});

t.test('a degraded worker is a band with what was wrong, until it recovers or exits', async (t) => {
  const events = [
    event('worker.degraded', 10, { slot: 0 }),
    event('worker.unresponsive', 12, { slot: 0 }),
    event('worker.responsive', 14, { slot: 0 }),
    event('worker.degraded', 20, { slot: 0 }),
    event('worker.degraded', 22, { slot: 1 }),
    event('worker.recovered', 30, { slot: 0 }),
    event('worker.stopped', 32, { slot: 1 }),
  ];
  t.match(marksOf(events, 'api', 50), [
    { from: 10, to: 20, text: 'worker.degraded 10' },
    { from: 12, to: 14, text: 'worker.responsive 14' },
    { from: 20, to: 30, text: 'worker.degraded 20' },
    { from: 22, to: 32, text: 'worker.degraded 22' },
  ]);
});

t.test('at the pointer: a crash beside it, also during a reload', async (t) => {
  const events = [
    event('reload.begun', 10),
    event('worker.exited', 20, { text: 'api:0 \u001b[7mcrashed' }),
  ];
  const textNear = (at) => textAt(marksOf(events, 'api', 50), at, 2);
  t.equal(textNear(7), '');
  t.equal(textNear(8), 'reload.begun 10');
  t.match(textNear(22), /^api:0 .*crashed$/);
  t.notMatch(textNear(22), '\u001b');
  t.equal(textNear(23), 'reload.begun 10');
});

t.test('charts show what was measured in their time', async (t) => {
  const workers = [{ id: 1, slot: 0, status: 'online', requestsPerSecond: 1, cpu: 5 }];
  const history = new History();
  const shown = (from) => chartsSince(history, 'api', from);
  for (const at of [1, 2, 3]) history.add(at, [{ name: 'api', workers }], null);
  t.same(shown(2).times, [2, 3]);
  t.match(shown(2).samples, [{ cpu: 5 }, { cpu: 5 }]);
  const titles = shown(2).kinds.map(({ title }) => title);
  t.same(titles, ['requests/s', 'cpu', 'workers online']);
  t.same(shown(4), { times: [], samples: [], kinds: [] });
});

t.test('the figures at the pointer, or else the latest', async (t) => {
  const read = ({ cpu }) => cpu;
  const samples = [{ cpu: 1 }, null, { cpu: 3 }];
  const span = { from: 0, to: 100, stepMs: 50, times: [10, 20, 30], samples, marks: [] };
  const kind = { title: 'cpu', format: (value = '-') => `${value}%`, minHigh: 1 };
  const lines = [{ label: 'all', look: 'accent', read }];
  for (const [pointed, text] of [
    [null, 'all 3%'],
    [15, 'all 1%'],
    [29, 'all -%'],
    [5, 'all -%'],
  ]) {
    const [, plot] = Chart({ ...kind, lines, ...span, pointed }).props.children;
    t.equal(plot.props['aria-label'], `cpu: ${text}`);
  }
});

t.test('a curve', async (t) => {
  const rows = [
    [{ 0: 16, 1: 0 }, 'M0.0 16.0L1.0 0.0'],
    [{ 0: 8, 1: null, 2: 8, 3: 0 }, 'M0.0 8.0M2.0 8.0L3.0 0.0', 'not known'],
    [{ 0: 8, 9: 8 }, 'M0.0 8.0M9.0 8.0', 'nothing was measured'],
    [{ 0: undefined }, ''],
  ];
  for (const [curve, path, why] of rows) {
    const points = Object.entries(curve).map(([x, y]) => [Number(x), y]);
    t.equal(pathOf(points, 1), path, why);
  }
});

const AT = 1_700_000_000_000;
const then = formatClock(AT).slice(0, 5);
const app = (name, status) => ({ name, status, workers: [{ id: 1, slot: 0, status }] });
const good = byName([app('api', 'online')]);
const gone = { ...good, gone: { since: 1 } };
const warn = byName([app('api', 'starting'), app('web', 'online')]);
const bad = byName([app('api', 'starting'), app('web', 'errored')]);

const badgeRows = [
  ['nothing received', 'open', null, false, 'nodecluster', 'off'],
  ['all well', 'open', good, false, 'nodecluster', 'good'],
  ['degraded', 'open', warn, false, '1 problem · nodecluster', 'warn'],
  ['broken', 'open', bad, false, '2 problems · nodecluster', 'bad'],
  ['hidden', 'open', bad, true, `2 problems at ${then} · nodecluster`, 'off'],
  ['hidden, all well', 'open', good, true, `no problems at ${then} · nodecluster`, 'off'],
  ['lost', 'lost', good, false, `no problems at ${then} · nodecluster`, 'off'],
  ['no daemon', 'open', gone, false, `no problems at ${then} · nodecluster`, 'off'],
];
for (const [name, kind, server, isHidden, title, tone] of badgeRows) {
  const received = { name: 'snapshot', data: { state: server, events: [] } };
  const before = firstState(AT);
  const state = { ...(server ? receive(before, received) : before), connection: { kind } };
  t.same(badgeOf(state, isHidden), { title, tone }, name);
}
