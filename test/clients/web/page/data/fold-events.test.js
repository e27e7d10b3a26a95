/** Equal events as one. */
import t from 'tap';
import { eventText } from '../../../../../src/show/event.js';
import { foldEvents } from '../../../../../src/clients/web/page/data/fold-events.js';
import { withEvent } from '../../../../../src/lifecycle/recent-events.js';

let at = 0;
function event(type, slot, fields) {
  at += 1;
  const own = { type, at, app: 'api', ...(slot !== undefined && { slot }), ...fields };
  return { ...own, text: eventText(own) };
}
const crash = (slot) => event('worker.exited', slot, { reason: 'exited with code 1' });
const start = (slot) => event('worker.starting', slot, { pid: 100 + at });

const rows = [
  ['none', [], []],
  ['one worker', [crash(1), crash(1), crash(1)], ['api:1 exited with code 1 ×3']],
  ['several workers', [crash(1), crash(2)], ['api exited with code 1 ×2']],
  ['a worker again', [crash(1), crash(2), crash(2)], ['api exited with code 1 ×3']],
  [
    'by turns',
    [start(1), crash(1), start(1), crash(1)],
    [/^api:1 starting: pid \d+ ×2$/, 'api:1 exited with code 1 ×2'],
  ],
  [
    'another reason',
    [crash(1), event('worker.exited', 1, { reason: 'was killed by SIGKILL' })],
    ['api:1 exited with code 1 ×1', 'api:1 exited: was killed by SIGKILL ×1'],
  ],
  [
    'another app',
    [crash(1), event('worker.exited', 1, { app: 'web', reason: 'exited with code 1' })],
    ['api:1 exited with code 1 ×1', 'web:1 exited with code 1 ×1'],
  ],
  [
    'beside what other apps do',
    [
      crash(1),
      ...['a', 'b', 'c', 'd', 'e'].map((app) => event('stop.begun', undefined, { app })),
      crash(1),
    ],
    [
      ...['a', 'b', 'c', 'd', 'e'].map((app) => `${app} stop begun ×1`),
      'api:1 exited with code 1 ×2',
    ],
  ],
  [
    'not beyond a command',
    [crash(1), event('reload.begun'), crash(1)],
    ['api:1 exited with code 1 ×1', 'api reload begun ×1', 'api:1 exited with code 1 ×1'],
  ],
  [
    'what a program says',
    ['a', 'b'].map((word) => ({
      ...event('worker.event', 1, { name: 'x', data: null }),
      text: `api:1 x: ${word}`,
    })),
    ['api:1 x: a ×1', 'api:1 x: b ×1'],
  ],
];
for (const [name, events, expected] of rows) {
  t.test(name, async (t) => {
    const folded = foldEvents(events);
    const found = folded.map(({ text, count }) => `${text} ×${count}`);
    t.match(found, expected);
    t.equal(folded.length, expected.length);
  });
}

t.test('the latest, and the time of the first', async (t) => {
  const events = [start(1), crash(1), start(1), crash(1), event('worker.online', 1)];
  t.same(
    foldEvents(events).map(({ event, since }) => [event, since]),
    [
      [events[2], events[0].at],
      [events[3], events[1].at],
      [events[4], events[4].at],
    ],
  );
});

t.test('a long crash loop counts from its first crash, kept or not', async (t) => {
  const first = event('reload.ended', undefined, { ok: true, durationMs: 0, failed: [] });
  let events = [first];
  for (let i = 0; i < 300; i++) {
    for (const next of [start(1), crash(1), event('worker.online', 1, { app: 'web', pid: i })]) {
      events = withEvent(events, next, 50);
    }
  }
  t.equal(events.length, 50);
  const folded = foldEvents(events);
  t.same(
    folded.map(({ event: { app, type }, count, since }) => [app, type, count, since - first.at]),
    [
      ['api', 'reload.ended', 1, 0],
      ['api', 'worker.starting', 300, 1],
      ['api', 'worker.exited', 300, 2],
      ['web', 'worker.online', 300, 3],
    ],
  );
});
