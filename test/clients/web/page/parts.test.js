/** Parts of the page: charts, rows, the badge of its tab and the latest reload. */
import t from 'tap';
import { badgeOf } from '../../../../src/clients/web/page/badge.js';
import { firstState } from '../../../../src/clients/web/page/data/store.js';
import { latestReload } from '../../../../src/clients/web/page/reload-view.js';
import { sparkPaths } from '../../../../src/clients/web/page/row.js';
import {
  chartData,
  emptyText,
  marksOf,
  whenText,
} from '../../../../src/clients/web/page/series.js';
import { countTones } from '../../../../src/clients/web/page/table.js';
import { byName } from '../../../../src/shared/merge-patch.js';
import { formatClock } from '../../../../src/show/quantity.js';

// What the charts show: data with gaps, and marks.

t.test('data between two times, with a gap where nothing was measured', async (t) => {
  const times = [1000, 2000, 3000, 20_000, 21_000];
  const figures = [[1, 10], [2, 20], null, [4, 40], [5, 50]];
  t.same(chartData(times, figures, [0, 1], 2000, 20_000), [
    [2, 3, 3.001, 20],
    [2, null, null, 4],
    [20, null, null, 40],
  ]);
  t.same(chartData([], [], [0], 0, 1), [[], []]);
});

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

t.test('a band has two times', async (t) => {
  const [from, to] = [1000, 47_000].map(formatClock);
  t.equal(whenText({ from: 1000, to: 1999 }, 60_000), from, 'within the second');
  t.equal(whenText({ from: 1000, to: 47_000 }, 60_000), `${from}–${to}`);
  t.equal(whenText({ from: 1000, to: 60_000 }, 60_000), `since ${from}`);
});

t.test('a crash loop is one band', async (t) => {
  const crashes = (...times) => times.map((at) => event('worker.exited', at));
  const line = (at) => ({ from: at, to: at, look: 'bad', text: `worker.exited ${at}` });
  const band = {
    from: 1,
    to: 150_000,
    look: 'bad',
    text: '3 crashes: worker.exited 150000',
  };
  const rows = [
    ['two are none', crashes(1, 1000), [line(1), line(1000)]],
    ['three', crashes(1, 50_000, 150_000), [band]],
    ['and one much later', crashes(1, 50_000, 150_000, 400_000), [band, line(400_000)]],
    [
      'those that are not kept any more',
      [event('worker.exited', 150_000, { since: 1, earlier: 2 })],
      [band],
    ],
    ['too far apart', crashes(1, 130_000, 260_000), [line(1), line(130_000), line(260_000)]],
  ];
  for (const [name, events, expected] of rows)
    t.same(marksOf(events, 'api', 500_000), expected, name);
});

t.test('why a chart is empty', async (t) => {
  const times = [1, 2];
  const requests = (...values) => ({ isWaiting: false, data: [times, values] });
  const waiting = (...values) => ({ ...requests(...values), isWaiting: true });
  const rows = [
    [[3, 4], undefined, ''],
    [[null, 4], undefined, ''],
    [[0, 0], undefined, ''],
    [[null, null], undefined, 'not measured in this time'],
    [[0, 0], requests(0, 0), 'no requests in this time'],
    [[null, null], requests(null, 0), 'no requests in this time'],
    [[null, null], requests(null, null), 'not measured in this time'],
    [[0, 0], waiting(0, 0), 'no request answered in this time'],
    [[null, null], waiting(0, 0), 'no request answered in this time'],
    [[5, null], waiting(1, 0), ''],
    [[5, null], requests(1, 0), ''],
  ];
  for (const [values, counted, text] of rows) {
    t.equal(emptyText([times, values], counted), text, JSON.stringify([values, counted]));
  }
  t.equal(emptyText([[], []], requests()), 'not measured in this time');
});

t.test('curves', async (t) => {
  t.same(sparkPaths([0, 10], { low: 0, high: 10 }), {
    line: 'M58 16.0L59 0.0',
    area: 'M58 16.0L59 0.0V16H58Z',
  });
  t.same(
    sparkPaths([5, null, 5, 20], { low: 0, high: 10 }).line,
    'M56 8.0M58 8.0L59 0.0',
    'a gap, and what is higher than the scale',
  );
  t.same(sparkPaths([null], { low: 0, high: 1 }), { line: '', area: '' });
});

const rows = [
  [['bad'], '1 red'],
  [['bad', 'bad', 'warn', 'good', '', ''], '2 red, 1 amber, 1 green, 2 other'],
];
for (const [tones, text] of rows) {
  t.test(text, async (t) => {
    t.equal(countTones(tones.map((tone) => ({ tone }))), text);
  });
}

// The title and the icon of the tab.

const AT = 1_700_000_000_000;
const then = formatClock(AT).slice(0, 5);
const app = (name, status) => ({ name, status, workers: [{ id: 1, slot: 0, status }] });
const good = byName([app('api', 'online')]);
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
  [
    'no daemon',
    'open',
    { ...good, gone: { since: 1 } },
    false,
    `no problems at ${then} · nodecluster`,
    'off',
  ],
];
for (const [name, kind, server, isHidden, title, tone] of badgeRows) {
  t.test(name, async (t) => {
    const state = { ...firstState(AT), connection: { kind, text: '' }, server };
    t.same(badgeOf(state, isHidden), { title, tone });
  });
}

// The latest reload of an app, from its record and its events.

const worker = (slot, generation = 1) => ({ id: slot + 1, slot, generation });
const reloadedApp = { name: 'api', generation: 1, workers: [worker(0, 2), worker(1), worker(2)] };

function eventOf(type, fields) {
  return { type, at: 1000, app: 'api', text: type, ...fields };
}

const begun = eventOf('reload.begun');
const ended = eventOf('reload.ended', { at: 3000, ok: true, done: [1, 2, 3], kept: [] });

t.test('without a reload there is nothing to show', async (t) => {
  t.equal(latestReload(reloadedApp, [], 5000), null);
  t.equal(latestReload(reloadedApp, [{ ...begun, app: 'web' }], 5000), null);
  t.equal(latestReload(reloadedApp, [begun, ended], 3000 + 11 * 60_000), null, 'it is long over');
});

t.test('while it goes on, the record counts', async (t) => {
  const cut = eventOf('worker.stopped', { slot: 0, cut: 3 });
  t.match(latestReload(reloadedApp, [begun, cut], 5000), {
    done: 1,
    outcome: null,
    text: '1 of 3 workers replaced, 4.0s, 3 connections closed',
  });
});

t.test('a canary has replaced nothing while it is judged', async (t) => {
  const canary = { ...worker(0, 2), beside: [{ pid: 1 }] };
  const judging = { ...reloadedApp, workers: [canary, worker(1), worker(2)] };
  const text = '0 of 3 workers replaced, 4.0s';
  t.match(latestReload(judging, [begun], 5000), { done: 0, text });
});

t.test('then the outcome does', async (t) => {
  const later = eventOf('worker.stopped', { at: 4000, cut: 3 });
  const { done, outcome, text } = latestReload(reloadedApp, [begun, ended, later], 5000);
  t.same([done, outcome, text], [3, ended, '3 of 3 workers replaced, 2.0s']);
  const failed = eventOf('reload.ended', { ok: false, done: [], kept: [1, 2, 3] });
  const back = latestReload(reloadedApp, [begun, eventOf('reload.rollback'), failed], 5000);
  t.match(back, { done: 0, text: /rolled back/ });
  t.match(
    latestReload(reloadedApp, [begun, failed, begun], 5000),
    { outcome: null },
    'the latest counts',
  );
});
