import t from 'tap';
import { plain } from '../../../src/show/paint.js';
import { alarms as feature } from '../../../src/features/alarms/show.js';
import { eventText } from '../../../src/show/event.js';

const now = 1_700_000_000_000;

t.test('what alarms have delivered', async (t) => {
  const alarm = { event: ['worker.errored', 'reload.*'], to: './notify.sh', delivered: 3 };
  const quiet = { ...alarm, givenUp: 0, waiting: [], undelivered: [] };
  const notice = { type: 'worker.errored', count: 2 };
  const troubled = {
    event: ['*'],
    to: 'POST https://example.com/********',
    delivered: 0,
    givenUp: 12,
    waiting: [
      { ...notice, attempts: 2, reason: 'no\u001b[2J answer', retryAt: now + 4200 },
      { ...notice, count: 1, attempts: 0 },
    ],
    undelivered: [{ ...notice, at: now - 120_000, attempts: 5, reason: 'the server answered 503' }],
  };
  t.matchSnapshot(feature.lines({ alarms: [quiet, troubled] }, plain, now).join('\n'));
  t.same(feature.lines({ alarms: [] }, plain, now), []);
  t.equal(feature.section({ alarms: [] }, now), null);
  t.match(feature.section({ alarms: [troubled] }, now).entries, [
    { to: troubled.to, lines: [{ tone: 'warn', text: /^waiting: / }, {}, { tone: 'bad' }] },
  ]);
});

t.test('its event', async (t) => {
  const event = {
    type: 'alarm.undelivered',
    at: now,
    app: 'api',
    namespace: 'default',
    of: 'worker.errored',
    to: 'POST https://example.com/********',
    count: 1,
    attempts: 5,
    reason: 'the server answered 503',
  };
  t.equal(
    eventText(event, plain),
    'api worker.errored not delivered to POST https://example.com/********: the server answered 503',
  );
});
