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
    judged: ':0',
    'time left': '45s',
    requests: '100, the old workers 300',
    '5xx': '3 %, the old workers 1 %; 1 % more is allowed',
    p99: '50ms, the old workers unknown; 2 times that is allowed',
  });
  const waiting = { ...state, slots: [], since: undefined };
  t.match(canary.section({ canary: waiting }, 16_000), {
    load: { share: 0 },
    facts: [['judged', 'not online yet']],
  });
});
