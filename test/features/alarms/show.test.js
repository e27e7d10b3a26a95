import t from 'tap';
import { alarms as feature } from '../../../src/features/alarms/show.js';

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
