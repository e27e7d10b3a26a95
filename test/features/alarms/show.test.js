import t from 'tap';
import { plain } from '../../../src/show/paint.js';
import { alarms as feature } from '../../../src/features/alarms/show.js';
import { eventText } from '../../../src/show/event.js';

const now = 1_700_000_000_000;

t.test('what alarms have delivered', async (t) => {
  const alarm = { event: ['worker.errored', 'reload.*'], to: './notify.sh', delivered: 3 };
  const quiet = { ...alarm, givenUp: 0, waiting: 0 };
  const to = 'POST https://example.com/********';
  const trouble = 'the server answered 503';
  const troubled = { event: ['*'], to, delivered: 0, givenUp: 12, waiting: 2, trouble };
  t.equal(feature.section({}), null);
  t.equal(feature.section({ alarms: [] }), null);
  t.same(feature.section({ alarms: [quiet, troubled] }).facts, [
    ['worker.errored, reload.*', './notify.sh: 3 delivered', ''],
    ['*', `${to}: 0 delivered, 2 waiting, 12 given up; the last attempt failed: ${trouble}`, 'bad'],
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
