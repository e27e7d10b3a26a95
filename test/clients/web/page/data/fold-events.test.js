/** Equal events as one. */
import t from 'tap';
import { eventText } from '../../../../../src/show/event.js';
import { addEvent, foldEvents } from '../../../../../src/clients/web/page/data/fold-events.js';

let at = 0;
/** @param {string} type @param {number} [slot] @param {object} [fields] */
function event(type, slot, fields) {
  at += 1;
  const own = { type, at, app: 'api', ...(slot !== undefined && { slot }), ...fields };
  return { ...own, text: eventText(own) };
}
const crash = (slot) => event('worker.exited', slot, { reason: 'exited with code 1' });
const start = (slot) => event('worker.starting', slot, { pid: 100 + at });

const rows = [
  ['none', [], []],
  ['one worker', [crash(1), crash(1), crash(1)], ['api:1 exited: exited with code 1 ×3']],
  ['several workers', [crash(1), crash(2)], ['api exited: exited with code 1 ×2']],
  ['a worker again', [crash(1), crash(2), crash(2)], ['api exited: exited with code 1 ×3']],
  [
    'by turns',
    [start(1), crash(1), start(1), crash(1)],
    [/^api:1 starting: pid \d+ ×2$/, 'api:1 exited: exited with code 1 ×2'],
  ],
  [
    'another reason',
    [crash(1), event('worker.exited', 1, { reason: 'was killed by SIGKILL' })],
    ['api:1 exited: exited with code 1 ×1', 'api:1 exited: was killed by SIGKILL ×1'],
  ],
  [
    'another app',
    [crash(1), event('worker.exited', 1, { app: 'web', reason: 'exited with code 1' })],
    ['api:1 exited: exited with code 1 ×1', 'web:1 exited: exited with code 1 ×1'],
  ],
  [
    'not beyond a command',
    [crash(1), event('reload.begun'), crash(1)],
    [
      'api:1 exited: exited with code 1 ×1',
      'api reload begun ×1',
      'api:1 exited: exited with code 1 ×1',
    ],
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
    t.match(
      folded.map(({ text, count }) => `${text} ×${count}`),
      expected,
    );
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

t.test('a flood of one app displaces its own events', async (t) => {
  const rare = [crash(1), event('worker.exited', 1, { app: 'web', reason: 'exited with code 1' })];
  let events = rare;
  for (let i = 0; i < 50; i++) {
    events = addEvent(events, event('worker.starting', i, { app: 'many', pid: i }), 10);
  }
  t.equal(events.length, 10);
  t.same(events.slice(0, 2), rare);
  t.equal(events.at(-1).slot, 49, 'the latest are kept');
});
