import t from 'tap';
import { select } from '../../../src/daemon/control/targets.js';

t.test('selectors', async (t) => {
  const app = (name, namespace, first, count) => {
    const slots = Array.from({ length: count }, (_, slot) => slot);
    return { name, namespace, slots, ids: Object.fromEntries(slots.map((s) => [s, first + s])) };
  };
  const apps = [
    app('api', 'shop', 0, 2),
    app('api-admin', 'shop', 2, 1),
    app('web', 'default', 3, 2),
  ];
  const cases = {
    api: [{ name: 'api', slots: null }],
    1: [{ name: 'api', slots: [1] }],
    'web:0': [{ name: 'web', slots: [0] }],
    shop: [
      { name: 'api', slots: null },
      { name: 'api-admin', slots: null },
    ],
    '/^API/i': [
      { name: 'api', slots: null },
      { name: 'api-admin', slots: null },
    ],
    all: apps.map(({ name }) => ({ name, slots: null })),
  };
  for (const [selector, selection] of Object.entries(cases)) {
    t.strictSame(select([selector], apps), selection, selector);
  }
  t.strictSame(select(['4', 'web:0', 'api'], apps), [
    { name: 'api', slots: null },
    { name: 'web', slots: [0, 1] },
  ]);
  t.strictSame(select(['0', 'api', '1'], apps), [{ name: 'api', slots: null }]);
  t.strictSame(select(['all'], []), []);
  const known = ['api', 'api-admin', 'web'];
  t.throws(() => select(['api-amdin'], apps), {
    code: 'E_APP_UNKNOWN',
    data: { selector: 'api-amdin', known, nearest: 'api-admin' },
  });
  const shop = { ...app('shop', 'default', 5, 1), spec: { script: '/srv/shop/app.js' } };
  t.throws(() => select(['app'], [shop]), {
    code: 'E_APP_UNKNOWN',
    data: { runs: { name: 'shop', script: '/srv/shop/app.js' } },
  });
  t.throws(() => select(['9'], apps), {
    code: 'E_WORKER_UNKNOWN',
    data: { selector: '9', workers: [] },
  });
  t.throws(() => select(['web:2'], apps), {
    code: 'E_WORKER_UNKNOWN',
    data: { selector: 'web:2', workers: ['web:0', 'web:1'] },
  });
  t.throws(() => select(['web2'], apps), { code: 'E_APP_UNKNOWN', data: { nearest: 'web' } });
  t.throws(() => select(['wbe:2'], apps), { code: 'E_APP_UNKNOWN', data: { nearest: 'web' } });
  t.throws(() => select(['/nothing/'], apps), { code: 'E_APP_UNKNOWN' });
  t.throws(() => select(['/(/'], apps), { code: 'E_SELECTOR_REGEX' });
});

t.test('a pattern that takes forever is refused', async (t) => {
  const apps = [{ name: `${'a'.repeat(60)}!`, namespace: 'default', slots: [0], ids: { 0: 0 } }];
  t.throws(() => select(['/^(a+)+$/'], apps), {
    code: 'E_SELECTOR_REGEX',
    message: /takes longer than 1000 ms/,
  });
  t.strictSame(select(['/^A+/i'], apps), [{ name: apps[0].name, slots: null }]);
});
