import t from 'tap';
import { canary } from '../../../src/features/canary/show.js';

t.test('the canary beside the old workers', async (t) => {
  const state = {
    slots: [0],
    since: 1000,
    forMs: 60_000,
    canary: { requests: 100, errors: 3, p99Ms: 50 },
    old: { requests: 300, errors: 3 },
  };
  t.equal(canary.section({}, 2000), null);
  const { facts } = canary.section({ canary: state }, 16_000);
  t.same(Object.fromEntries(facts), {
    judged: ':0',
    'time left': '45s',
    requests: '100, the old workers 300',
    '5xx': '3 %, the old workers 1 %',
    p99: '50ms, the old workers unknown',
  });
  const waiting = { ...state, slots: [], since: undefined };
  t.match(canary.section({ canary: waiting }, 16_000), {
    facts: [['judged', 'not online yet']],
  });
});
