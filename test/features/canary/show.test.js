import t from 'tap';
import { canary } from '../../../src/features/canary/show.js';

t.test('the canary beside the old workers', async (t) => {
  const state = {
    slots: [0],
    since: 1000,
    forMs: 60_000,
    max5xx: 0.01,
    maxP99: 2,
    canary: { requests: 100, errors: 3, p99Ms: 50 },
    old: { requests: 300, errors: 3 },
  };
  t.equal(canary.section({}, 2000), null);
  const { load, facts } = canary.section({ canary: state }, 16_000);
  t.equal(load.share, 0.25);
  t.same(Object.fromEntries(facts), {
    'so far': 'more 5xx than allowed',
    judged: ':0',
    'time left': '45s',
    requests: '100, the old workers 300',
    '5xx': '3 %, the old workers 1 %; 1 % more is allowed',
    p99: '50ms, the old workers unknown; 2 times that is allowed',
  });
  const soFar = (own, old) => {
    const figures = { canary: { ...state.canary, ...own }, old: { ...state.old, ...old } };
    return canary.section({ canary: { ...state, ...figures } }, 16_000).facts[0][1];
  };
  t.equal(soFar({ errors: 2 }), 'within what is allowed');
  t.equal(soFar({ errors: 0 }, { p99Ms: 24 }), 'slower than allowed');
  t.equal(soFar({ requests: 0, errors: 0, p99Ms: undefined }), 'within what is allowed');
  const waiting = { ...state, slots: [], since: undefined };
  t.match(canary.section({ canary: waiting }, 16_000), {
    load: { share: 0 },
    facts: [
      ['so far', ''],
      ['judged', 'not online yet'],
    ],
  });
});
