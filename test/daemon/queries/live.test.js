import t from 'tap';
import { LiveView } from '../../../src/daemon/queries/live.js';
import { until } from '../../support/until.js';

/** ms; so that the tests see several frames. */
const EVERY_MS = 20;

/** @param {LiveView} view @param {object} [more] */
function watcher(view, more = {}) {
  const frames = [];
  const end = view.add({
    isReading: () => true,
    show: (frame) => frames.push(frame),
    ...more,
  });
  return { frames, end };
}

t.test('watchers share each table', async (t) => {
  let looks = 0;
  const view = new LiveView(async () => ({ looks: ++looks }), EVERY_MS);
  const [one, other] = [watcher(view), watcher(view)];
  await until(() => one.frames.length > 2 && other.frames.length > 2, 'three frames each');
  one.end();
  other.end();
  t.same(one.frames, other.frames);
  t.ok(looks <= one.frames.length + 1, `${looks} looks`);
  t.match(one.frames.slice(0, 2), [
    { seq: 1, at: Number, patch: { looks: 1 } },
    { seq: 2, patch: { looks: 2 } },
  ]);
});

t.test('a patch says what has changed since the last frame of its watcher', async (t) => {
  const state = { same: { deep: [1] }, count: 0 };
  const view = new LiveView(async () => ({ ...state, count: (state.count += 1) }), EVERY_MS);
  let isReading = true;
  const [fast, slow] = [watcher(view), watcher(view, { isReading: () => isReading })];
  await until(() => slow.frames.length > 0, 'its first frame');
  isReading = false;
  const before = fast.frames.length;
  await until(() => fast.frames.length > before + 2, 'frames that it misses');
  isReading = true;
  const seen = slow.frames.length;
  await until(() => slow.frames.length > seen, 'it to catch up');
  fast.end();
  slow.end();
  const { seq, patch } = slow.frames[seen];
  t.equal(seq, seen + 1);
  t.same(Object.keys(patch), ['count']);
  t.ok(patch.count > seen + 1, 'as it is now');
});

t.test('no table is made when nobody watches', async (t) => {
  let looks = 0;
  const view = new LiveView(async () => ({ looks: ++looks }), 60_000);
  const first = watcher(view);
  await until(() => first.frames.length > 0, 'a frame');
  first.end();
  const before = looks;
  const next = watcher(view);
  await until(() => next.frames.length > 0, 'a frame for the next');
  next.end();
  t.equal(looks, before + 1);
});

t.test('a watcher that does not read misses frames and costs no table', async (t) => {
  let looks = 0;
  let isReading = false;
  let questions = 0;
  const view = new LiveView(async () => ({ looks: ++looks }), EVERY_MS);
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

t.test('one that comes while a table is made gets the next one at once', async (t) => {
  /** @type {(() => void)[]} */
  const made = [];
  const view = new LiveView(() => new Promise((resolve) => made.push(() => resolve({}))), 60_000);
  const first = watcher(view);
  await until(() => made.length > 0, 'a look');
  const second = watcher(view);
  made.shift()?.();
  await until(() => made.length > 0, 'another one');
  made.shift()?.();
  await until(() => second.frames.length > 0, 'its frame');
  t.match(second.frames, [{ seq: 1 }]);
  first.end();
  second.end();
});
