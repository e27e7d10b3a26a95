import t from 'tap';
import {
  appOutcome,
  failedOutcome,
  joinOutcomes,
  summarize,
} from '../../../src/daemon/apps/outcome.js';

t.test('outcomes contain worker ids', async (t) => {
  const primary = {
    ok: false,
    done: [0],
    failed: [{ slot: 1, reason: 'r', lastLines: ['l'] }],
    kept: [1],
  };
  t.match(appOutcome('web', 'reload', primary, { 0: 7, 1: 8 }), {
    name: 'web',
    ok: false,
    done: [7],
    failed: [{ id: 8, slot: 1, reason: 'r', lastLines: ['l'] }],
    kept: [8],
  });
  const listener = { address: '*:3000', protocol: 'http' };
  const app = {
    slots: [0, 1, 2],
    desiredSlots: [0, 2],
    ids: { 0: 7, 1: 8, 2: 9 },
    link: {
      state: 'connected',
      snapshot: {
        slots: [
          { slot: 0, status: 'online', listening: [listener] },
          { slot: 2, status: 'errored', listening: [] },
        ],
      },
    },
  };
  t.strictSame(summarize(app), {
    workers: 3,
    online: [7],
    stopped: [1],
    listening: [listener],
  });
  t.match(failedOutcome(new Error('boom')), {
    ok: false,
    failed: [{ slot: null, reason: /boom/ }],
  });
  t.match(
    joinOutcomes({ ok: true, done: [0], minReady: 2 }, { ok: true, done: [1], minReady: 1 }),
    {
      ok: true,
      done: [0, 1],
      minReady: 1,
    },
  );
});
