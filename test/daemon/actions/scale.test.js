import t from 'tap';
import { scaledTo } from '../../../src/daemon/actions/scale.js';

/** @param {string} instances @param {number} present @param {object} [settings] */
const scaled = (instances, present, settings = { instances: present }) => {
  const slots = Array.from({ length: present }, (_, slot) => slot);
  const { spec, count } = scaledTo({ spec: { name: 'api', ...settings }, slots }, instances);
  return { count, instances: spec.instances };
};

t.test('scale takes absolute and relative counts', async (t) => {
  t.same(scaled('4', 2), { count: 4, instances: 4 });
  t.same(scaled('+2', 2), { count: 4, instances: 4 });
  t.same(scaled('-1', 2), { count: 1, instances: 1 });
  t.match(scaled('max', 2), { count: Number, instances: 0 });
  t.throws(() => scaled('-1', 1), { message: /has only 1 worker/ });
  t.throws(() => scaled('-2', 2), { message: /has only 2 workers/ });
  for (const wrong of ['0', '-2', 'x', '', '1.5']) {
    t.throws(() => scaled(wrong, 2), { code: 'E_SCALE_COUNT' }, wrong);
  }
});

t.test('an app that scales itself keeps its range', async (t) => {
  const range = { min: 2, max: 6, elu: 0.8, cooldownMs: 1000 };
  const own = { instances: range };
  t.same(scaled('4', 3, own), { count: 4, instances: range });
  t.same(scaled('+2', 3, own), { count: 5, instances: range });
  t.same(scaled('max', 3, own), { count: 6, instances: range });
  for (const outside of ['7', '1', '+9']) {
    t.throws(() => scaled(outside, 3, own), { code: 'E_SCALE_RANGE' }, outside);
  }
});
