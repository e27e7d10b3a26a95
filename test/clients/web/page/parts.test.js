import t from 'tap';
import { badgeOf } from '../../../../src/clients/web/page/badge.js';
import { Chart, chartsOf } from '../../../../src/clients/web/page/charts.js';
import { eventsBelow } from '../../../../src/clients/web/page/exits.js';
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
    event('worker.degraded', 6),
    event('worker.recovered', 7),
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
    { from: 6, to: 6, look: 'warn', text: 'worker.degraded 6' },
    { from: 7, to: 7, look: 'bad', text: 'primary.lost 7' },
    { from: 8, to: 10, look: 'band', text: 'stop.begun 8' },
    { from: 8, to: 9, look: 'band', text: 'job.ended 9' },
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

t.test('events do not repeat the cause, the change or the stack that stand above', async (t) => {
  const differences = [{ key: 'env.PORT', from: '1', to: '2' }];
  const change = { at: 1, action: 'reload', isApplied: true, differences, omitted: 0 };
  const why = { reason: { kind: 'exit', code: 1 }, cause: 'no database' };
  const events = [
    event('reload.ended', 2, { ok: true, failed: [], durationMs: 0, change }),
    event('worker.exited', 3, { slot: 0, code: 1, ...why }),
    event('worker.stack', 4),
    event('worker.exited', 5, { app: 'web' }),
  ];
  const worker = { id: 1, slot: 0, status: 'errored', listening: [], ...why };
  const textsOf = (app) =>
    eventsBelow({ events, at: 9 }, { name: 'api', ...app }).map(({ text }) => text);
  const [ended, exited] = ['api reload done', 'api:0 exited with code 1'];
  t.same(textsOf({ workers: [worker], changes: [change] }), [ended, exited]);
  t.same(textsOf({ workers: [] }), ['reload.ended 2', 'worker.exited 3', 'worker.stack 4']);
});

t.test('charts show what changes in their time, from the first figure on', async (t) => {
  const ran = { online: 2, memory: 7, errors: 0 };
  const samples = [{ online: 0 }, { ...ran, cpu: 5 }, { ...ran, cpu: 6, online: 1 }];
  const shown = (of) => {
    const points = of.map((sample, index) => ({ at: index * 60_000, sample }));
    const charts = chartsOf({ from: 0, to: 120_000, points, marks: [{ from: 0, to: 0 }] });
    return charts.map(({ title, from, marks }) => [title, from, marks.length]);
  };
  t.same(shown(samples), [
    ['cpu', 60_000, 0],
    ['workers online', 60_000, 0],
  ]);
  t.same(shown(samples.slice(0, 1)), [], 'it is stopped');
});

t.test('the figures at the pointer, or else the latest', async (t) => {
  const read = ({ cpu }) => cpu;
  const points = [{ at: 10, sample: { cpu: 1 } }, { at: 20 }, { at: 30, sample: { cpu: 3 } }];
  const span = { from: 0, to: 100, stepMs: 50, points, marks: [] };
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
