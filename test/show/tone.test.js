import t from 'tap';
import { paintTone } from '../../src/show/paint.js';
import { eventTone, statusTone } from '../../src/show/tone.js';

t.test('what needs attention', async (t) => {
  t.equal(statusTone('online'), 'good');
  t.equal(statusTone('online', 'unhealthy'), 'bad');
  t.equal(statusTone('waiting', 'waiting 4m 10s, last ok, took 2.1s'), 'good');
  t.equal(statusTone('waiting', 'waiting 4m 10s, last failed (exit 1), took 2.1s'), 'bad');
  t.equal(statusTone('stopped'), 'off');
  t.equal(statusTone('a status of a later version'), '');
  t.equal(eventTone({ type: 'app.reloaded', ok: false }), 'bad');
  t.equal(eventTone({ type: 'worker.online' }), 'good');
});

t.test('a tone in the colours of a terminal', async (t) => {
  const paint = { green: (text) => `green ${text}`, gray: (text) => `gray ${text}` };
  t.equal(paintTone('good', paint, 'a'), 'green a');
  t.equal(paintTone('off', paint, 'a'), 'gray a');
  t.equal(paintTone('', paint, 'a'), 'a');
});
