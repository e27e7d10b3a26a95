import t from 'tap';
import { recentReloads, repeatsOf, watchDelay } from '../../../src/features/watch/decide.js';

t.test('constant changes do not delay a reload forever', async (t) => {
  t.equal(watchDelay(200, 0), 200);
  t.equal(watchDelay(200, 1900), 100);
  t.equal(watchDelay(200, 5000), 0);
});

t.test('the third reload within a minute by the same file is one too many', async (t) => {
  const reloads = [0, 20_000, 61_000, 70_000].map((at) => ({ file: 'db.json', at }));
  const others = [60_000, 62_000].map((at) => ({ file: 'a.js', at }));
  const at = (now) => recentReloads([...reloads, ...others], now).filter((each) => each.at <= now);
  t.equal(repeatsOf(at(20_000), 'db.json'), 0);
  t.equal(repeatsOf(at(61_000), 'db.json'), 0);
  t.equal(repeatsOf(at(70_000), 'db.json'), 3);
  t.equal(repeatsOf(at(70_000), 'a.js'), 0);
  t.equal(repeatsOf(at(90_000), 'db.json'), 0);
});
