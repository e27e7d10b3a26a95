import t from 'tap';
import { LiveView } from '../../../src/daemon/queries/live.js';
import { until } from '../../support/until.js';

/** @param {LiveView} view @param {object} [more] */
function watcher(view, more = {}) {
  const frames = [];
  const end = view.add({
    intervalMs: 20,
    isReading: () => true,
    show: (frame) => frames.push(frame),
    ...more,
  });
  return { frames, end };
}

t.test('watchers share each table', async (t) => {
  let looks = 0;
  const view = new LiveView(async () => [{ look: ++looks }]);
  const [one, other] = [watcher(view), watcher(view)];
  await until(() => one.frames.length > 2 && other.frames.length > 2, 'three frames each');
  one.end();
  other.end();
  t.same(one.frames, other.frames);
  t.ok(looks <= one.frames.length + 1, `${looks} looks`);
});

t.test('no table is made when nobody watches', async (t) => {
  let looks = 0;
  const view = new LiveView(async () => [++looks]);
  const first = watcher(view);
  await until(() => first.frames.length > 0, 'a frame');
  first.end();
  const before = looks;
  const next = watcher(view, { intervalMs: 60_000 });
  await until(() => next.frames.length > 0, 'a frame for the next');
  next.end();
  t.equal(looks, before + 1);
});

t.test('a watcher that does not read misses frames and costs no table', async (t) => {
  let looks = 0;
  let isReading = false;
  let questions = 0;
  const view = new LiveView(async () => [++looks]);
  const slow = watcher(view, {
    isReading: () => {
      questions += 1;
      return isReading;
    },
  });
  await until(() => questions > 2, 'it to be skipped');
  t.equal(looks, 0);
  isReading = true;
  await until(() => slow.frames.length > 0, 'a frame');
  slow.end();
});
