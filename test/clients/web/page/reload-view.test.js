import t from 'tap';
import { compareCanary } from '../../../../src/clients/web/page/reload-view.js';

t.test('a canary and the old workers', async (t) => {
  /** @param {number} requests @param {number} errors @param {number} [p99Ms] */
  const answers = (requests, errors, p99Ms) => ({ requests, errors, p99Ms });
  const rule = { slots: [0], forMs: 1000, max5xx: 0.01, maxP99: 2 };
  const rows = [
    [answers(0, 0), answers(0, 0), ['0 %', false, '-', false]],
    [answers(100, 1, 4), answers(300, 0, 1.5), ['1 %', false, '4.0ms', false]],
    [answers(100, 3, 50), answers(300, 3, 20), ['3 %', true, '50ms', true]],
    [answers(100, 3, 50), answers(300, 12, 30), ['3 %', false, '50ms', false]],
    [answers(2, 1, 12), answers(0, 0), ['50 %', false, '12ms', false]],
  ];
  for (const [canary, old, expected] of rows) {
    const [, errors, p99] = compareCanary({ ...rule, canary, old });
    t.same([errors.own, errors.isOver, p99.own, p99.isOver], expected);
  }
  const [requests, errors, p99] = compareCanary({
    ...rule,
    canary: answers(7, 0),
    old: answers(9, 0),
  });
  t.same([requests.own, requests.old], ['7', '9']);
  t.same([errors.allowed, p99.allowed], ['1 % more', '2 times']);
});
